/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells that were masked because something is wrong with their centres or corners. */
#ifndef H3OU_INTERP_GRID_BAD_CELLS_H
#define H3OU_INTERP_GRID_BAD_CELLS_H

#include <stdint.h>

typedef struct h3ou__bad_cell {
    int64_t number;  /* global, from 1 */
    double lon, lat; /* degrees, as given; NaN where the grid has no centres */
    const char *why; /* "edges that cross" */
} h3ou__bad_cell;

typedef struct h3ou__bad_cells {
    int64_t n, room;
    h3ou__bad_cell *cell; /* first those with bad centres, then those with bad corners, each ascending */
} h3ou__bad_cells;

#endif
