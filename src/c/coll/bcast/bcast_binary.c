/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast down a binary tree, in segments. */
#include "coll/bcast/bcast.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__tree_load load = {.part = {0, h3ou__call_bytes(call)}};
    h3ou__tree_binary(call, &load.tree);
    h3ou__tree_broadcast(call, &load, 1, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__cost_pipeline(cost, 1, h3ou__cost_log2(call->size / 2 + 1), h3ou__cost_serial(call->size > 2 ? 2 : 1, ports));
}

const h3ou__algorithm h3ou__bcast_binary = {
    .name = "binary", .operation = H3OU__COLL_BCAST, .has_segments = true, .cost = cost_of, .build = build};
