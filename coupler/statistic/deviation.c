/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Standard deviations. A part of the tree is described by its weighted sum and by M2, the weighted sum of the squared
 * differences from its mean. Two parts with the weights a and b and the means x and y have together the M2
 *
 *     M2(a) + M2(b) + (y - x)^2 a b / (a + b)
 *
 * (T. F. Chan, G. H. Golub, R. J. LeVeque: Updating formulae and a pairwise algorithm for computing sample variances,
 * 1979), which loses no digits when the mean is large.
 */
#include "coupler/statistic/member_statistic.h"

#include <math.h>

static void begin_squares(const h3ou__partial *mine, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        mine->part[0][i] *= h3ou__partial_weight(mine, i);
        mine->part[1][i] = isnan(mine->part[0][i]) ? mine->part[0][i] : 0.0;
    }
}

static void add_squares(const h3ou__partial *mine, const h3ou__partial *theirs, const int32_t cell[], int64_t count)
{
    double *sum = mine->part[0], *squares = mine->part[1];
    for (int64_t i = 0; i < count; i++) {
        int64_t at = cell ? cell[i] : i;
        double a = h3ou__partial_weight(mine, at), b = h3ou__partial_weight(theirs, i);
        if (b <= 0.0)
            continue;
        double difference = a > 0.0 ? theirs->part[0][i] / b - sum[at] / a : 0.0;
        squares[at] += theirs->part[1][i] + difference * difference * (a * b / (a + b));
        sum[at] += theirs->part[0][i];
    }
}

/* Of all members: M2 / sum w, as numpy.std(ddof=0). */
static void finish_deviation(const h3ou__partial *all, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double weight = h3ou__partial_weight(all, i);
        all->part[0][i] = weight > 0.0 ? sqrt(all->part[1][i] / weight) : 0.0;
    }
}

/* Estimated from members that are a sample: M2 / (sum w - sum w^2 / sum w), which without shares divides by the number
 * of members less 1, as numpy.std(ddof=1). 0 (or NaN) where one member alone counts. */
static void finish_deviation1(const h3ou__partial *all, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double weight = h3ou__partial_weight(all, i), square = h3ou__partial_square(all, i);
        double freedom = weight > 0.0 ? weight - square / weight : 0.0;
        all->part[0][i] = freedom > 1e-12 * weight ? sqrt(all->part[1][i] / freedom) : all->part[1][i];
    }
}

const h3ou__member_statistic h3ou__deviation_of_members = {2, begin_squares, add_squares, finish_deviation, NULL};
const h3ou__member_statistic h3ou__deviation1_of_members = {2, begin_squares, add_squares, finish_deviation1, NULL};
