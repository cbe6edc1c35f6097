/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction in which the root receives the others' values one after the other, and combines all in the order of ranks.
 */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

/* Adds the value of a member, which lies at `from`, to what the root has. */
static void combine_next(const h3ou__call *call, int rank, h3ou__span from, h3ou__schedule *out)
{
    h3ou__schedule_local(out, rank == 0 ? H3OU__STEP_COPY : H3OU__STEP_COMBINE, h3ou__output(0), from,
                         h3ou__call_bytes(call));
}

/* Adds the root's rounds: each receives a value, and begins with combining the one before. */
static void build_root(const h3ou__call *call, h3ou__schedule *out)
{
    int64_t bytes = h3ou__call_bytes(call);
    h3ou__span slot = h3ou__schedule_scratch(out, bytes);
    for (int rank = 0; rank < call->size && !out->error; rank++) {
        if (rank != call->root) {
            h3ou__schedule_recv(out, rank, slot, bytes);
            h3ou__schedule_end_round(out);
        }
        combine_next(call, rank, rank == call->root ? h3ou__input(0) : slot, out);
    }
    h3ou__schedule_end_round(out);
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    if (call->me == call->root)
        build_root(call, out);
    else
        h3ou__schedule_send(out, call->root, h3ou__input(0), h3ou__call_bytes(call));
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_rounds(cost, call->size - 1, (double)h3ou__call_bytes(call));
}

const h3ou__algorithm h3ou__reduce_linear = {
    .name = "linear", .operation = H3OU__COLL_REDUCE, .order = H3OU__ORDER_SERIAL, .cost = cost_of, .build = build};
