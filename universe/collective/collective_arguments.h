/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of a collective call, as the program gave them. */
#ifndef H3OU_UNIVERSE_COLLECTIVE_COLLECTIVE_ARGUMENTS_H
#define H3OU_UNIVERSE_COLLECTIVE_COLLECTIVE_ARGUMENTS_H

#include <limits.h>

#include "universe/world/spanning.h"

typedef struct universe_collective universe_collective;

/* Numbers of an array of int, or of 8 bytes each; of NULL it has none. */
typedef struct universe_numbers {
    const void *at;
    bool are_long;
} universe_numbers;

/* One buffer, of `count` values for each member, or with an array of counts. */
typedef struct universe_side {
    void *buf;
    abi_Count count;
    abi_Datatype type;
    universe_numbers counts, places;   /* places: in extents of the type, or, with `types`, in bytes; NULL: one behind the other */
    const abi_Datatype *types;         /* NULL: `type` */
} universe_side;

enum { UNIVERSE_ROOTLESS = INT_MIN };

typedef struct universe_arguments {
    const char *function; /* "MPI_Bcast" */
    int (*plan)(universe_collective *u);
    universe_side send, recv;
    int root; /* UNIVERSE_ROOTLESS: the call has none */
    bool send_is_for_root, recv_is_for_root; /* that side means nothing elsewhere */
    abi_Op op;
    int nsend, nrecv; /* elements of the arrays of the sides; 0: as many as there are members; negative: none */
} universe_arguments;

static inline bool universe_is_in_place(const void *buf)
{
    return buf == ABI_IN_PLACE;
}

static inline int64_t universe_number(const universe_numbers *n, int i)
{
    return n->are_long ? ((const int64_t *)n->at)[i] : ((const int *)n->at)[i];
}

#pragma GCC visibility push(hidden)
/* Makes *a independent of the program's arrays and of its handles of types and operations, which it may free before the call ends.
 * Returns an error of memory or of the job's MPI. */
int universe_arguments_hold(universe_arguments *a, const universe_comm *c);
void universe_arguments_release(universe_arguments *a, const universe_comm *c);
#pragma GCC visibility pop

#endif
