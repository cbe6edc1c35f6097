/* SPDX-License-Identifier: BSD-3-Clause */
/* What the formats of weights have in common: links as three lists, sides with centres and masks, and the
 * variables that only h3ou writes and reads. */
#ifndef H3OU_INTERP_FILE_LINKS_H
#define H3OU_INTERP_FILE_LINKS_H

#include "interp/file/netcdf/reader.h"
#include "interp/file/netcdf/writer.h"
#include "interp/file/weightfile.h"

typedef struct h3ou__link_names {
    const char *src, *dst,
        *coef; /* cells counted from 1; coef may have a second dimension, of which the first counts */
} h3ou__link_names;

/* Reads links into out->weights. nsource, ntarget: 0 when the file does not give the size: then it is the largest
 * address. */
int h3ou__links_read(const h3ou__nc *r, const h3ou__link_names *names, int64_t nsource, int64_t ntarget,
                     h3ou__weightfile *out);

typedef struct h3ou__side_names {
    const char *lon, *lat, *mask, *dims;
} h3ou__side_names;
/* Reads the n cells of one side from those of the four variables that the file has; *out stays NULL when it has none.
 */
int h3ou__side_read(const h3ou__nc *r, const h3ou__side_names *names, const char *text, int64_t n, h3ou__cells **out);

/* The rank of a grid in its file, which is returned, and its sizes, fastest first. */
int h3ou__side_shape(const h3ou__cells *c, int32_t dims[2]);

/* Shares of targets that have links. The file may lack the variable. */
int h3ou__frac_read(const h3ou__nc *r, const char *name, h3ou__weights *w);
/* Areas of one side; all zero counts as none. */
int h3ou__area_read(const h3ou__nc *r, const char *name, int64_t n, double **out);
/* Normalisation and method by the attributes of SCRIP, which ESMF uses too. */
void h3ou__how_read(const h3ou__nc *r, h3ou__weights *w);

/* The share of each source cell's area that targets got by a conservative method: sum of coef * area of the target
 * (times its frac, with fracarea) over the source's area. Zero without areas. free(). */
int h3ou__source_frac(const h3ou__weights *w, double **out);
/* The map_method of a file with these weights, in the words of SCRIP and CDO. */
const char *h3ou__map_method(const h3ou__weights *w);

/* Variables that only h3ou writes and reads. */
typedef struct h3ou__own_ids {
    int served, fixed;
    int cell, stencils, corners, stencil, gx, gy, cx, cy, links, of, share, dx, dy;
} h3ou__own_ids;
void h3ou__own_define(h3ou__ncw *f, const h3ou__weights *w, int target_dim, h3ou__own_ids *ids);
void h3ou__own_write(h3ou__ncw *f, const h3ou__weights *w, const h3ou__own_ids *ids);
int h3ou__own_read(const h3ou__nc *r, h3ou__weights *w); /* nothing to do in files of other programs */

#endif
