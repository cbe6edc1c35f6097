/* SPDX-License-Identifier: BSD-3-Clause */
/* The mean over the members: sum w x / sum w. */
#include "coupler/statistic/member_statistic.h"

#include <stddef.h>

static void begin_sum(const h3ou__partial *mine, int64_t n)
{
    for (int64_t i = 0; i < n && mine->weight; i++)
        mine->part[0][i] *= mine->weight[i];
}

static void add_sum(const h3ou__partial *mine, const h3ou__partial *theirs, const int32_t cell[], int64_t count)
{
    double *restrict sum = mine->part[0];
    const double *restrict more = theirs->part[0];
    for (int64_t i = 0; i < count && !cell; i++)
        sum[i] += more[i];
    for (int64_t i = 0; i < count && cell; i++)
        sum[cell[i]] += more[i];
}

static void divide_sum(const h3ou__partial *all, int64_t n)
{
    double *sum = all->part[0], members = all->members;
    for (int64_t i = 0; i < n && !all->weight; i++)
        sum[i] = members > 0.0 ? sum[i] / members : 0.0;
    for (int64_t i = 0; i < n && all->weight; i++) {
        double weight = all->weight[i];
        sum[i] = weight > 0.0 ? sum[i] / weight : 0.0;
    }
}

const h3ou__member_statistic h3ou__mean_of_members = {1, begin_sum, add_sum, divide_sum, NULL};
