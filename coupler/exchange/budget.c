/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_tags.h"

int h3ou__budget_send_areas(const h3ou__outgoing *o, h3ou__area_messages *m)
{
    const h3ou__plan *p = o->plan;
    int64_t slots = p->start[p->npartner];
    unsigned char *is_counted = calloc((size_t)o->n + 1, 1);
    m->area = malloc(sizeof *m->area * (size_t)(slots + 1));
    m->req = malloc(sizeof *m->req * (size_t)(p->npartner + 1));
    int err = is_counted && m->area && m->req ? H3OU__OK : h3ou__no_memory("%s", o->what);
    for (int64_t i = 0; i < slots && !err; i++) {
        int64_t cell = p->slot[i];
        m->area[i] = is_counted[cell] ? 0.0 : o->grid->area[cell];
        is_counted[cell] = 1;
    }
    free(is_counted);
    for (; m->n < p->npartner && !err; m->n += !err)
        err = h3ou__isend(p->model, p->partner[m->n], H3OU__TAG_AREAS, m->area + p->start[m->n], p->start[m->n + 1] - p->start[m->n],
                          H3OU__DOUBLE, o->what, &m->req[m->n]);
    return err;
}

int h3ou__budget_end_areas(h3ou__world *w, h3ou__area_messages *m)
{
    int err = h3ou__waitall(w, m->n, m->req);
    if (err)
        return err; /* requests may still borrow the memory, and the run ends */
    free(m->req);
    free(m->area);
    *m = (h3ou__area_messages){0};
    return H3OU__OK;
}

static int receive_areas(const h3ou__incoming *in, double area[])
{
    const h3ou__plan *p = in->plan;
    h3ou__req *req = malloc(sizeof *req * (size_t)(p->npartner + 1));
    int err = req ? H3OU__OK : h3ou__no_memory("%s", in->what), n = 0;
    for (; n < p->npartner && !err; n += !err)
        err = h3ou__irecv(p->model, p->partner[n], H3OU__TAG_AREAS, area + p->start[n], p->start[n + 1] - p->start[n], H3OU__DOUBLE,
                          in->what, &req[n]);
    if (!err)
        err = h3ou__waitall(in->world, n, req);
    for (int k = 0; k < n && !err; k++)
        if (h3ou__req_count(&req[k], H3OU__DOUBLE) != p->start[k + 1] - p->start[k])
            err = h3ou__fail(H3OU__EPROTO, "%s: the areas of its cells have another number than the cells", in->what);
    if (!err)
        free(req);
    return err;
}

/* Sets the fractions of the target cells. */
static int find_covered(const h3ou__incoming *in, double covered[])
{
    const h3ou__remainder *left = &in->plan->left;
    double *of = malloc(sizeof *of * (size_t)(in->n + 1)); /* by position */
    if (!of)
        return h3ou__no_memory("%s", in->what);
    for (int64_t i = 0; i < in->n; i++)
        of[i] = 1.0;
    for (int64_t i = 0; i < left->npartial; i++)
        of[left->partial[i]] = left->part[i];
    for (int64_t r = 0; r < in->plan->rows.nrow; r++)
        covered[r] = of[in->plan->rows.row[r]];
    free(of);
    return H3OU__OK;
}

int h3ou__budget_create(h3ou__incoming *in)
{
    size_t slots = (size_t)in->plan->start[in->plan->npartner], sums = (size_t)in->layer * H3OU__BUDGET_SUMS;
    h3ou__budget *b = in->budget = calloc(1, sizeof *b);
    if (!b)
        return h3ou__no_memory("%s", in->what);
    b->source_area = calloc(slots + 1, sizeof *b->source_area);
    b->covered = calloc((size_t)in->plan->rows.nrow + 1, sizeof *b->covered);
    b->sum = calloc(sums, sizeof *b->sum);
    b->all = calloc(sums, sizeof *b->all);
    if (!b->source_area || !b->covered || !b->sum || !b->all)
        return h3ou__no_memory("%s", in->what);
    int err = find_covered(in, b->covered);
    return err ? err : receive_areas(in, b->source_area);
}

void h3ou__budget_free(h3ou__budget *b)
{
    if (!b)
        return;
    free(b->source_area);
    free(b->covered);
    free(b->sum);
    free(b->all);
    free(b);
}

