/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce round the ring of members: a share of the message for each goes round once, in which each member combines
 * its value with it, and once more, to all. 2 (size - 1) rounds, and so many steps. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    int n = call->size, next = (int)(((int64_t)call->me + 1) % n), before = (call->me + n - 1) % n;
    h3ou__span other = h3ou__schedule_scratch(out, h3ou__call_share(call, 0, n).bytes);
    h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(0), h3ou__input(0), h3ou__call_bytes(call));
    for (int i = 0; i < 2 * (n - 1) && !out->error; i++) {
        bool is_first = i < n - 1; /* time round the ring */
        int have = (int)(((int64_t)call->me + 2 * (int64_t)n - i) % n);
        h3ou__part give = h3ou__call_share(call, have, n), get = h3ou__call_share(call, (have + n - 1) % n, n);
        h3ou__schedule_send(out, next, h3ou__output(give.at), give.bytes);
        h3ou__schedule_recv(out, before, is_first ? other : h3ou__output(get.at), get.bytes);
        h3ou__schedule_end_round(out);
        if (is_first)
            h3ou__schedule_local(out, H3OU__STEP_COMBINE_LEFT, h3ou__output(get.at), other, get.bytes);
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_rounds(cost, 2.0 * (call->size - 1), (double)h3ou__call_bytes(call) / call->size);
}

const h3ou__algorithm h3ou__allreduce_ring = {
    .name = "ring", .operation = H3OU__COLL_ALLREDUCE, .order = H3OU__ORDER_ANY, .cost = cost_of, .build = build};
