/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce by recursive doubling: in round k each member exchanges all it has with the one whose number differs in bit
 * k. ceil(log2 size) rounds, and two more if size is no power of two. */
#include "coll/reduce/fold_values.h"
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__fold fold;
    int64_t bytes = h3ou__call_bytes(call);
    h3ou__span value = h3ou__output(0), other = h3ou__schedule_scratch(out, bytes);
    h3ou__fold_open(call, &fold);
    if (h3ou__fold_values(&fold, value, other, bytes, out))
        for (int bit = 1; bit < fold.n; bit *= 2) {
            int peer = h3ou__fold_rank(&fold, fold.me ^ bit);
            h3ou__schedule_send(out, peer, value, bytes);
            h3ou__schedule_recv(out, peer, other, bytes);
            h3ou__schedule_end_round(out);
            h3ou__schedule_local(out, fold.me & bit ? H3OU__STEP_COMBINE_LEFT : H3OU__STEP_COMBINE, value, other,
                                 bytes);
        }
    h3ou__fold_return(&fold, bytes, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    bool is_power = (call->size & (call->size - 1)) == 0;
    (void)ports;
    h3ou__cost_rounds(cost, h3ou__cost_log2(call->size) + !is_power, (double)h3ou__call_bytes(call));
}

const h3ou__algorithm h3ou__allreduce_doubling = {.name = "recursive_doubling",
                                                  .operation = H3OU__COLL_ALLREDUCE,
                                                  .order = H3OU__ORDER_RANKS,
                                                  .cost = cost_of,
                                                  .build = build};
