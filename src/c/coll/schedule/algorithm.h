/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contract of an algorithm of a collective call. Each is a file that defines one h3ou__algorithm, and a line in
 * coll/algorithm_table.c.
 */
#ifndef H3OU_COLL_SCHEDULE_ALGORITHM_H
#define H3OU_COLL_SCHEDULE_ALGORITHM_H

#include "coll/schedule/schedule.h"

/* Operations, and what the buffers hold. "Part r" is described at h3ou__call.
 *
 *   operation       input                         output
 *   BCAST           -                             count elements, in and out
 *   REDUCE          count elements                count elements at the root, none elsewhere
 *   ALLREDUCE, SCAN count elements                count elements
 *   REDUCE_SCATTER  all parts, packed             my part
 *   GATHER          my part                       all parts at the root, none elsewhere
 *   SCATTER         all parts at the root         my part
 *   ALLGATHER       my part                       all parts
 *   ALLTOALL        send part r for each r        part r of each r
 *   BARRIER         -                             -
 */
#define H3OU__OPERATIONS(X)                                                                                            \
    X(BCAST, "bcast")                                                                                                  \
    X(REDUCE, "reduce")                                                                                                \
    X(ALLREDUCE, "allreduce")                                                                                          \
    X(REDUCE_SCATTER, "reduce_scatter")                                                                                \
    X(SCAN, "scan")                                                                                                    \
    X(GATHER, "gather")                                                                                                \
    X(SCATTER, "scatter")                                                                                              \
    X(ALLGATHER, "allgather")                                                                                          \
    X(ALLTOALL, "alltoall")                                                                                            \
    X(BARRIER, "barrier")
enum h3ou__operation {
#define X(name, text) H3OU__COLL_##name,
    H3OU__OPERATIONS(X)
#undef X
        H3OU__COLL_OPERATIONS
};

/* A call as one member makes it. All members give the same values, except for `me` and, where displs are, these. */
typedef struct h3ou__call {
    int operation;
    int size, me, root;
    int element;     /* bytes of an element */
    int order;       /* of reductions: the least that is needed */
    bool must_keep;  /* the order: without it the result would be wrong, not only different */
    int64_t count;   /* elements of the message; of gathers, scatters and alltoall those of each part; of a gather or
                        scatter with parts of different sizes (is_vector) those of my part */
    int64_t segment; /* bytes of a segment, for algorithms with segments; 0: the message in one */
    int shape[3];    /* of the mesh, for algorithms with one, whose product is size; 0: chosen as near to a cube as
                        possible */
    bool is_vector;  /* the parts have different sizes; algorithms with are_parts_equal are not for it */
    /* Elements of the parts, and where they begin; borrowed. NULL: count each, one after the other. For a gather or
     * scatter they are needed at the root only; displs NULL: packed. send_...: of the input of ALLTOALL. */
    const int64_t *counts, *displs, *send_counts, *send_displs;
} h3ou__call;

/* What the order of combining depends on. */
enum h3ou__order {
    H3OU__ORDER_ANY,   /* the operation must be commutative */
    H3OU__ORDER_RANKS, /* operands stand in the order of ranks, with parentheses as size and algorithm have it */
    H3OU__ORDER_SERIAL /* ((0 op 1) op 2) op ...: the same bits for each root and segment, and every other such
                          algorithm */
};

typedef struct h3ou__cost h3ou__cost; /* cost.h */

typedef struct h3ou__algorithm {
    const char *name; /* unique in its operation */
    int operation;
    int order;            /* of reductions */
    bool are_parts_equal; /* is needed */
    bool has_segments;
    /* Appends the steps of member call->me to *out, which may have steps before, and ends the last round. Its memory is
     * that of the steps; what grows with the number of members is said in the algorithm's file. Returns out->error.
     * call: borrowed until the return. Not collective, no side effects. */
    int (*build)(const h3ou__call *call, h3ou__schedule *out);
    /* Adds to *cost, which is zero before, what the call costs on a machine whose members send to so many at a time.
     * The call has at least two members. */
    void (*cost)(const h3ou__call *call, int ports, h3ou__cost *cost);
} h3ou__algorithm;

typedef struct h3ou__part {
    int64_t at, bytes;
} h3ou__part;

#pragma GCC visibility push(default)
extern const char *const h3ou__operation_name[H3OU__COLL_OPERATIONS];
/* Returns the place of a member's part, in bytes. Of packed parts it takes time that grows with rank. */
h3ou__part h3ou__call_part(const h3ou__call *call, int rank);
h3ou__part h3ou__call_send_part(const h3ou__call *call, int rank);
/* Returns part i of n, of the whole message: the bytes of as many elements, packed, that differ by one at most. */
h3ou__part h3ou__call_share(const h3ou__call *call, int i, int n);
int64_t h3ou__call_bytes(const h3ou__call *call); /* of count elements */
/* Returns the bytes of a segment, for a part of the message of `bytes`: whole elements, at least one. */
int64_t h3ou__call_segment(const h3ou__call *call, int64_t bytes);
/* Sets the mesh: the call's shape, if it has as many members, else one that is chosen. */
void h3ou__call_shape(const h3ou__call *call, int shape[3]);
/* Place of a member, counted from the root; and the member at a place. */
static inline int h3ou__call_place(const h3ou__call *call)
{
    return (call->me - call->root + call->size) % call->size;
}
static inline int h3ou__call_member(const h3ou__call *call, int place)
{
    return (int)(((int64_t)place + call->root) % call->size);
}
#pragma GCC visibility pop

#endif
