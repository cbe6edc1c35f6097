/* SPDX-License-Identifier: BSD-3-Clause */
/* The least and the largest value of the members that count in a cell, whatever their share. */
#include "coupler/statistic/member_statistic.h"

#include <math.h>

static void begin_extreme(const h3ou__partial *mine, int64_t n, double beyond)
{
    for (int64_t i = 0; i < n; i++)
        if (h3ou__partial_weight(mine, i) <= 0.0)
            mine->part[0][i] = beyond;
}

static void begin_minimum(const h3ou__partial *mine, int64_t n)
{
    begin_extreme(mine, n, INFINITY);
}

static void begin_maximum(const h3ou__partial *mine, int64_t n)
{
    begin_extreme(mine, n, -INFINITY);
}

/* isless and isgreater are false for NaN, and raise no floating-point exception as < and > do. */
static void add_minimum(const h3ou__partial *mine, const h3ou__partial *theirs, const int32_t cell[], int64_t count)
{
    const double *value = theirs->part[0];
    for (int64_t i = 0; i < count; i++) {
        double *mine_here = mine->part[0] + (cell ? cell[i] : i);
        if (isnan(value[i]) || isless(value[i], *mine_here))
            *mine_here = value[i];
    }
}

static void add_maximum(const h3ou__partial *mine, const h3ou__partial *theirs, const int32_t cell[], int64_t count)
{
    const double *value = theirs->part[0];
    for (int64_t i = 0; i < count; i++) {
        double *mine_here = mine->part[0] + (cell ? cell[i] : i);
        if (isnan(value[i]) || isgreater(value[i], *mine_here))
            *mine_here = value[i];
    }
}

static void finish_extreme(const h3ou__partial *all, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (h3ou__partial_weight(all, i) <= 0.0)
            all->part[0][i] = 0.0;
}

const h3ou__member_statistic h3ou__minimum_of_members = {1, begin_minimum, add_minimum, finish_extreme, NULL};
const h3ou__member_statistic h3ou__maximum_of_members = {1, begin_maximum, add_maximum, finish_extreme, NULL};
