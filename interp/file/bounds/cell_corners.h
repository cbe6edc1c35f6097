/* SPDX-License-Identifier: BSD-3-Clause */
/* What the formats of grids have in common: cells from the corners that a file gives. */
#ifndef H3OU_INTERP_FILE_BOUNDS_CELL_CORNERS_H
#define H3OU_INTERP_FILE_BOUNDS_CELL_CORNERS_H

#include "interp/grid/lonlat_corners.h"

/* Gives c its corners: boxes, when they are those of a regular grid, so that the same grid gives the same weights in
 * every form of file, else polygons. nx, ny: columns and rows that the file says (then rank, dims, cyclic and fold are
 * set); 0: the file has a list of cells. nnode: of g->node. */
int h3ou__cell_corners_set(h3ou__cells *c, const h3ou__corner_lists *g, int64_t nnode, int64_t nx, int64_t ny,
                           int edges);

#endif
