/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan by recursive doubling: in round k each member sends what it has to the one 2^k after it. ceil(log2 size) rounds.
 */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    int64_t bytes = h3ou__call_bytes(call);
    h3ou__span value = h3ou__output(0), other = h3ou__schedule_scratch(out, bytes);
    h3ou__schedule_local(out, H3OU__STEP_COPY, value, h3ou__input(0), bytes);
    for (int64_t far = 1; far < call->size; far *= 2) {
        if (call->me + far < call->size)
            h3ou__schedule_send(out, (int)(call->me + far), value, bytes);
        if (call->me >= far)
            h3ou__schedule_recv(out, (int)(call->me - far), other, bytes);
        h3ou__schedule_end_round(out);
        if (call->me >= far)
            h3ou__schedule_local(out, H3OU__STEP_COMBINE_LEFT, value, other, bytes);
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_rounds(cost, h3ou__cost_log2(call->size), (double)h3ou__call_bytes(call));
}

const h3ou__algorithm h3ou__scan_doubling = {.name = "recursive_doubling",
                                             .operation = H3OU__COLL_SCAN,
                                             .order = H3OU__ORDER_RANKS,
                                             .cost = cost_of,
                                             .build = build};
