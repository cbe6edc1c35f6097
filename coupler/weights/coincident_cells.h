/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs the source cells that lie at one place. */
#ifndef H3OU_COUPLER_WEIGHTS_COINCIDENT_CELLS_H
#define H3OU_COUPLER_WEIGHTS_COINCIDENT_CELLS_H

#include "coupler/search/cell_search.h"

/* Collective over the receiving component, after weights were made of part. Each process knows its part of the source
 * alone, so the log has the largest number that one of them found. */
int h3ou__coincident_cells_log(const h3ou__cell_search_task *task, const h3ou__cells *part);

#endif
