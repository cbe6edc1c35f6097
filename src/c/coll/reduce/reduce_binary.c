/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction up a binary tree, in segments. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__tree tree;
    h3ou__tree_binary(call, &tree);
    h3ou__tree_reduce(call, &tree, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__cost_pipeline(cost, 1, h3ou__cost_log2(call->size / 2 + 1), h3ou__cost_serial(call->size > 2 ? 2 : 1, ports));
}

const h3ou__algorithm h3ou__reduce_binary = {.name = "binary",
                                             .operation = H3OU__COLL_REDUCE,
                                             .order = H3OU__ORDER_ANY,
                                             .has_segments = true,
                                             .cost = cost_of,
                                             .build = build};
