/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/exchange/value_range.h"

enum { LARGEST = 4, SUMS = 3 }; /* numbers of an h3ou__value_range that are reduced by maximum, and by sum */

/* The range of field i, counted over the fields that my component sends and then those that it gets. */
static h3ou__value_range **range_of(const h3ou__coupler *c, int i)
{
    return i < c->nout ? &c->out[i]->range : &c->in[i - c->nout]->range;
}

static const h3ou__config_var *variable_of_field(const h3ou__coupler *c, int i)
{
    return i < c->nout ? c->out[i]->var : c->in[i - c->nout]->var;
}

static int count_components(const h3ou__coupler *c, int i)
{
    const h3ou__config_var *v = variable_of_field(c, i);
    return h3ou__config_components(v, i < c->nout ? v->put_xyz : v->get_xyz);
}

int h3ou__monitor_begin(h3ou__coupler *c)
{
    int64_t loud = h3ou__log_level() >= H3OU__LOG_LOUD;
    int err = h3ou__bcast(h3ou__world_local(c->world), &loud, 1, H3OU__INT64, 0);
    if (err || !loud)
        return err;
    for (int i = 0; i < c->nout + c->nin; i++) {
        h3ou__value_range **notes = range_of(c, i);
        if (!(*notes = malloc(sizeof **notes * (size_t)count_components(c, i))))
            return h3ou__fail(H3OU__ENOMEM, "out of memory for the range of a field's values");
        for (int k = 0; k < count_components(c, i); k++)
            h3ou__value_range_clear(&(*notes)[k]);
        c->nrange += count_components(c, i);
    }
    return H3OU__OK;
}

static void log_range(const h3ou__coupler *c, int i, int k, const double largest[LARGEST], const double sum[SUMS])
{
    const h3ou__config_var *v = variable_of_field(c, i);
    const h3ou__config_pair *p = &c->config->pair[v->pair];
    char which[32] = "", many[48] = "", range[160] = "";
    if (count_components(c, i) > 1)
        snprintf(which, sizeof which, " component=%d", k + 1);
    if (largest[0] > 1.0)
        snprintf(many, sizeof many, " exchanges=%.0f", largest[0]);
    if (sum[0] > 0.0)
        snprintf(range, sizeof range, " min=%.9g mean=%.9g max=%.9g", -largest[3],
                 sum[2] / sum[0] * (1.0 / H3OU__VALUE_RANGE_SCALE), largest[2]);
    h3ou__log(H3OU__LOG_LOUD, i < c->nout ? "sent" : "got", "field=%s%s %s=%s time=%.0f%s values=%.0f missing=%.0f%s",
              i < c->nout ? v->put : v->get, which, i < c->nout ? "to" : "from",
              i < c->nout ? p->comp_get : p->comp_put, largest[1], many, sum[0], sum[1], range);
}

/* Writes all ranges as arrays of numbers, and clears the ranges. */
static void collect_ranges(h3ou__coupler *c, double *largest, double *sum)
{
    for (int i = 0; i < c->nout + c->nin; i++)
        for (int k = 0; k < count_components(c, i); k++, largest += LARGEST, sum += SUMS) {
            h3ou__value_range *s = &(*range_of(c, i))[k];
            const double by_size[LARGEST] = {s->exchanges, s->time, s->most, s->minus_least};
            const double by_sum[SUMS] = {s->values, s->missing, s->scaled};
            memcpy(largest, by_size, sizeof by_size);
            memcpy(sum, by_sum, sizeof by_sum);
            h3ou__value_range_clear(s);
        }
}

int h3ou__monitor_log(h3ou__coupler *c)
{
    if (c->nrange == 0)
        return H3OU__OK;
    h3ou__comm *local = h3ou__world_local(c->world);
    int64_t n = c->nrange, width = LARGEST + SUMS;
    double *mine = malloc(sizeof *mine * (size_t)(2 * n * width));
    if (!mine)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the range of a field's values");
    double *all = mine + n * width, *largest = all, *sum = all + n * LARGEST;
    collect_ranges(c, mine, mine + n * LARGEST);
    int err = h3ou__reduce(local, mine, largest, n * LARGEST, H3OU__DOUBLE, H3OU__MAX, 0);
    if (!err)
        err = h3ou__reduce(local, mine + n * LARGEST, sum, n * SUMS, H3OU__DOUBLE, H3OU__SUM, 0);
    for (int i = 0; i < c->nout + c->nin && !err && h3ou__comm_rank(local) == 0; i++)
        for (int k = 0; k < count_components(c, i); k++, largest += LARGEST, sum += SUMS)
            if (largest[0] > 0.0)
                log_range(c, i, k, largest, sum);
    free(mine);
    return err;
}
