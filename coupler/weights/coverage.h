/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs what users should know of their grids and masks before the first step. */
#ifndef H3OU_COUPLER_WEIGHTS_COVERAGE_H
#define H3OU_COUPLER_WEIGHTS_COVERAGE_H

#include "coupler/search/cell_search.h"
#include "coupler/weights/make_online.h"
#include "coupler/weights/weight_table.h"
#include "interp/weights/sparse.h"

/* Logs how many cells the processes of the component hold, how many of the grid's shape nobody holds, how many are
 * masked; warns of a mask that takes out all cells. Collective over the component; after h3ou__grid_register. */
int h3ou__coverage_log_grid(const h3ou__grid *g, h3ou__comm *local);

/* Logs the sum of the areas of the grid's cells over 4 pi, where the model gave areas or corners are known; of a
 * receiving grid also the share of the unmasked cells' area that gets values, by the rows and by what the making of the
 * weights left (both NULL: of a sending grid). Collective over the component, after the weights are made. */
int h3ou__coverage_log_area(const h3ou__grid *g, const h3ou__sparse *rows, const h3ou__remainder *left,
                            h3ou__comm *local);

/* Warns when one of two masks looks inverted: fewer than a quarter of the target cells that take part lie over source
 * cells that take part, more than three quarters of the others do. Each cell is judged by the nearest source cell, when
 * that reaches it; a pair of which one grid has no mask is not judged. Collective over both components, after
 * h3ou__cell_search; part: what that gave, NULL on a sender. */
int h3ou__coverage_compare_masks(const h3ou__cell_search_task *task, const h3ou__pair_name *name, h3ou__cells *part);

#endif
