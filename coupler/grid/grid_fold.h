/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_COUPLER_GRID_GRID_FOLD_H
#define H3OU_COUPLER_GRID_GRID_FOLD_H

#include "coupler/grid/grid.h"

/* Finds by the centres of all processes how a grid with rows and columns meets itself behind its last rows, whether the
 * model said so or not. Collective over the component; `cells` are there. H3OU__EARG: the model stated a fold, and the
 * grid has none. */
int h3ou__grid_find_fold(h3ou__grid *g, h3ou__comm *local);

#endif
