/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast in which each member passes the whole message on to the next one. */
#include "coll/bcast/bcast.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__call whole = *call;
    h3ou__tree_load load = {.part = {0, h3ou__call_bytes(call)}};
    whole.segment = 0;
    h3ou__tree_chain(&whole, &load.tree);
    h3ou__tree_broadcast(&whole, &load, 1, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_rounds(cost, call->size - 1, (double)h3ou__call_bytes(call));
}

const h3ou__algorithm h3ou__bcast_chain = {
    .name = "chain", .operation = H3OU__COLL_BCAST, .cost = cost_of, .build = build};
