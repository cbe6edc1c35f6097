/* SPDX-License-Identifier: BSD-3-Clause */
/* The areas of this process's cells of a grid, in steradians: those that the model gave, else those of the cells' corners. */
#ifndef H3OU_COUPLER_GRID_GRID_AREAS_H
#define H3OU_COUPLER_GRID_GRID_AREAS_H

#include "coupler/grid/grid.h"

/* Sets *out to the areas by position, which the caller frees; to NULL when neither areas are known nor, after h3ou__grid_cells, corners. */
int h3ou__grid_measure(const h3ou__grid *g, int threads, double **out);
/* Sets g->area, once; it stays NULL when some process knows neither areas nor corners. Collective over the component. */
int h3ou__grid_find_areas(h3ou__grid *g, h3ou__comm *local);

#endif
