/* SPDX-License-Identifier: BSD-3-Clause */
/* Regular longitude-latitude grids, recognised by the corners of their cells. */
#ifndef H3OU_INTERP_ROWS_REGULAR_GRID_H
#define H3OU_INTERP_ROWS_REGULAR_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/lonlat_corners.h"
#include "interp/rows/agreement.h"

/* The bounds of columns and rows that h3ou__cells_set_boxes takes. */
typedef struct h3ou__regular_grid {
    int64_t nx, ny;                  /* 0: the grid is not regular */
    double *lon_bounds, *lat_bounds; /* [2 * nx], [2 * ny] */
} h3ou__regular_grid;

void h3ou__regular_grid_free(h3ou__regular_grid *r); /* frees the arrays, not r */

/* Are the cells, of which each process may hold a part, the boxes of a regular grid of nx columns and ny rows? Then the
 * bounds of a column or row are those of its first cell that takes part; of a column or row without such a cell, those
 * of its first masked one that agrees with the others. all: the highest number of a cell, from 1. nx = 0: the grid is a
 * list of cells, whose first row is as long as the cells have the same two latitudes. Collective over the processes
 * that agree; all get the same result, which is that of one process that holds the whole grid. */
int h3ou__regular_grid_find(const h3ou__corner_lists *g, int64_t nx, int64_t ny, int64_t all,
                            const h3ou__agreement *agree, h3ou__regular_grid *out);
/* Do the centres of the grid's cells stand in columns of one longitude and rows of one latitude, to the last bit? */
int h3ou__regular_grid_centres(const h3ou__regular_grid *r, const h3ou__cells *c, const h3ou__agreement *agree,
                               bool *aligned);

#endif
