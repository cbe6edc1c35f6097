/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction along the chain of members: each combines in segments what the next one sends, and passes it on. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__tree tree;
    h3ou__tree_chain(call, &tree);
    h3ou__tree_reduce(call, &tree, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_pipeline(cost, 1, call->size - 1, 1);
}

const h3ou__algorithm h3ou__reduce_pipeline = {.name = "pipeline",
                                               .operation = H3OU__COLL_REDUCE,
                                               .order = H3OU__ORDER_ANY,
                                               .has_segments = true,
                                               .cost = cost_of,
                                               .build = build};
