/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast by a binomial tree, in segments. Without these it takes ceil(log2 size) rounds: in round k each of the
 * first 2^k members, counted from the root, sends to one more. */
#include "coll/bcast/bcast.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__tree_load load = {.part = {0, h3ou__call_bytes(call)}};
    h3ou__tree_binomial(call, &load.tree);
    h3ou__tree_broadcast(call, &load, 1, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__tree_cost_binomial(call, ports, cost);
}

const h3ou__algorithm h3ou__bcast_binomial = {
    .name = "binomial", .operation = H3OU__COLL_BCAST, .has_segments = true, .cost = cost_of, .build = build};
