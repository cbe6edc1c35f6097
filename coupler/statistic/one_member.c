/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of one member, which alone counts: they travel along the tree as they are. */
#include "coupler/statistic/member_statistic.h"

#include <stddef.h>

static void keep(const h3ou__partial *mine, int64_t n)
{
    (void)mine;
    (void)n;
}

/* Is not called: a second member that counts would have to be another one. */
static void replace(const h3ou__partial *mine, const h3ou__partial *theirs, const int32_t cell[], int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        mine->part[0][cell ? cell[i] : i] = theirs->part[0][i];
}

const h3ou__member_statistic h3ou__one_of_members = {1, keep, replace, keep, NULL};
