/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast in which the root sends to every other member, all at the same time. Memory at the root: a step for each.
 */
#include "coll/bcast/bcast.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    int64_t bytes = h3ou__call_bytes(call);
    if (call->me != call->root)
        h3ou__schedule_recv(out, call->root, h3ou__output(0), bytes);
    for (int place = 1; call->me == call->root && place < call->size && !out->error; place++)
        h3ou__schedule_send(out, h3ou__call_member(call, place), h3ou__output(0), bytes);
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__cost_rounds(cost, h3ou__cost_serial(call->size - 1, ports), (double)h3ou__call_bytes(call));
}

const h3ou__algorithm h3ou__bcast_linear = {
    .name = "linear", .operation = H3OU__COLL_BCAST, .cost = cost_of, .build = build};
