/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce_scatter round the ring of members: each part begins at the member after its own, and all combine their value
 * with it on its way there. size - 1 rounds, and so many steps. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

static int64_t find_largest(const h3ou__call *call)
{
    int64_t most = call->counts ? 0 : call->count;
    for (int i = 0; call->counts && i < call->size; i++)
        most = call->counts[i] > most ? call->counts[i] : most;
    return most * call->element;
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    int n = call->size, next = (int)(((int64_t)call->me + 1) % n), before = (call->me + n - 1) % n;
    h3ou__part part = h3ou__call_part(call, before); /* the one that I send next */
    h3ou__span slot[2], have = h3ou__input(part.at);
    for (int i = 0; i < 2; i++)
        slot[i] = h3ou__schedule_scratch(out, find_largest(call));
    for (int i = 0; i < n - 1 && !out->error; i++) {
        bool is_mine = i == n - 2;
        h3ou__part get = h3ou__call_part(call, (int)(((int64_t)call->me + 2 * (int64_t)n - 2 - i) % n));
        h3ou__span to = is_mine ? h3ou__output(0) : slot[i % 2];
        h3ou__schedule_send(out, next, have, part.bytes);
        h3ou__schedule_recv(out, before, to, get.bytes);
        h3ou__schedule_end_round(out);
        h3ou__schedule_local(out, H3OU__STEP_COMBINE, to, h3ou__input(get.at), get.bytes);
        part = get;
        have = to;
    }
    if (n == 1)
        h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(0), h3ou__input(0), part.bytes);
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_rounds(cost, call->size - 1, (double)h3ou__cost_all_bytes(call) / call->size);
}

const h3ou__algorithm h3ou__reduce_scatter_ring = {
    .name = "ring", .operation = H3OU__COLL_REDUCE_SCATTER, .order = H3OU__ORDER_ANY, .cost = cost_of, .build = build};
