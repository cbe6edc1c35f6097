/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective as data: the list of steps that one member performs. An algorithm builds the list; comm/collective.c and
 * waitio_mpi/trees.c execute it, and tests simulate it for all members at once. Members are numbered from 0.
 */
#ifndef H3OU_COLL_SCHEDULE_H
#define H3OU_COLL_SCHEDULE_H

#include <stdint.h>

enum h3ou__step_kind {
    H3OU__STEP_SEND,  /* send my buffer to peer */
    H3OU__STEP_RECV,  /* receive peer's into my buffer */
    H3OU__STEP_REDUCE /* receive peer's and combine it into my buffer */
};

typedef struct h3ou__step {
    int kind;
    int peer;
} h3ou__step;

typedef struct h3ou__schedule {
    int n;
    int64_t room;
    h3ou__step *step; /* [n] performed one after the other */
} h3ou__schedule;

#pragma GCC visibility push(default)
int h3ou__schedule_add(h3ou__schedule *s, int kind, int peer);
void h3ou__schedule_free(h3ou__schedule *s);

/* Fills *out with the steps of member `me` of `size`. root: the member that has the data, or gets the result. */
typedef int h3ou__algorithm(int size, int me, int root, h3ou__schedule *out);
h3ou__algorithm h3ou__bcast_binomial;  /* ceil(log2 size) rounds */
h3ou__algorithm h3ou__reduce_binomial; /* as many; the order of combining depends on size and root only */
h3ou__algorithm h3ou__reduce_linear;   /* the root combines the others in ascending order: the same bits every time */

enum h3ou__collective { H3OU__COLL_BCAST, H3OU__COLL_REDUCE };
/* Returns the algorithm for a collective with a message of `bytes`; sets its name, for the log. */
h3ou__algorithm *h3ou__coll_select(int collective, long long bytes, const char **name);
#pragma GCC visibility pop

#endif
