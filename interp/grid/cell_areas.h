/* SPDX-License-Identifier: BSD-3-Clause */
/* The areas of a grid's cells by their corners. */
#ifndef H3OU_INTERP_GRID_CELL_AREAS_H
#define H3OU_INTERP_GRID_CELL_AREAS_H

#include "interp/grid/cells.h"

/* Sets *out to the areas in steradians, 0 of cells without corners; to NULL if no cell has corners. free(). */
int h3ou__cells_measure(const h3ou__cells *c, int threads, double **out);

#endif
