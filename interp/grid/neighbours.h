/* SPDX-License-Identifier: BSD-3-Clause */
/* The neighbours of each cell, and the cells around each vertex. */
#ifndef H3OU_INTERP_GRID_NEIGHBOURS_H
#define H3OU_INTERP_GRID_NEIGHBOURS_H

#include <stdint.h>

#include "interp/grid/cells.h"

/* Sparse lists: of item i, list[start[i]] .. list[start[i + 1] - 1]. */
typedef struct h3ou__lists {
    int64_t n;
    int64_t *start; /* [n + 1] */
    int32_t *list;
} h3ou__lists;
void h3ou__lists_free(h3ou__lists *l); /* frees the arrays, not l */

/* Cells that share an edge (two neighbouring corners within 1e-9 of each other; on boxes: a side), masked ones
 * included, ascending. A cell of a grid without corners, or whose edges no other cell shares, has an empty
 * list. */
int h3ou__neighbours_by_edge(const h3ou__cells *c, h3ou__lists *out);
/* The neighbours for method creep: by edge; in grids with rows and columns but no corners, the cells before and after
 * in row and column. H3OU__EARG when the grid has neither. */
int h3ou__creep_neighbours(const h3ou__cells *c, h3ou__lists *out);
/* The places where corners meet (within 1e-9), of each the cells around it, ascending. *place: [3 * out->n], of one of
 * the corners; the caller frees it. Polygons only; their numbers differ between decompositions. */
int h3ou__cells_around_vertices(const h3ou__cells *c, h3ou__lists *out, double **place);

#endif
