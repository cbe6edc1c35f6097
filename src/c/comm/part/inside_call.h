/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls of the members of my block: in memory of their host if they share it, else by the job's MPI. A block that is on
 * several hosts uses the memory of each and messages between them (spread_call.h). One with more than H3OU__HOST_MOST processes on a host
 * uses its MPI; so it does with H3OU_SHARED_MEMORY=0.
 */
#ifndef H3OU_COMM_PART_INSIDE_CALL_H
#define H3OU_COMM_PART_INSIDE_CALL_H

#include "comm/part/spread_call.h"
#include "comm/world.h"
#include "host/host_call.h"

typedef struct h3ou__inside_call {
    enum h3ou__inside_way { H3OU__INSIDE_MPI, H3OU__INSIDE_HOST, H3OU__INSIDE_SPREAD, H3OU__INSIDE_MESSAGE, H3OU__INSIDE_NOTHING } way;
    h3ou__mpi_req req;
    h3ou__req message;
    h3ou__host_call host;
    h3ou__spread_call spread;
    int type, op; /* of its combinations */
} h3ou__inside_call;

/* Start calls, whose structures stay where they are until they are done; arguments as in MPI. All members start the same calls in the
 * same order. */
int h3ou__inside_bcast(h3ou__comm *c, void *buf, int64_t count, int type, int root, h3ou__inside_call *call);
int h3ou__inside_reduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op, int root,
                        h3ou__inside_call *call);
int h3ou__inside_allreduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op,
                           h3ou__inside_call *call);
/* Passes elements from a member of the block to another one; the others have no part in it. segment: as for tags of segments. */
int h3ou__inside_pass(h3ou__comm *c, int from, int to, void *buf, int64_t count, int type, int segment, h3ou__inside_call *call);
/* Goes on with a call; never blocks. *moved is set if something was done though the call is not at its end. */
int h3ou__inside_test(h3ou__comm *c, h3ou__inside_call *call, bool *done, bool *moved);
/* Returns whether a call that is under way waits for the MPI; else it waits for others of this host. */
bool h3ou__inside_awaits_mpi(const h3ou__inside_call *call);
/* Gives up a call after an error. */
void h3ou__inside_end(h3ou__inside_call *call);
/* Returns whether calls are made in the memory of several hosts, and between these. */
bool h3ou__inside_is_spread(const h3ou__comm *c);

#endif
