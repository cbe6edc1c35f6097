/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds of the cells of a remapped file's grid. */
#ifndef H3OU_TOOLS_WEIGHTS_NETCDF_NCBOUNDS_H
#define H3OU_TOOLS_WEIGHTS_NETCDF_NCBOUNDS_H

#include "interp/file/bounds/side_corners.h"

typedef struct ncbounds {
    int width;         /* numbers for each value of a coordinate: 2 for axes, else corners; 0: there are no bounds */
    double *lon, *lat; /* degrees */
} ncbounds;

/* Of axes (nx, ny > 0), when the corners are those of boxes in nx columns and ny rows, or of cells (0). Takes over the
 * corners, whose lon may be NULL. */
int ncbounds_create(h3ou__side_corners *corners, int64_t nx, int64_t ny, ncbounds *out);
void ncbounds_free(ncbounds *b); /* what it holds */

#endif
