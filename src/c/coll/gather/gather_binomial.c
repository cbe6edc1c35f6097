/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather of equal parts up a binomial tree. Scratch memory: the parts of my branch; at the root, all. */
#include "coll/gather/branch.h"
#include "coll/gather/gather.h"
#include "coll/schedule/cost.h"

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__branch branch;
    h3ou__branch_open(call, &branch);
    if (branch.n == 1 && branch.tree.parent >= 0) {
        h3ou__schedule_send(out, branch.tree.parent, h3ou__input(0), branch.part);
        h3ou__schedule_end_round(out);
        return out->error;
    }
    h3ou__span scratch = h3ou__schedule_scratch(out, branch.n * branch.part);
    h3ou__schedule_local(out, H3OU__STEP_COPY, scratch, h3ou__input(0), branch.part);
    for (int i = 0; i < branch.tree.nchild; i++)
        h3ou__schedule_recv(out, branch.tree.child[i],
                            h3ou__span_after(scratch, (branch.child_place[i] - branch.place) * branch.part),
                            branch.nchild_part[i] * branch.part);
    h3ou__schedule_end_round(out);
    if (branch.tree.parent >= 0)
        h3ou__schedule_send(out, branch.tree.parent, scratch, branch.n * branch.part);
    else
        h3ou__branch_turn(call, &branch, scratch, h3ou__output(0), true, out);
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    cost->messages += h3ou__cost_log2(call->size);
    cost->bytes += (double)h3ou__call_bytes(call) * (call->size - 1);
}

const h3ou__algorithm h3ou__gather_binomial = {
    .name = "binomial", .operation = H3OU__COLL_GATHER, .are_parts_equal = true, .cost = cost_of, .build = build};
