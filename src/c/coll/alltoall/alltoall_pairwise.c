/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall of size - 1 rounds: in round k each member sends to the one k ranks after it and receives from the one k
 * before. */
#include "coll/alltoall/alltoall.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__alltoall_own(call, out);
    for (int far = 1; far < call->size && !out->error; far++) {
        h3ou__alltoall_exchange(call, far, out);
        h3ou__schedule_end_round(out);
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    double part = (double)h3ou__cost_all_bytes(call) / call->size;
    h3ou__cost_rounds(cost, call->size - 1, part);
}

const h3ou__algorithm h3ou__alltoall_pairwise = {
    .name = "pairwise", .operation = H3OU__COLL_ALLTOALL, .cost = cost_of, .build = build};
