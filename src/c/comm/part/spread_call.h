/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call of a block that is on several hosts: in memory inside each host, and by a schedule between the hosts, whose messages go by the
 * job's MPI. Between the hosts the first process of each takes part, but the root for its host. No communicator of MPI is needed.
 *
 * The values of a host are combined as by host_call.h, those of the hosts in an order that does not depend on the root.
 */
#ifndef H3OU_COMM_PART_SPREAD_CALL_H
#define H3OU_COMM_PART_SPREAD_CALL_H

#include "coll/execute.h"
#include "coll/schedule/algorithm.h"
#include "comm/part/block_link.h"
#include "comm/world.h"
#include "host/host_call.h"

/* What a call is, as in h3ou__host_call; root: a member of the block. */
typedef struct h3ou__spread_call {
    h3ou__host_call into, out; /* inside my host, before and after the messages between hosts; both have their turn there from the start */
    bool has_into, has_out, has_between;
    bool are_together; /* out goes on while there are messages between hosts */
    h3ou__call call;   /* between hosts */
    h3ou__coll_data data;
    h3ou__block_link link;
    h3ou__coll_run *run; /* NULL: it has not begun, or is over */
    int tag;
    char *memory; /* of the combined values of my host */
} h3ou__spread_call;

/* Starts a call; the structure stays where it is until it is done. given: kind, root, in, out, count, element, label, and the combination
 * inside a host. type, op: those between hosts. */
int h3ou__spread_start(h3ou__comm *c, const h3ou__host_call *given, int type, int op, h3ou__spread_call *call);
/* Goes on; never blocks. *moved is set if something was done. */
int h3ou__spread_test(h3ou__comm *c, h3ou__spread_call *call, bool *done, bool *moved);
/* Gives up a call after an error. */
void h3ou__spread_end(h3ou__spread_call *call);
/* Says whether reductions combine the values of hosts in the order of these. */
void h3ou__spread_keep_order(bool keeps);

#endif
