/* SPDX-License-Identifier: BSD-3-Clause */
/* A branch of the binomial tree of gather and scatter: the members at `n` places from mine on, counted from the root.
 * The scratch buffer holds their parts, in that order. */
#ifndef H3OU_COLL_GATHER_BRANCH_H
#define H3OU_COLL_GATHER_BRANCH_H

#include "coll/schedule/tree.h"

typedef struct h3ou__branch {
    h3ou__tree tree;
    int place, n;
    int child_place[31], nchild_part[31]; /* of each child: its place, and how many members its branch has */
    int64_t part;                         /* bytes of a part */
} h3ou__branch;

void h3ou__branch_open(const h3ou__call *call, h3ou__branch *branch);
/* Copies all parts at the root from the scratch buffer, where they stand by place, to a buffer in which they stand by
 * rank, or the other way. */
void h3ou__branch_turn(const h3ou__call *call, const h3ou__branch *branch, h3ou__span scratch, h3ou__span ranks,
                       bool is_to_ranks, h3ou__schedule *out);

#endif
