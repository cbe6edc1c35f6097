/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/interval_statistic.h"

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

/* Adds the newest value to the mean. Steps of equal length have exactly the weight 1, so that the mean has the same
 * bits as the plain mean of the values. */
static void add_to_mean(h3ou__outgoing *o, int64_t step)
{
    if (o->nsum == 0) {
        o->sum_step = step;
        o->sum_weight = 0.0;
    }
    double weight = (double)step / (double)o->sum_step;
    if (o->has_share || o->sum_has_share)
        add_shared(o, weight);
    else
        add_plain(o, weight);
    o->sum_weight += weight;
    o->nsum++;
}

static h3ou__sample newest_value(const h3ou__outgoing *o)
{
    return (h3ou__sample){o->newest, NULL, o->has_share ? o->share : NULL, 1.0};
}

static h3ou__sample mean_value(const h3ou__outgoing *o)
{
    const double *shares = o->sum_has_share ? o->share_sum : NULL;
    return (h3ou__sample){o->sum, shares, shares, o->sum_weight};
}

const h3ou__statistic h3ou__statistics[H3OU__NFLAG] = {
    [H3OU__FLAG_SNP] = {NULL, newest_value},
    [H3OU__FLAG_AVR] = {add_to_mean, mean_value},
};
