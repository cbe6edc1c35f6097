/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The polygons between the centres of cells: quadrilaterals of a structured grid (across its cyclic seam and its fold
 * too), sectors between the last row and a pole that the grid goes round, or the polygons of the cells around a vertex.
 */
#ifndef H3OU_INTERP_STENCILS_DUAL_POLYGONS_H
#define H3OU_INTERP_STENCILS_DUAL_POLYGONS_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/cells.h"
#include "interp/search/celltree.h"
#include "interp/stencils/method.h"

typedef struct h3ou__dual {
    const h3ou__cells *cells;
    int64_t n, room, origin_room, ncell, cell_room;
    int64_t *start;       /* [n + 1] */
    int32_t *cell;        /* in the order round the polygon; two of a sector */
    int32_t *origin;      /* [n] of quadrilaterals: the cell at the indices of their first corner */
    int64_t first_sector; /* from here on: sectors */
    double *apex;         /* [3 * (n - first_sector)] where the sectors meet */
    h3ou__celltree *tree;
} h3ou__dual;

/* H3OU__EARG for cells that are neither structured nor have corners. Borrows c, whose xyz is there. */
int h3ou__dual_create(const char *method, const h3ou__cells *c, h3ou__dual **out);
void h3ou__dual_free(h3ou__dual *d);

/* The place of a target. */
typedef struct h3ou__spot {
    const double *x; /* unit vector */
    double lon, lat;
} h3ou__spot;

/* The row of a target: bilinear in quadrilaterals, or barycentric in all. Of several polygons that contain the
 * target and none of whose cells with a coefficient is masked, the one with the lowest cell numbers is used. scratch:
 * of the row. */
int h3ou__dual_serve(const h3ou__dual *d, const h3ou__spot *spot, bool bilinear, h3ou__row *row);
/* The quadrilateral that contains the target, and the place in it, uv; -1: none. Below -1: an error code less 1. */
int64_t h3ou__dual_quad(const h3ou__dual *d, const h3ou__spot *spot, h3ou__row *row, double uv[2]);

/* Structured grids: the cell at index (x, y), which may lie beyond a cyclic seam or the fold; -1: there is none, -2: it
 * is not held, or nowhere. */
int64_t h3ou__lattice_cell(const h3ou__cells *c, int64_t x, int64_t y);
/* The same for a source: the cell that stands for all at its place. */
int64_t h3ou__lattice_source(const h3ou__cells *c, int64_t x, int64_t y);

#endif
