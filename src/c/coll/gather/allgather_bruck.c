/* SPDX-License-Identifier: BSD-3-Clause */
/* Bruck's allgather: in round k each member sends the parts it has, its own first, to the one 2^k before it. ceil(log2
 * size) rounds for any size. Scratch memory: all parts. */
#include "coll/gather/gather.h"
#include "coll/gather/packed_parts.h"
#include "coll/schedule/cost.h"

static void exchange(const h3ou__call *call, const h3ou__packed_parts *p, h3ou__span parts, h3ou__schedule *out)
{
    int n = call->size;
    for (int far = 1; far < n; far = far <= n / 2 ? 2 * far : n) {
        int more = far < n - far ? far : n - far, to = (call->me - far + n) % n,
            from = (int)(((int64_t)call->me + far) % n);
        int64_t at = h3ou__packed_at(p, far);
        h3ou__schedule_send(out, to, parts, h3ou__packed_at(p, more));
        h3ou__schedule_recv(out, from, h3ou__span_after(parts, at), h3ou__packed_at(p, far + more) - at);
        h3ou__schedule_end_round(out);
    }
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__packed_parts p;
    int err = h3ou__packed_open(call, call->me, &p);
    if (err)
        return out->error = err;
    h3ou__span parts = h3ou__schedule_scratch(out, p.total);
    h3ou__schedule_local(out, H3OU__STEP_COPY, parts, h3ou__input(0), h3ou__packed_at(&p, 1));
    exchange(call, &p, parts, out);
    h3ou__packed_unpack(&p, parts, out);
    h3ou__schedule_end_round(out);
    h3ou__packed_close(&p);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    double part = (double)h3ou__cost_all_bytes(call) / call->size;
    (void)ports;
    cost->messages += h3ou__cost_log2(call->size);
    cost->bytes += part * (call->size - 1);
}

const h3ou__algorithm h3ou__allgather_bruck = {
    .name = "bruck", .operation = H3OU__COLL_ALLGATHER, .cost = cost_of, .build = build};
