/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distributed search: each receiving process gets the source cells that its target cells need, and no others. Both
 * sides cut the sphere in bins (sphere_bins.h). Senders tell the keepers of bins, who are spread over the sending component,
 * which bins their cells touch; receivers ask through their home (rank mod nsend) for the bins round their targets;
 * keepers tell the owners whom to send what, and the receivers from whom it comes.
 */
#ifndef H3OU_COUPLER_SEARCH_CELL_SEARCH_H
#define H3OU_COUPLER_SEARCH_CELL_SEARCH_H

#include "comm/comm.h"
#include "coupler/grid/grid.h"
#include "interp/methods/method_stack.h"

typedef struct h3ou__cell_search_task { /* all borrowed */
    h3ou__world *world;
    h3ou__comm *local, *model;
    int nsend, nrecv;
    bool sender;
    h3ou__grid *grid;        /* my component's, with its cells */
    h3ou__grid *source;      /* of a pair inside my component the sending grid, with its cells; `sender` is false; else NULL */
    const char *source_name; /* of the sending grid, for messages */
    const h3ou__stack *stack;
} h3ou__cell_search_task;

/* Collective over both components; inside one component each process takes both parts at once. *part: on a receiver the cells it may need, with their global numbers; NULL on a
 * sender. *owner: of each of them its process, as a rank of the sending component, which the caller frees; owner may be
 * NULL. */
int h3ou__cell_search(const h3ou__cell_search_task *task, h3ou__cells **part, int64_t **owner);

#endif
