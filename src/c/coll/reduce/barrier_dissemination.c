/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier of ceil(log2 size) rounds: in round k each member tells the one 2^k after it, and hears from the one 2^k
 * before. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    for (int64_t far = 1; far < call->size; far *= 2) {
        h3ou__schedule_send(out, (int)((call->me + far) % call->size), h3ou__output(0), 0);
        h3ou__schedule_recv(out, (int)((call->me - far + call->size) % call->size), h3ou__output(0), 0);
        h3ou__schedule_end_round(out);
    }
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_rounds(cost, h3ou__cost_log2(call->size), 0);
}

const h3ou__algorithm h3ou__barrier_dissemination = {
    .name = "dissemination", .operation = H3OU__COLL_BARRIER, .cost = cost_of, .build = build};
