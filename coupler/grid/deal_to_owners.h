/* SPDX-License-Identifier: BSD-3-Clause */
/* Sending items about cells of a grid from the first process of its component, which learns who owns them all, to these
 * owners. Only messages with items are sent, and each process waits for its own alone; where all processes have items,
 * send_to_owners.h asks the distributed directory. */
#ifndef H3OU_COUPLER_GRID_DEAL_TO_OWNERS_H
#define H3OU_COUPLER_GRID_DEAL_TO_OWNERS_H

#include "coupler/grid/send_to_owners.h"

typedef struct h3ou__dealer h3ou__dealer;

/* Returns whether the indices of the grid, which has `cells` cells on all processes, are dense enough for arrays by
 * index; the same on each process. */
bool h3ou__dealer_suits(const h3ou__grid *g, int64_t cells);
/* Tells the first process the owners, of which it keeps 8 bytes for each index. Items have `width` numbers; at most
 * `most` of them are passed at a time. Collective over the component. Release with h3ou__dealer_close, also after an
 * error. */
int h3ou__dealer_open(const h3ou__grid *g, h3ou__comm *local, int width, int64_t most, h3ou__dealer **out);
/* Called by the first process: sends n items to the owners of the cells whose indices are their first numbers, in whose
 * place they get the cell's place; in their order. *mine: [*nmine] those of cells of its own, until the next call. An
 * item about a cell that no process holds is what no_owner returns. */
int h3ou__dealer_pass(h3ou__dealer *d, int64_t n, const int64_t item[], h3ou__no_owner *no_owner, const int64_t **mine,
                      int64_t *nmine);
/* Called by the first process: tells the others that no more items come. */
int h3ou__dealer_end(h3ou__dealer *d);
/* Called by the others: *item: [*n] the next items, until the next call; 0: no more come. */
int h3ou__dealer_take(h3ou__dealer *d, const int64_t **item, int64_t *n);
void h3ou__dealer_close(h3ou__dealer *d);

#endif
