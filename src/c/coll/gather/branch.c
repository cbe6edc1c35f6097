/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/gather/branch.h"

void h3ou__branch_open(const h3ou__call *call, h3ou__branch *branch)
{
    int place = h3ou__call_place(call), end;
    int64_t bit = 1;
    *branch = (h3ou__branch){.place = place, .part = h3ou__call_bytes(call)};
    h3ou__tree_binomial(call, &branch->tree);
    while (bit < call->size && !(place & bit))
        bit *= 2;
    end = place + bit < call->size ? (int)(place + bit) : call->size;
    branch->n = end - place;
    for (int i = 0; i < branch->tree.nchild; i++) {
        branch->child_place[i] = (branch->tree.child[i] - call->root + call->size) % call->size;
        branch->nchild_part[i] = end - branch->child_place[i]; /* children stand in descending order */
        end = branch->child_place[i];
    }
}

void h3ou__branch_turn(const h3ou__call *call, const h3ou__branch *branch, h3ou__span scratch, h3ou__span ranks,
                       bool is_to_ranks, h3ou__schedule *out)
{
    int64_t low = call->root * branch->part,
            high = (call->size - call->root) * branch->part; /* bytes before the root, and the rest */
    h3ou__span from_root = h3ou__span_after(ranks, low), wrapped = h3ou__span_after(scratch, high);
    h3ou__schedule_local(out, H3OU__STEP_COPY, is_to_ranks ? from_root : scratch, is_to_ranks ? scratch : from_root,
                         high);
    h3ou__schedule_local(out, H3OU__STEP_COPY, is_to_ranks ? ranks : wrapped, is_to_ranks ? wrapped : ranks, low);
}
