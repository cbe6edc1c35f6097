/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather in which the root receives from all others at the same time. Memory at the root: a step for each. */
#include "coll/gather/gather.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    if (call->me != call->root)
        h3ou__schedule_send(out, call->root, h3ou__input(0), h3ou__call_bytes(call));
    for (int pass = 0; pass < 2 && call->me == call->root; pass++)
        for (int rank = 0; rank < call->size && !out->error; rank++) {
            h3ou__part part = h3ou__call_part(call, rank);
            if (pass == 0 && rank == call->me)
                h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(part.at), h3ou__input(0), part.bytes);
            else if (pass == 1 && rank != call->me)
                h3ou__schedule_recv(out, rank, h3ou__output(part.at), part.bytes);
        }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__cost_rounds(cost, h3ou__cost_serial(call->size - 1, ports), (double)h3ou__call_bytes(call));
}

const h3ou__algorithm h3ou__gather_linear = {
    .name = "linear", .operation = H3OU__COLL_GATHER, .cost = cost_of, .build = build};
