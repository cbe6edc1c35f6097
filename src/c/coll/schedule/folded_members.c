/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule/folded_members.h"

void h3ou__fold_open(const h3ou__call *call, h3ou__fold *fold)
{
    int n = 1;
    while (n <= call->size / 2)
        n *= 2;
    *fold = (h3ou__fold){.n = n, .npair = call->size - n, .partner = -1};
    if (call->me >= 2 * fold->npair) {
        fold->me = call->me - fold->npair;
    } else {
        fold->me = call->me % 2 ? -1 : call->me / 2;
        fold->partner = call->me ^ 1;
    }
}

int h3ou__fold_rank(const h3ou__fold *fold, int member)
{
    return member < fold->npair ? 2 * member : member + fold->npair;
}
