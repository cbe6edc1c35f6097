/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather in which each sends its part to each other member, all at the same time. Memory: two steps for each. */
#include "coll/gather/gather.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__part mine = h3ou__call_part(call, call->me);
    h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(mine.at), h3ou__input(0), mine.bytes);
    for (int i = 1; i < call->size && !out->error; i++) {
        int from = (call->me - i + call->size) % call->size;
        h3ou__part part = h3ou__call_part(call, from);
        h3ou__schedule_send(out, (int)(((int64_t)call->me + i) % call->size), h3ou__input(0), mine.bytes);
        h3ou__schedule_recv(out, from, h3ou__output(part.at), part.bytes);
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    double part = (double)h3ou__cost_all_bytes(call) / call->size;
    h3ou__cost_rounds(cost, h3ou__cost_serial(call->size - 1, ports), part);
}

const h3ou__algorithm h3ou__allgather_linear = {
    .name = "linear", .operation = H3OU__COLL_ALLGATHER, .cost = cost_of, .build = build};
