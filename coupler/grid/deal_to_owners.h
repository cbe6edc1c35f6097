/* SPDX-License-Identifier: BSD-3-Clause */
/* Sending items about cells of a grid to the processes that hold the cells, from the first process of the component,
 * which learns who holds which. Items go only to those for whom there are some, and each process waits for its own
 * alone; where all processes have items, send_to_owners.h asks the distributed directory. */
#ifndef H3OU_COUPLER_GRID_DEAL_TO_OWNERS_H
#define H3OU_COUPLER_GRID_DEAL_TO_OWNERS_H

#include "coupler/grid/send_to_owners.h"

typedef struct h3ou__dealer h3ou__dealer;

/* Finds out whether so many items are worth it: the first process needs memory for each index of the grid, up to the
 * largest, and for each process, of which there are no more than rank_parts.h serves by counts for all. The same on
 * each process. */
int h3ou__dealer_suits(const h3ou__grid *g, h3ou__comm *local, int64_t items, bool *suits);
/* Tells the first process who holds which cell; it keeps 8 bytes for each index. Items have `width` numbers; at most
 * `most` of them are passed at a time. Collective over the component. Release with h3ou__dealer_close, also after an
 * error. */
int h3ou__dealer_open(const h3ou__grid *g, h3ou__comm *local, int width, int64_t most, h3ou__dealer **out);
/* Called by the first process: sends n items, in their order, to the owners of the cells whose indices are their first
 * numbers; an owner gets the cell's place instead. *mine: [*nmine] those of cells of its own, until the next call.
 * Returns what no_owner, which is not NULL, returns for an item about a cell that no process holds; then nothing is
 * sent. */
int h3ou__dealer_pass(h3ou__dealer *d, int64_t n, const int64_t item[], h3ou__no_owner *no_owner, const int64_t **mine,
                      int64_t *nmine);
/* Called by the first process: tells the others that no more items come. */
int h3ou__dealer_end(h3ou__dealer *d);
/* Called by the others: waits for the next items, or for the end, which of the cells of others may be much later.
 * *item: [*n] until the next call; 0: no more come. */
int h3ou__dealer_take(h3ou__dealer *d, const int64_t **item, int64_t *n);
void h3ou__dealer_close(h3ou__dealer *d);

#endif
