/* SPDX-License-Identifier: BSD-3-Clause */
/* The key grid_checker of the namelist: what the plan of a pair of grids covers, in the log. */
#ifndef H3OU_COUPLER_CHECK_GRID_CHECK_H
#define H3OU_COUPLER_CHECK_GRID_CHECK_H

#include "coupler/config/config.h"
#include "coupler/grid/grid.h"
#include "coupler/plan/plan.h"

/* Logs, on rank 0: of the sending component how many of its cells are used, of the receiving one how many have a row, the first
 * that has none, and the rows' sums. grid: my component's. Collective over my component. */
int h3ou__grid_check(const h3ou__plan *plan, const h3ou__config_pair *pair, const h3ou__grid *grid, h3ou__comm *local);

#endif
