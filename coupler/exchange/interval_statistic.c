/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/interval_statistic.h"

#include <math.h>
#include <string.h>

#include "coupler/cells/cell_values.h"

/* Adds values, each with weight or, with shares, weight times share, to their sums. */
static void add_values(const h3ou__outgoing *o, double weight, int64_t count, const double share[],
                       const double value[], double sum[])
{
    if (o->nsum == 0 && o->has_share)
        h3ou__cells_begin_shared_sum(count, weight, share, value, sum);
    else if (o->nsum == 0)
        h3ou__cells_begin_sum(count, weight, value, sum);
    else if (o->has_share)
        h3ou__cells_add_shared(count, weight, share, value, sum);
    else
        h3ou__cells_add(count, weight, value, sum);
}

enum { SOME = 64 }; /* cells that are added together where they do not follow one another */

/* The same of cells at[0] to at[count - 1], where value and sum are those of a row from cell 0 on. */
static void add_scattered(const h3ou__outgoing *o, double weight, int64_t count, const int32_t at[],
                          const double value[], double sum[])
{
    double share_of[SOME] = {0}, value_of[SOME] = {0}, sum_of[SOME] = {0};
    for (int64_t i = 0; i < count; i++) {
        share_of[i] = o->has_share ? o->share[at[i]] : 1.0;
        value_of[i] = value[at[i]];
        sum_of[i] = sum[at[i]];
    }
    add_values(o, weight, count, share_of, value_of, sum_of);
    for (int64_t i = 0; i < count; i++)
        sum[at[i]] = sum_of[i];
}

/* Returns the number of cells that some receiver needs before this one. */
static int64_t count_needed_before(const h3ou__outgoing *o, int64_t cell)
{
    int64_t low = 0, high = o->nneeded;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (o->needed[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void h3ou__sum_add(const h3ou__outgoing *o, double weight, int64_t start, int64_t first, int64_t count)
{
    const double *row = o->newest + start;
    double *sum = o->sum + start;
    int64_t end = count_needed_before(o, first + count), some;
    for (int64_t k = count_needed_before(o, first); k < end; k += some) {
        const int32_t *at = o->needed + k;
        int64_t run = h3ou__run_length(at, end - k);
        if (run > 0)
            add_values(o, weight, run, o->share + *at, row + *at, sum + *at);
        some = run > 0 ? run : end - k < SOME ? end - k : SOME;
        if (run == 0)
            add_scattered(o, weight, some, at, row, sum);
    }
}

int64_t h3ou__sum_run(const h3ou__outgoing *o, int64_t cell, int64_t count)
{
    if (o->nneeded == o->n)
        return count;
    int64_t k = count_needed_before(o, cell), left = o->nneeded - k;
    if (left == 0 || o->needed[k] != cell)
        return 0;
    return h3ou__run_length(o->needed + k, left < count ? left : count);
}

/* Adds the shares to their sums, which are counted from the first put with shares on. */
static void add_shares(h3ou__outgoing *o, double weight)
{
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

/* Steps of equal length have exactly the weight 1, so that the mean has the same bits as the plain mean of the values.
 */
double h3ou__sum_begin(h3ou__outgoing *o, double step)
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

void h3ou__sum_end(h3ou__outgoing *o, double weight)
{
    add_shares(o, weight);
    end_put(o, weight);
}

static void add_to_mean(h3ou__outgoing *o, double step)
{
    double weight = h3ou__sum_begin(o, step);
    for (int64_t start = 0; start < o->values; start += o->n)
        h3ou__sum_add(o, weight, start, 0, o->n);
    h3ou__sum_end(o, weight);
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
    double weight = h3ou__sum_begin(o, step);
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
    [H3OU__FLAG_SNP] = {NULL, false, newest_value, newest_value},
    [H3OU__FLAG_AVR] = {add_to_mean, true, mean_value, newest_value},
    [H3OU__FLAG_ACC] = {add_to_mean, true, accumulated_value, nothing_accumulated},
    [H3OU__FLAG_MIN] = {add_to_least, false, extreme_value, newest_value},
    [H3OU__FLAG_MAX] = {add_to_most, false, extreme_value, newest_value},
    [H3OU__FLAG_INT] = {NULL, false, newest_value, newest_value}, /* the receiver interpolates */
};
