/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/value_ranges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/collective/collective.h"
#include "coupler/exchange/pack_message.h"
#include "coupler/monitor/value_range.h"

enum { LARGEST = 4, SUMS = 3 }; /* numbers of an h3ou__value_range that are reduced by maximum, and by sum */
enum { COMPONENTS = 3 };        /* of a vector at most */

typedef struct ranges {
    const h3ou__config *config;
    h3ou__comm *local;
    const char *component;
    int n;                    /* fields that are sent, then those that are got */
    int *variable;            /* [n] number of each in the configuration */
    int *sent_as, *got_as;    /* [variables of the configuration] number of the field, or -1 */
    h3ou__value_range *range; /* [n][COMPONENTS] */
    int nsent;
} ranges;

static void ranges_free(void *self)
{
    ranges *r = self;
    free(r->variable);
    free(r->sent_as);
    free(r->got_as);
    free(r->range);
    free(r);
}

static bool ranges_want(const void *self, const h3ou__config_var *var, int side)
{
    (void)self;
    (void)var;
    return side == H3OU__SIDE_SENT || side == H3OU__SIDE_RECEIVED;
}

static int count_components(const ranges *r, int i)
{
    const h3ou__config_var *v = &r->config->var[r->variable[i]];
    return h3ou__config_components(v, i < r->nsent ? v->put_xyz : v->get_xyz);
}

static int see_sent(void *self, const h3ou__outgoing *o, const h3ou__clock *clock, double mark, int state,
                    const h3ou__sample *s)
{
    ranges *r = self;
    h3ou__value_range *range = r->range + COMPONENTS * r->sent_as[o->var - r->config->var];
    (void)clock;
    (void)state;
    if (!s || mark < 0.0)
        return H3OU__OK;
    for (int k = 0; k < h3ou__config_components(o->var, o->var->put_xyz); k++) {
        range[k].exchanges += 1.0;
        range[k].time = mark;
        for (int row = 0; row < o->layer * o->slices; row++)
            for (int64_t i = 0; i < o->nneeded; i++) {
                int64_t cell = o->needed[i];
                bool counts = !s->share || s->share[cell] > 0.0;
                h3ou__value_range_add(&range[k], counts ? h3ou__sample_value(s, h3ou__sample_row(o, k, row), cell) : NAN);
            }
    }
    return H3OU__OK;
}

/* Adds the values of the cells that were set. */
static void add_received(const h3ou__incoming *in, double mark, h3ou__value_range *range, const double data[])
{
    const h3ou__sparse *s = &in->plan->rows;
    const h3ou__remainder *left = &in->plan->left;
    double missing = in->var->remap.has_missing ? in->var->remap.missing : NAN;
    if (in->var->lag != 0) /* a second get in one step returns the same exchange */
        h3ou__value_range_clear(range);
    range->exchanges += 1.0;
    range->time = mark;
    range->missing += (double)(left->nunserved * in->layer);
    for (int layer = 0; layer < in->layer; layer++, data += in->n) {
        for (int64_t i = 0; i < s->nrow; i++)
            h3ou__value_range_add(range, data[s->row[i]] == missing ? NAN : data[s->row[i]]);
        for (int64_t i = 0; i < left->nfixed; i++)
            h3ou__value_range_add(range, data[left->fixed[i]]);
    }
}

static int see_received(void *self, const h3ou__incoming *in, const h3ou__clock *clock, double mark, const double *const value[])
{
    ranges *r = self;
    int i = r->got_as[in->var - r->config->var];
    (void)clock;
    for (int k = 0; k < count_components(r, i); k++)
        add_received(in, mark, &r->range[COMPONENTS * i + k], value[k]);
    return H3OU__OK;
}

static void log_range(const ranges *r, int i, int k, const double largest[LARGEST], const double sum[SUMS])
{
    const h3ou__config_var *v = &r->config->var[r->variable[i]];
    const h3ou__config_pair *p = &r->config->pair[v->pair];
    char which[32] = "", many[48] = "", range[160] = "";
    if (count_components(r, i) > 1)
        snprintf(which, sizeof which, " component=%d", k + 1);
    if (largest[0] > 1.0)
        snprintf(many, sizeof many, " exchanges=%.0f", largest[0]);
    if (sum[0] > 0.0)
        snprintf(range, sizeof range, " min=%.9g mean=%.9g max=%.9g", -largest[3],
                 sum[2] / sum[0] * (1.0 / H3OU__VALUE_RANGE_SCALE), largest[2]);
    h3ou__log(H3OU__LOG_LOUD, i < r->nsent ? "sent" : "got", "field=%s%s %s=%s time=%.0f%s values=%.0f missing=%.0f%s",
              i < r->nsent ? v->put : v->get, which, i < r->nsent ? "to" : "from",
              i < r->nsent ? p->comp_get : p->comp_put, largest[1], many, sum[0], sum[1], range);
}

