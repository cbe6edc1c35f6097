/* SPDX-License-Identifier: BSD-3-Clause */
/* Items about cells of a grid, sent to the processes that hold the cells: through the processes that keep the cells'
 * entries in the grid's directory. */
#ifndef H3OU_COUPLER_GRID_SEND_TO_OWNERS_H
#define H3OU_COUPLER_GRID_SEND_TO_OWNERS_H

#include "comm/comm.h"
#include "coupler/common/redistribute.h"
#include "coupler/grid/grid.h"

/* Called for an item about a cell that no process holds; returns the error. h3ou__grid_keeper says whether the index is
 * out of range. */
typedef int h3ou__no_owner(const h3ou__grid *g, const int64_t item[]);

/* Sends n items of `width` numbers, of which the first is the cell's global index; with the owner it is the cell's
 * place. Overwrites item. no_owner NULL: items about cells that no process holds are dropped. Collective over the
 * component. The caller releases *owned with h3ou__redistribution_free, also after an error. */
int h3ou__send_to_owners(const h3ou__grid *g, h3ou__comm *local, int64_t n, int width, int64_t item[],
                         h3ou__no_owner *no_owner, h3ou__redistribution *owned);

#endif
