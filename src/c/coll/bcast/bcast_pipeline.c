/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast in which each member passes the message on to the next one in segments: while it sends one it receives the
 * next. */
#include "coll/bcast/bcast.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__tree_load load = {.part = {0, h3ou__call_bytes(call)}};
    h3ou__tree_chain(call, &load.tree);
    h3ou__tree_broadcast(call, &load, 1, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_pipeline(cost, 1, call->size - 1, 1);
}

const h3ou__algorithm h3ou__bcast_pipeline = {
    .name = "pipeline", .operation = H3OU__COLL_BCAST, .has_segments = true, .cost = cost_of, .build = build};
