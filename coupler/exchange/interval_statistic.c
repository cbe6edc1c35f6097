/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/interval_statistic.h"

#include <math.h>
#include <string.h>

#include "coupler/cells/cell_values.h"

/* Adds `count` values of a row, from cell `first` on, each with weight or, with shares, weight times share, to the sum
 * of the row. */
static void add_run(const h3ou__outgoing *o, double weight, int64_t first, int64_t count, const double *row,
                    double *sum)
{
    const double *share = o->has_share ? o->share + first : NULL;
    row += first;
    sum += first;
    if (o->nsum == 0 && share)
        h3ou__cells_begin_shared_sum(count, weight, share, row, sum);
    else if (o->nsum == 0)
        h3ou__cells_begin_sum(count, weight, row, sum);
    else if (share)
        h3ou__cells_add_shared(count, weight, share, row, sum);
    else
        h3ou__cells_add(count, weight, row, sum);
}

/* The same of the cells of a row that some receiver needs. */
static void add_needed(const h3ou__outgoing *o, double weight, const double *row, double *sum)
{
    enum { SOME = 64 };
    int64_t most = o->nneeded == o->n ? o->n : SOME;
    for (int64_t k = 0, count; k < o->nneeded; k += count) {
        const int64_t *at = o->needed + k;
        count = o->nneeded - k < most ? o->nneeded - k : most;
        bool is_run = at[count - 1] - at[0] == count - 1;
        for (int64_t i = 0; i < (is_run ? 1 : count); i++)
            add_run(o, weight, at[i], is_run ? count : 1, row, sum);
    }
}

/* Adds share times value to the sums, and the shares to theirs. These are counted from the first put with shares on. */
static void add_to_sums(h3ou__outgoing *o, double weight)
{
    for (int64_t start = 0; start < o->values; start += o->n)
        add_needed(o, weight, o->newest + start, o->sum + start);
    if (!o->has_share && (!o->sum_has_share || o->nsum == 0))
        return;
    for (int64_t i = 0; i < o->n && !o->sum_has_share && o->nsum > 0; i++)
        o->share_sum[i] = o->sum_weight; /* earlier puts of the interval, without shares, count fully */
    o->sum_has_share = true;
    if (o->nsum == 0)
        h3ou__cells_begin_sum(o->n, weight, o->share, o->share_sum);
    else if (o->has_share)
        h3ou__cells_add(o->n, weight, o->share, o->share_sum);
    for (int64_t i = 0; i < o->n && !o->has_share; i++)
        o->share_sum[i] += weight;
}

/* Begins or continues the count of the puts of an interval, and returns the weight of the newest. Steps of equal length
 * have exactly the weight 1, so that the mean has the same bits as the plain mean of the values. */
static double begin_put(h3ou__outgoing *o, double step)
{
    if (o->nsum == 0) {
        o->sum_step = step;
        o->sum_weight = 0.0;
        o->sum_shares = o->has_share ? o->share_number : 0;
    }
    if (!o->has_share || o->share_number != o->sum_shares || step != o->sum_step)
        o->sum_shares = 0;
    return step / o->sum_step;
}

static void end_put(h3ou__outgoing *o, double weight)
{
    o->sum_weight += weight;
    o->nsum++;
}

static void add_to_mean(h3ou__outgoing *o, double step)
{
    double weight = begin_put(o, step);
    add_to_sums(o, weight);
    end_put(o, weight);
}

/* Returns whether the value replaces the extreme so far: it is beyond it, or NaN, so that a missing value stays one. The
 * comparisons of isless and isgreater raise no exception for a NaN. */
static bool is_beyond(double value, double extreme, bool smallest)
{
    return isnan(value) || (smallest ? isless(value, extreme) : isgreater(value, extreme));
}

/* Keeps the extreme of each cell in o->sum. A put in which a cell has share 0 does not count for it. */
static void add_to_extreme(h3ou__outgoing *o, double step, bool smallest)
{
    if (o->nsum == 0)
        memset(o->share_sum, 0, sizeof *o->share_sum * (size_t)o->n);
    double weight = begin_put(o, step);
    for (int64_t k = 0; k < o->nneeded; k++) {
        int64_t i = o->needed[k];
        double share = o->has_share ? o->share[i] : 1.0;
        bool is_first = o->share_sum[i] <= 0.0;
        for (int64_t at = i; at < o->values && share > 0.0; at += o->n)
            if (is_first || is_beyond(o->newest[at], o->sum[at], smallest))
                o->sum[at] = o->newest[at];
        o->share_sum[i] += weight * share;
    }
    o->sum_has_share = o->sum_has_share || o->has_share;
    end_put(o, weight);
}

static void add_to_least(h3ou__outgoing *o, double step)
{
    add_to_extreme(o, step, true);
}

static void add_to_most(h3ou__outgoing *o, double step)
{
    add_to_extreme(o, step, false);
}

/* Returns the number of shares of `count` puts, all of which had the shares `number` and the weight 1, or, with count
 * 0, of these. */
static int64_t number_of_shares(int64_t number, int64_t count)
{
    enum { MOST = 1 << 20 };
    return number > 0 && number < INT64_MAX / MOST && count < MOST ? number * MOST + count : 0;
}

static h3ou__sample newest_value(const h3ou__outgoing *o)
{
    return (h3ou__sample){.value = o->newest,
                          .scale = 1.0,
                          .times = 1.0,
                          .share = o->has_share ? o->share : NULL,
                          .share_scale = 1.0,
                          .is_clear = true,
                          .share_number = number_of_shares(o->share_number, 0)};
}

static h3ou__sample mean_value(const h3ou__outgoing *o)
{
    const double *shares = o->sum_has_share ? o->share_sum : NULL;
    return (h3ou__sample){.value = o->sum,
                          .weight = shares,
                          .scale = o->sum_weight,
                          .times = 1.0,
                          .share = shares,
                          .share_scale = o->sum_weight,
                          .is_clear = true,
                          .share_number = number_of_shares(o->sum_shares, o->nsum)};
}

/* The sum over time is the mean times the length of all steps; the shares are those of the mean, so that share times
 * value is what the cell received. */
static h3ou__sample accumulated_value(const h3ou__outgoing *o)
{
    h3ou__sample s = mean_value(o);
    s.times = o->sum_weight * o->sum_step;
    return s;
}

static h3ou__sample extreme_value(const h3ou__outgoing *o)
{
    return (h3ou__sample){.value = o->sum,
                          .scale = 1.0,
                          .times = 1.0,
                          .share = o->sum_has_share ? o->share_sum : NULL,
                          .share_scale = o->sum_weight,
                          .share_number = number_of_shares(o->sum_shares, o->nsum)};
}

/* The sums of an interval without a put are 0. */
static h3ou__sample nothing_accumulated(const h3ou__outgoing *o)
{
    h3ou__sample s = newest_value(o);
    memset(o->sum, 0, sizeof *o->sum * (size_t)o->values);
    s.value = o->sum;
    return s;
}

const h3ou__statistic h3ou__statistics[H3OU__NFLAG] = {
    [H3OU__FLAG_SNP] = {NULL, newest_value, newest_value},
    [H3OU__FLAG_AVR] = {add_to_mean, mean_value, newest_value},
    [H3OU__FLAG_ACC] = {add_to_mean, accumulated_value, nothing_accumulated},
    [H3OU__FLAG_MIN] = {add_to_least, extreme_value, newest_value},
    [H3OU__FLAG_MAX] = {add_to_most, extreme_value, newest_value},
    [H3OU__FLAG_INT] = {NULL, newest_value, newest_value}, /* the receiver interpolates */
};
