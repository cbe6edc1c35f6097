/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an array that go to, or came from, processes of a component: only processes with a part are listed, so that
 * nothing grows with the number of the others. */
#ifndef H3OU_COUPLER_COMMON_RANK_PARTS_H
#define H3OU_COUPLER_COMMON_RANK_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"

typedef struct h3ou__parts { /* begins as all zeros */
    int n, room;
    int *rank;      /* [n] ascending */
    int64_t *count; /* [n] items, at least one */
} h3ou__parts;

/* Appends a part of a process whose rank is above all others of the list, or adds to the last one. H3OU__ENOMEM. */
int h3ou__parts_append(h3ou__parts *p, int rank, int64_t count);
void h3ou__parts_free(h3ou__parts *p);
/* Returns in *is_dense whether a component has few enough processes for counts of all others: up to
 * H3OU_DENSE_PROCESSES (environment, default 1000, the same for all of them). */
int h3ou__parts_are_dense(h3ou__comm *local, bool *is_dense);
/* Sends the parts `out` of `send`, items of `width` elements that stand one after the other. *recv, which the caller
 * frees, has what came, by the ranks of `in`; is_known: all processes know theirs already, else it is filled.
 * Collective over the component. Few processes (h3ou__parts_are_dense) tell all others how much they send; among more
 * the receivers find out from whom something comes (find_senders.h), and messages go between these only. */
int h3ou__parts_exchange(h3ou__comm *local, const h3ou__parts *out, const void *send, int width, int type, h3ou__parts *in,
                         bool is_known, void **recv);

#endif
