/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/interval_statistic.h"

#include <math.h>
#include <string.h>

/* Adds share times value to the sums; a cell with share 0 is left out, so its value may be NaN. */
static void add_shared(h3ou__outgoing *o, double weight)
{
    for (int64_t i = 0; i < o->n && !o->sum_has_share; i++)
        o->share_sum[i] = o->sum_weight; /* earlier puts of the interval, without shares, count fully */
    o->sum_has_share = true;
    for (int64_t k = 0; k < o->nneeded; k++) {
        int64_t i = o->needed[k];
        double share = weight * (o->has_share ? o->share[i] : 1.0);
        if (share <= 0.0)
            continue;
        o->share_sum[i] += share;
        for (int64_t at = i; at < o->values; at += o->n)
            o->sum[at] += share * o->newest[at];
    }
}

static void add_plain(h3ou__outgoing *o, double weight)
{
    if (o->nneeded == o->n)
        for (int64_t i = 0; i < o->values; i++)
            o->sum[i] += weight * o->newest[i];
    else
        for (int64_t start = 0; start < o->values; start += o->n)
            for (int64_t k = 0; k < o->nneeded; k++)
                o->sum[start + o->needed[k]] += weight * o->newest[start + o->needed[k]];
}

/* Begins or continues the count of the puts of an interval, and returns the weight of the newest. Steps of equal length
 * have exactly the weight 1, so that the mean has the same bits as the plain mean of the values. */
static double begin_put(h3ou__outgoing *o, double step)
{
    if (o->nsum == 0) {
        o->sum_step = step;
        o->sum_weight = 0.0;
    }
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
    if (o->has_share || o->sum_has_share)
        add_shared(o, weight);
    else
        add_plain(o, weight);
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

static h3ou__sample newest_value(const h3ou__outgoing *o)
{
    return (h3ou__sample){o->newest, NULL, 1.0, 1.0, o->has_share ? o->share : NULL, 1.0, NULL};
}

static h3ou__sample mean_value(const h3ou__outgoing *o)
{
    const double *shares = o->sum_has_share ? o->share_sum : NULL;
    return (h3ou__sample){o->sum, shares, o->sum_weight, 1.0, shares, o->sum_weight, NULL};
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
    return (h3ou__sample){o->sum, NULL, 1.0, 1.0, o->sum_has_share ? o->share_sum : NULL, o->sum_weight, NULL};
}

/* The sums are 0 before the first put of an interval. */
static h3ou__sample nothing_accumulated(const h3ou__outgoing *o)
{
    h3ou__sample s = newest_value(o);
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
