/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of formats. A new format is a new file and a line in formats.c. */
#ifndef H3OU_INTERP_FILE_FORMATS_H
#define H3OU_INTERP_FILE_FORMATS_H

#include "interp/file/netcdf/reader.h"
#include "interp/file/weightfile.h"

typedef struct h3ou__grid_format {
    const char *name;
    bool (*is)(const h3ou__nc *r); /* asked in the order of the table */
    int (*read)(const h3ou__nc *r, int edges, h3ou__cells **out);
} h3ou__grid_format;

extern const h3ou__grid_format h3ou__grid_scrip, h3ou__grid_ugrid, h3ou__grid_esmf, h3ou__grid_oasis,
    h3ou__grid_rotated, h3ou__grid_cf;
extern const h3ou__grid_format *const h3ou__grid_formats[]; /* ended by NULL */

typedef struct h3ou__weight_ops {
    const char *name;
    bool (*is)(const h3ou__nc *r);
    int (*read)(const h3ou__nc *r, h3ou__weightfile *out); /* what it leaves in out after an error is freed */
    bool holds_fixed, holds_gradient;                      /* cells of fixed values; what limits a second order */
    int (*write)(const char *file, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target);
} h3ou__weight_ops;

extern const h3ou__weight_ops h3ou__weight_scrip, h3ou__weight_esmf, h3ou__weight_oasis, h3ou__weight_yac;
extern const h3ou__weight_ops *const h3ou__weight_formats[H3OU__WEIGHT_FORMATS]; /* by enum h3ou__weight_format */

#endif
