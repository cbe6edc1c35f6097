/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction to member 0 up a binomial tree, and broadcast down the same tree, both in segments. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__call rooted = *call;
    h3ou__tree_load load = {.part = {0, h3ou__call_bytes(call)}};
    rooted.root = 0;
    h3ou__tree_binomial(&rooted, &load.tree);
    h3ou__tree_reduce(&rooted, &load.tree, out);
    h3ou__tree_broadcast(&rooted, &load, 1, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__tree_cost_binomial(call, ports, cost);
    cost->first *= 2;
    cost->serial *= 2;
}

const h3ou__algorithm h3ou__allreduce_reduce_bcast = {.name = "reduce_bcast",
                                                      .operation = H3OU__COLL_ALLREDUCE,
                                                      .order = H3OU__ORDER_RANKS,
                                                      .has_segments = true,
                                                      .cost = cost_of,
                                                      .build = build};
