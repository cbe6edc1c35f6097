/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members as a power of two of folded members, for algorithms that double or halve: of the first pairs of ranks (0, 1),
 * (2, 3), ... as many are folded into one as there are members too many. The even rank acts for both, so that the ranks
 * of a range of folded members are a range.
 */
#ifndef H3OU_COLL_SCHEDULE_FOLDED_MEMBERS_H
#define H3OU_COLL_SCHEDULE_FOLDED_MEMBERS_H

#include "coll/schedule/algorithm.h"

typedef struct h3ou__fold {
    int n;       /* folded members, a power of two */
    int npair;   /* the first of them, that are pairs */
    int me;      /* -1: the even rank acts for me */
    int partner; /* the other rank of my pair, or -1 */
} h3ou__fold;

void h3ou__fold_open(const h3ou__call *call, h3ou__fold *fold);
/* Returns the rank that acts for a folded member, which is also the first of its ranks; of fold->n the number of ranks.
 */
int h3ou__fold_rank(const h3ou__fold *fold, int member);

#endif
