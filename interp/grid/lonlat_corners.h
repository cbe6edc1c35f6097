/* SPDX-License-Identifier: BSD-3-Clause */
/* Corners of cells that lie along meridians and parallels, and of the regular grids that such cells may make up. */
#ifndef H3OU_INTERP_GRID_LONLAT_CORNERS_H
#define H3OU_INTERP_GRID_LONLAT_CORNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/cells.h"

/* Corners of n cells, in radians, as users give them. Borrowed. */
typedef struct h3ou__corner_lists {
    int64_t n;
    int most;                  /* corner k of cell i is number i * most + k */
    const double *lon, *lat;   /* of the corners; of the nodes, where there are some */
    const int64_t *node;       /* [n * most] the node of each corner, below 0: no more; NULL: there are no nodes */
    const int *count;          /* [n] corners of each cell; NULL: most */
    const unsigned char *mask; /* [n] cells of 0 may have any corners; NULL: all take part */
} h3ou__corner_lists;

int h3ou__corner_count(const h3ou__corner_lists *g, int64_t i);

/* Does every edge of the cell run along a meridian or a parallel? */
bool h3ou__corners_follow(const h3ou__corner_lists *g, int64_t i);
/* Does every edge, of all cells that take part, run along a meridian or a parallel (to 1e-10)? At a pole the longitude
 * is free. Such cells are meant to be bounded by circles of latitude. */
bool h3ou__corners_follow_latitudes(const h3ou__corner_lists *g);

/* The length of the first row of boxes with the same two latitudes, when n is a multiple of it; else 0. */
int64_t h3ou__corners_row_length(const h3ou__corner_lists *g);

/* Are the cells the boxes of a regular grid of nx columns and ny rows? Then lon_bounds[2 * nx] and lat_bounds[2 * ny]
 * are those that h3ou__cells_set_boxes takes: the values of the first cell of each column and row. */
bool h3ou__corners_are_regular(const h3ou__corner_lists *g, int64_t nx, int64_t ny, double lon_bounds[],
                               double lat_bounds[]);

/* Of cells of which bad ones are to be masked (c->bad): masks and lists those with bad corners, before these say what
 * kind of edges the grid has. */
int h3ou__cells_mask_bad_corners(h3ou__cells *c, const h3ou__corner_lists *lists, int edges);

#endif
