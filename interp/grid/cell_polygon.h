/* SPDX-License-Identifier: BSD-3-Clause */
/* The spherical polygon of a grid's cell. */
#ifndef H3OU_INTERP_GRID_CELL_POLYGON_H
#define H3OU_INTERP_GRID_CELL_POLYGON_H

#include "interp/grid/cells.h"
#include "interp/sphere/polygon.h"

/* The polygon of cell i; n = 0 when it has no corners. */
void h3ou__cell_polygon(const h3ou__cells *c, int64_t i, h3ou__polygon *out);

#endif
