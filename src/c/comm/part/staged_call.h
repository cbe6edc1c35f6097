/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective call in segments, each of which passes through three stages: a call inside my block, messages among the
 * Kings, and again a call inside the block. Several segments are under way at a time, in different stages. All members of a
 * block start the calls inside it in the same order.
 */
#ifndef H3OU_COMM_PART_STAGED_CALL_H
#define H3OU_COMM_PART_STAGED_CALL_H

#include "coll/execute.h"
#include "comm/part/inside_call.h"

enum { H3OU__STAGED_SEGMENTS = 6 }; /* under way at a time, at most */

/* The functions start a stage of segment k; NULL: this member has no part in the stage. kings leaves *run NULL where it has none in that of
 * the segment. */
typedef struct h3ou__staged_call {
    h3ou__comm *comm;
    const char *what;       /* for errors */
    void *user;             /* of the functions */
    int64_t nsegment;
    int64_t bytes; /* of the whole call, which MPI may be moving */
    bool has_result; /* what the last stage passes on is here before the stage of the Kings, so that both go on together */
    int (*before)(void *user, int64_t k, h3ou__inside_call *call);
    int (*kings)(void *user, int64_t k, h3ou__coll_run **run);
    int (*after)(void *user, int64_t k, h3ou__inside_call *call);
} h3ou__staged_call;

/* Performs a call to its end, with the patience of the run. */
int h3ou__staged_call_run(const h3ou__staged_call *call);

#endif
