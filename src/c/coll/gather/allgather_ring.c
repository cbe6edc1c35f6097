/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather round the ring of members: each passes on the part that it got in the round before. size - 1 rounds, and so
 * many steps. */
#include "coll/gather/gather.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    int n = call->size, next = (int)(((int64_t)call->me + 1) % n), before = (call->me + n - 1) % n;
    h3ou__part have = h3ou__call_part(call, call->me);
    h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(have.at), h3ou__input(0), have.bytes);
    for (int i = 1; i < n && !out->error; i++) {
        h3ou__part get = h3ou__call_part(call, (call->me - i + n) % n);
        h3ou__schedule_send(out, next, h3ou__output(have.at), have.bytes);
        h3ou__schedule_recv(out, before, h3ou__output(get.at), get.bytes);
        h3ou__schedule_end_round(out);
        have = get;
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    double part = (double)h3ou__cost_all_bytes(call) / call->size;
    (void)ports;
    h3ou__cost_rounds(cost, call->size - 1, part);
}

const h3ou__algorithm h3ou__allgather_ring = {
    .name = "ring", .operation = H3OU__COLL_ALLGATHER, .cost = cost_of, .build = build};
