/* SPDX-License-Identifier: BSD-3-Clause */
/* Curvilinear grids: cells in rows and columns that do not follow the meridians. */
#ifndef H3OU_INTERP_FILE_BOUNDS_CURVILINEAR_H
#define H3OU_INTERP_FILE_BOUNDS_CURVILINEAR_H

#include <stdbool.h>

#include "interp/grid/cells.h"

/* Rank, sizes, and how the grid closes: its fold and the columns that are there twice by the centres (fold.h); by the
 * corners, if there are, cyclic when cells of the last column share an edge with those of the first, and a fold between
 * points when the cells x and nx - 1 - x of the last row do. */
int h3ou__curvilinear_set(h3ou__cells *c, int64_t nx, int64_t ny);
/* Corners (4 a cell) from centres, both in radians: the mean of the four centres around. Centres that are no places are
 * made from their neighbours, as far as these cells need them; other corners are NaN. Around the grid stands a row
 * of centres extrapolated along great circles, or those of the other side where the grid closes. Both arrays are new.
 */
int h3ou__curvilinear_corners(int64_t nx, int64_t ny, const double lon[], const double lat[], double **corner_lon,
                              double **corner_lat);

#endif