/* Writes all ranges as arrays of numbers, and clears the ranges. */
static void collect_ranges(ranges *r, double *largest, double *sum)
{
    for (int i = 0; i < COMPONENTS * r->n; i++, largest += LARGEST, sum += SUMS) {
        h3ou__value_range *s = &r->range[i];
        const double by_size[LARGEST] = {s->exchanges, s->time, s->most, s->minus_least};
        const double by_sum[SUMS] = {s->values, s->missing, s->scaled};
        memcpy(largest, by_size, sizeof by_size);
        memcpy(sum, by_sum, sizeof by_sum);
        h3ou__value_range_clear(s);
    }
}

static int log_ranges(void *self, const h3ou__clock *clock)
{
    ranges *r = self;
    int64_t n = COMPONENTS * r->n, width = LARGEST + SUMS;
    double *mine = calloc((size_t)(2 * n * width + 1), sizeof *mine);
    (void)clock;
    if (!mine)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the range of a field's values");
    double *all = mine + n * width, *largest = all, *sum = all + n * LARGEST;
    collect_ranges(r, mine, mine + n * LARGEST);
    int err = h3ou__reduce(r->local, mine, largest, n * LARGEST, H3OU__DOUBLE, H3OU__MAX, 0);
    if (!err)
        err = h3ou__reduce(r->local, mine + n * LARGEST, sum, n * SUMS, H3OU__DOUBLE, H3OU__SUM, 0);
    for (int i = 0; i < n && !err && h3ou__comm_rank(r->local) == 0; i++)
        if (largest[i * LARGEST] > 0.0)
            log_range(r, i / COMPONENTS, i % COMPONENTS, &largest[i * LARGEST], &sum[i * SUMS]);
    free(mine);
    return err;
}

/* Numbers the fields that my component sends, or those that it gets. */
static void number_fields(ranges *r, bool sent)
{
    for (int v = 0; v < r->config->nvar; v++) {
        const h3ou__config_pair *p = &r->config->pair[r->config->var[v].pair];
        bool is_mine = !strcmp(sent ? p->comp_put : p->comp_get, r->component);
        (sent ? r->sent_as : r->got_as)[v] = is_mine ? r->n : -1;
        if (is_mine)
            r->variable[r->n++] = v;
    }
    r->nsent = sent ? r->n : r->nsent;
}

static const h3ou__observer_ops OPS = {ranges_want, NULL, see_sent, see_received, NULL, log_ranges, ranges_free, NULL};

int h3ou__value_ranges_observe(h3ou__observers *to, const h3ou__config *config, h3ou__comm *local, const char *component)
{
    int64_t loud = h3ou__log_level() >= H3OU__LOG_LOUD;
    int err = h3ou__bcast(local, &loud, 1, H3OU__INT64, 0);
    if (err || !loud)
        return err;
    ranges *r = calloc(1, sizeof *r);
    if (!r)
        return h3ou__no_memory("the range of a field's values");
    size_t most = 2 * (size_t)config->nvar + 1;
    *r = (ranges){.config = config, .local = local, .component = component};
    r->variable = malloc(sizeof *r->variable * most);
    r->sent_as = malloc(sizeof *r->sent_as * most);
    r->got_as = malloc(sizeof *r->got_as * most);
    r->range = malloc(sizeof *r->range * COMPONENTS * most);
    if (!r->variable || !r->sent_as || !r->got_as || !r->range) {
        ranges_free(r);
        return h3ou__no_memory("the range of a field's values");
    }
    number_fields(r, true);
    number_fields(r, false);
    for (int i = 0; i < COMPONENTS * r->n; i++)
        h3ou__value_range_clear(&r->range[i]);
    return h3ou__observers_add(to, &OPS, r);
}
