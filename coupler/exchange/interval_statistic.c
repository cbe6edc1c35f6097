/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/interval_statistic.h"

#include <math.h>
#include <string.h>

#include "coupler/cells/cell_values.h"

/* Returns the number of shares of `count` puts, all of which had the shares `number` and the weight 1, or, with count
 * 0, of these. */
static int64_t number_of_shares(int64_t number, int64_t count)
{
    enum { MOST = 1 << 20 };
    return number > 0 && number < INT64_MAX / MOST && count < MOST ? number * MOST + count : 0;
}

void h3ou__sum_complete_shares(h3ou__outgoing *o)
{
    int64_t number = number_of_shares(o->sum_shares, o->nsum);
    if (o->share_puts == 0)
        return;
    if (number == 0 || number != o->share_sum_number)
        h3ou__cells_add_times(o->n, o->share, o->share_puts, o->share_puts == o->nsum, o->share_sum);
    o->share_sum_number = number;
    o->share_puts = 0;
}

/* Begins the sums of the shares of an interval: earlier puts of it, without shares, count fully. */
static void begin_shares(h3ou__outgoing *o)
{
    if (o->sum_has_share)
        return;
    for (int64_t i = 0; i < o->n; i++)
        o->share_sum[i] = o->sum_weight;
    o->sum_has_share = true;
    o->share_sum_number = 0;
}

/* Adds the shares to their sums, which are counted from the first put with shares on. Those that all puts of the
 * interval have had are added when their sums are needed (h3ou__sum_complete_shares). */
static void add_shares(h3ou__outgoing *o, double weight)
{
    if (!o->has_share && (!o->sum_has_share || o->nsum == 0))
        return;
    if (o->nsum > 0)
        begin_shares(o);
    o->sum_has_share = true;
    if (o->sum_shares > 0) {
        o->share_puts++;
        return;
    }
    o->share_sum_number = 0;
    if (o->has_share)
        h3ou__cells_add(o->n, weight, o->share, o->share_sum);
    for (int64_t i = 0; i < o->n && !o->has_share; i++)
        o->share_sum[i] += weight;
}

/* Takes note of a put of so many seconds, and returns its weight. Steps of equal length have exactly the weight 1, so
 * that the mean has the same bits as the plain mean of the values. */
static double begin_put(h3ou__outgoing *o, double step)
{
    if (o->nsum == 0) {
        o->sum_step = step;
        o->sum_weight = 0.0;
        o->sum_shares = o->has_share ? o->share_number : 0;
    }
    if (!o->has_share || o->share_number != o->sum_shares || step != o->sum_step) {
        h3ou__sum_complete_shares(o);
        o->sum_shares = 0;
    }
    return step / o->sum_step;
}

static void end_put(h3ou__outgoing *o, double weight)
{
    o->sum_weight += weight;
    o->nsum++;
}

h3ou__summing h3ou__sum_begin(h3ou__outgoing *o, double step)
{
    const h3ou__statistic *statistic = &h3ou__statistics[o->var->flag];
    enum h3ou__sum_action action = o->nsum == 0 ? statistic->first : statistic->next;
    return (h3ou__summing){
        .missing = NAN, .weight = begin_put(o, step), .action = action, .uncounted = statistic->uncounted};
}

void h3ou__sum_end(h3ou__outgoing *o, double weight)
{
    add_shares(o, weight);
    end_put(o, weight);
}

void h3ou__sum_newest(h3ou__outgoing *o, double step)
{
    h3ou__summing s = h3ou__sum_begin(o, step);
    for (int64_t start = 0; start < o->values; start += o->n)
        h3ou__sum_cells(
            &s, o->n,
            &(h3ou__summed){o->newest + start, o->has_share ? o->share : NULL, o->has_sum, NULL, o->sum + start});
    h3ou__sum_end(o, s.weight);
}

static h3ou__sample newest_value(h3ou__outgoing *o)
{
    return (h3ou__sample){.value = o->newest,
                          .scale = 1.0,
                          .times = 1.0,
                          .share = o->has_share ? o->share : NULL,
                          .share_scale = 1.0,
                          .is_clear = true,
                          .share_number = number_of_shares(o->share_number, 0)};
}

static h3ou__sample mean_value(h3ou__outgoing *o)
{
    h3ou__sum_complete_shares(o);
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
static h3ou__sample accumulated_value(h3ou__outgoing *o)
{
    h3ou__sample s = mean_value(o);
    s.times = o->sum_weight * o->sum_step;
    return s;
}

static h3ou__sample extreme_value(h3ou__outgoing *o)
{
    h3ou__sum_complete_shares(o);
    return (h3ou__sample){.value = o->sum,
                          .scale = 1.0,
                          .times = 1.0,
                          .share = o->sum_has_share ? o->share_sum : NULL,
                          .share_scale = o->sum_weight,
                          .share_number = number_of_shares(o->sum_shares, o->nsum)};
}

/* The sums of an interval without a put are 0. */
static h3ou__sample nothing_accumulated(h3ou__outgoing *o)
{
    h3ou__sample s = newest_value(o);
    memset(o->sum, 0, sizeof *o->sum * (size_t)o->values);
    s.value = o->sum;
    return s;
}

const h3ou__statistic h3ou__statistics[H3OU__NFLAG] = {
    [H3OU__FLAG_SNP] = {H3OU__SUM_NONE, H3OU__SUM_NONE, 0.0, newest_value, newest_value},
    [H3OU__FLAG_AVR] = {H3OU__SUM_BEGIN, H3OU__SUM_ADD, 0.0, mean_value, newest_value},
    [H3OU__FLAG_ACC] = {H3OU__SUM_BEGIN, H3OU__SUM_ADD, 0.0, accumulated_value, nothing_accumulated},
    [H3OU__FLAG_MIN] = {H3OU__SUM_SET, H3OU__SUM_LEAST, INFINITY, extreme_value, newest_value},
    [H3OU__FLAG_MAX] = {H3OU__SUM_SET, H3OU__SUM_MOST, -INFINITY, extreme_value, newest_value},
    /* The receiver interpolates. */
    [H3OU__FLAG_INT] = {H3OU__SUM_NONE, H3OU__SUM_NONE, 0.0, newest_value, newest_value},
};
