/* SPDX-License-Identifier: BSD-3-Clause */
/* Alltoall that spreads in both directions: a round has the messages of three distances to the members after, and of
 * the same to those before, six at a time, which on a torus of three dimensions can take its six links. */
#include "coll/alltoall/alltoall.h"
#include "coll/schedule/cost.h"

enum { AT_ONCE = 3 };

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__alltoall_own(call, out);
    for (int far = 1; far <= call->size / 2 && !out->error; far++) {
        h3ou__alltoall_exchange(call, far, out);
        if (2 * far < call->size)
            h3ou__alltoall_exchange(call, call->size - far, out);
        if (far % AT_ONCE == 0)
            h3ou__schedule_end_round(out);
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    double part = (double)h3ou__cost_all_bytes(call) / call->size;
    h3ou__cost_rounds(cost, h3ou__cost_serial(call->size - 1, ports < 2 * AT_ONCE ? ports : 2 * AT_ONCE), part);
}

const h3ou__algorithm h3ou__alltoall_double_spread = {
    .name = "double_spread", .operation = H3OU__COLL_ALLTOALL, .cost = cost_of, .build = build};
