/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall as the pairwise one, with the messages of several distances under way at a time. */
#include "coll/alltoall/alltoall.h"
#include "coll/schedule/cost.h"

enum { AT_ONCE = 4 };

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__alltoall_own(call, out);
    for (int far = 1; far < call->size && !out->error; far++) {
        h3ou__alltoall_exchange(call, far, out);
        if (far % AT_ONCE == 0)
            h3ou__schedule_end_round(out);
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    double part = (double)h3ou__cost_all_bytes(call) / call->size;
    h3ou__cost_rounds(cost, h3ou__cost_serial(call->size - 1, ports < AT_ONCE ? ports : AT_ONCE), part);
}

const h3ou__algorithm h3ou__alltoall_simple_spread = {
    .name = "simple_spread", .operation = H3OU__COLL_ALLTOALL, .cost = cost_of, .build = build};