static double source_value(const h3ou__incoming *in, int layer, int64_t slot)
{
    int64_t nslot = in->plan->start[in->plan->npartner];
    int64_t at = h3ou__incoming_is_turned(in) ? slot * in->layer + layer : layer * nslot + slot;
    return in->is_single ? (double)((const float *)in->source)[at] : ((const double *)in->source)[at];
}

/* Returns the share with which a source value counts. */
static double share_of(const h3ou__incoming *in, int layer, int64_t slot)
{
    bool skips_nan = h3ou__incoming_skips_nan(in);
    if (skips_nan && isnan(source_value(in, layer, slot)))
        return 0.0;
    return in->has_share ? fmax(in->share[slot], 0.0) : 1.0;
}

double h3ou__budget_part(const h3ou__incoming *in, int layer, int64_t row)
{
    const h3ou__sparse *s = &in->plan->rows;
    double counted = 0.0, whole = 0.0, size = 0.0;
    if (!in->has_share && !in->has_nan)
        return 1.0;
    for (int64_t i = s->start[row]; i < s->start[row + 1]; i++) {
        whole += s->coef[i];
        size += fabs(s->coef[i]);
        counted += s->coef[i] * share_of(in, layer, s->col[i]);
    }
    if (counted == whole)
        return 1.0;
    return fabs(counted) <= 1e-12 * size || whole == 0.0 ? 0.0 : counted / whole; /* as h3ou__sparse_apply says that it is missing */
}

/* Adds a value and its area to two sums. */
static void add_cell(h3ou__exact_sum *sum, double value, double area)
{
    h3ou__exact_sum_add(sum, value * (area * H3OU__BUDGET_SCALE));
    h3ou__exact_sum_add(sum + 1, area * H3OU__BUDGET_SCALE);
}

static void measure_source(const h3ou__incoming *in, int layer, h3ou__exact_sum *sum)
{
    h3ou__budget *b = in->budget;
    for (int64_t i = 0; i < in->plan->start[in->plan->npartner]; i++) {
        double share = b->source_area[i] > 0.0 ? share_of(in, layer, i) : 0.0;
        double value = share > 0.0 ? in->var->factor * source_value(in, layer, i) : NAN;
        if (!isfinite(value))
            continue;
        add_cell(sum + H3OU__SUM_SOURCE, value, b->source_area[i] * share);
        b->source_least = fmin(b->source_least, value);
        b->source_most = fmax(b->source_most, value);
    }
}

static void measure_target(const h3ou__incoming *in, int layer, const double data[], h3ou__exact_sum *sum)
{
    h3ou__budget *b = in->budget;
    const h3ou__sparse *s = &in->plan->rows;
    for (int64_t r = 0; r < s->nrow; r++) {
        double value = data[s->row[r]], area = in->grid->area[s->row[r]] * b->covered[r] * h3ou__budget_part(in, layer, r);
        if (!isfinite(value) || area == 0.0)
            continue;
        add_cell(sum + H3OU__SUM_TARGET, value, area);
        h3ou__exact_sum_add(sum + H3OU__SUM_SIZE, fabs(value) * (area * H3OU__BUDGET_SCALE));
        b->target_least = fmin(b->target_least, value);
        b->target_most = fmax(b->target_most, value);
    }
}

void h3ou__budget_measure(const h3ou__incoming *in, const double data[])
{
    h3ou__budget *b = in->budget;
    memset(b->sum, 0, sizeof *b->sum * (size_t)in->layer * H3OU__BUDGET_SUMS);
    b->source_least = b->target_least = INFINITY;
    b->source_most = b->target_most = -INFINITY;
    for (int layer = 0; layer < in->layer; layer++) {
        h3ou__exact_sum *sum = b->sum + layer * H3OU__BUDGET_SUMS;
        measure_source(in, layer, sum);
        measure_target(in, layer, data + layer * in->n, sum);
        for (int k = 0; k < H3OU__BUDGET_SUMS; k++)
            h3ou__exact_sum_carry(&sum[k]);
    }
}

double h3ou__budget_value(const h3ou__exact_sum *s)
{
    return h3ou__exact_sum_round(s) / H3OU__BUDGET_SCALE;
}
