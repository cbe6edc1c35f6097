/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce_scatter in the order of ranks: in round k member k sends each other member its part, and these combine it. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__part mine = h3ou__call_part(call, call->me);
    h3ou__span other = h3ou__schedule_scratch(out, mine.bytes);
    for (int from = 0; from < call->size && !out->error; from++) {
        for (int to = 0; from == call->me && to < call->size; to++)
            if (to != call->me) {
                h3ou__part theirs = h3ou__call_part(call, to);
                h3ou__schedule_send(out, to, h3ou__input(theirs.at), theirs.bytes);
            }
        if (from != call->me)
            h3ou__schedule_recv(out, from, other, mine.bytes);
        h3ou__schedule_end_round(out);
        h3ou__schedule_local(out, from == 0 ? H3OU__STEP_COPY : H3OU__STEP_COMBINE, h3ou__output(0),
                             from == call->me ? h3ou__input(mine.at) : other, mine.bytes);
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    double bytes = (double)h3ou__cost_all_bytes(call) / call->size;
    /* While a member sends, those that have its part go on to the next round. */
    h3ou__cost_rounds(cost, (call->size + 2) / 2.0 * h3ou__cost_serial(call->size - 1, ports), bytes);
}

const h3ou__algorithm h3ou__reduce_scatter_linear = {.name = "linear",
                                                     .operation = H3OU__COLL_REDUCE_SCATTER,
                                                     .order = H3OU__ORDER_SERIAL,
                                                     .cost = cost_of,
                                                     .build = build};
