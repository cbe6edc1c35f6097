/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quantiles of the members' values, exact: of M values in ascending order that with the number h = (M - 1) level,
 * counted from 0, and between two values linear (the seventh definition of R. J. Hyndman and Y. Fan: Sample quantiles
 * in statistical packages, 1996; numpy.quantile's default). NaN where one value is NaN.
 */
#include "coupler/statistic/member_statistic.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "coupler/statistic/unset_value.h"

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile_of(double value[], int members, double level)
{
    double at = (members - 1) * level, whole = floor(at);
    int64_t below = (int64_t)whole;
    qsort(value, (size_t)members, sizeof *value, by_value);
    return at > whole ? value[below] + (at - whole) * (value[below + 1] - value[below]) : value[below];
}

static void select_quantile(const double value[], int members, int64_t n, double level, double room[], double to[],
                            double counted[])
{
    for (int64_t i = 0; i < n; i++) {
        bool has_nan = false;
        int count = 0;
        for (int m = 0; m < members; m++)
            if (!h3ou__is_unset(value[m * n + i])) {
                has_nan = has_nan || isnan(value[m * n + i]);
                room[count++] = value[m * n + i];
            }
        to[i] = count == 0 ? 0.0 : has_nan ? NAN : quantile_of(room, count, level);
        counted[i] = count;
    }
}

const h3ou__member_statistic h3ou__quantile_of_members = {.parts = 0, .select = select_quantile};
