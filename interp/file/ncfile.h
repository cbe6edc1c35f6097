/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids and weights in NetCDF files: one format per file behind the two tables in formats.c. */
#ifndef H3OU_INTERP_FILE_NCFILE_H
#define H3OU_INTERP_FILE_NCFILE_H

#include "interp/grid/cells.h"
#include "interp/weights/weights.h"

/* A grid, by what the file holds: SCRIP (grid_center_lat, grid_corner_lat, grid_imask), UGRID (a mesh_topology
 * variable), an ESMF mesh (nodeCoords, elementConn), or CF: the first field that has longitudes and latitudes (1-d: a
 * regular grid, whose cells are boxes, or a list of cells; 2-d: curvilinear), its bounds or vertices, and its missing
 * values at the first time as the mask. Degrees or radians by the units attribute. edges: enum h3ou__edges, or
 * H3OU__EDGES_UNREAD when no method needs corners: then a list of cells is read without them.
 * H3OU__EFILE names file, variable and what is wrong. */
int h3ou__gridfile_read(const char *file, int edges, h3ou__cells **out);

enum h3ou__weight_format { H3OU__SCRIP, H3OU__ESMF, H3OU__OASIS, H3OU__YAC, H3OU__WEIGHT_FORMATS };
const char *h3ou__weight_format_name(int format); /* "scrip" */

/* SCRIP with the names that CDO reads, or ESMF. source and target give centres, masks and sizes; other formats are only
 * read: H3OU__EARG. */
int h3ou__weightfile_write(const char *file, int format, const h3ou__weights *w, const h3ou__cells *source,
                           const h3ou__cells *target);

/* What a file of weights holds. Grids have centres and masks as far as the file tells them (NULL: it does not). */
typedef struct h3ou__weightfile {
    int format;
    h3ou__weights *weights;
    h3ou__cells *source, *target; /* without corners */
} h3ou__weightfile;
/* Any of the four formats, recognised by its contents. */
int h3ou__weightfile_read(const char *file, h3ou__weightfile *out);
void h3ou__weightfile_free(h3ou__weightfile *f); /* frees what it holds */
/* H3OU__EARG, saying what differs (size, mask of cell N, centre of cell N by so many degrees), when the file's grid is
 * not c; NULL in the file's place fits anything of c's size. what: "source" or "target". */
int h3ou__weightfile_fits(const char *file, const char *what, const h3ou__cells *in_file, int64_t size,
                          const h3ou__cells *c);

#endif
