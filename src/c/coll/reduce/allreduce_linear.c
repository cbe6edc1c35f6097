/* SPDX-License-Identifier: BSD-3-Clause */
/* Member 0 combines all values in the order of ranks, and broadcasts the result by a binomial tree. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__call rooted = *call;
    h3ou__tree_load load = {.part = {0, h3ou__call_bytes(call)}};
    rooted.root = 0;
    h3ou__reduce_linear.build(&rooted, out);
    h3ou__tree_binomial(&rooted, &load.tree);
    h3ou__tree_broadcast(&rooted, &load, 1, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__tree_cost_binomial(call, ports, cost);
    h3ou__cost_rounds(cost, call->size - 1, (double)h3ou__call_bytes(call));
}

const h3ou__algorithm h3ou__allreduce_linear = {.name = "linear",
                                                .operation = H3OU__COLL_ALLREDUCE,
                                                .order = H3OU__ORDER_SERIAL,
                                                .has_segments = true,
                                                .cost = cost_of,
                                                .build = build};
