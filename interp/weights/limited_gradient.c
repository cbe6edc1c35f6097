/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/limited_gradient.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/weights/threads.h"

void h3ou__gradient_free(h3ou__gradient *g)
{
    if (!g)
        return;
    free(g->cell);
    free(g->start);
    free(g->stencil);
    free(g->gx);
    free(g->gy);
    free(g->corner);
    free(g->cx);
    free(g->cy);
    free(g->link);
    free(g->of);
    free(g->share);
    free(g->dx);
    free(g->dy);
    free(g);
}

/* The limited gradient of each cell for one layer. */
typedef struct limited {
    double *a, *b;         /* [ncell], limited */
    unsigned char *counts; /* [ncell] the cell itself is not missing */
} limited;

static bool is_missing(const h3ou__apply *how, const double *source, int64_t cell)
{
    return (how->share && how->share[cell] <= 0.0) || (how->skip_nan && isnan(source[cell]));
}

/* The largest part of the step that keeps value + part * step within low and high. */
static double part_within(double value, double step, double low, double high)
{
    if (step > 0.0) /* no division where the quotient is above 1: it might overflow */
        return high - value >= step ? 1.0 : (high - value) / step;
    return step < 0.0 && low - value > step ? (low - value) / step : 1.0;
}

static void limit_cell(const h3ou__gradient *g, const h3ou__apply *how, const double *source, int64_t i, limited *to)
{
    double value = source[g->cell[i]], low = value, high = value, a = 0, b = 0, part = 1.0;
    bool whole = true;
    to->counts[i] = !is_missing(how, source, g->cell[i]);
    for (int64_t k = g->start[i]; k < g->start[i + 1] && whole; k++) {
        double v = source[g->stencil[k]];
        whole = !is_missing(how, source, g->stencil[k]);
        low = fmin(low, v);
        high = fmax(high, v);
        a += g->gx[k] * v;
        b += g->gy[k] * v;
    }
    for (int64_t k = g->corner[i]; k < g->corner[i + 1] && whole; k++)
        part = fmin(part, part_within(value, a * g->cx[k] + b * g->cy[k], low, high));
    to->a[i] = whole ? part * a : 0.0;
    to->b[i] = whole ? part * b : 0.0;
}

static double limited_sum(const h3ou__gradient *g, const h3ou__apply *how, const double *source, const limited *l,
                          int64_t row)
{
    double sum = 0.0, counted = 0.0, all = 0.0;
    for (int64_t k = g->link[row]; k < g->link[row + 1]; k++) {
        int32_t i = g->of[k];
        double share = how->share ? how->share[g->cell[i]] : 1.0;
        all += g->share[k];
        if (!l->counts[i])
            continue;
        counted += g->share[k] * share;
        sum += share * (g->share[k] * source[g->cell[i]] + l->a[i] * g->dx[k] + l->b[i] * g->dy[k]);
    }
    if (counted == all)
        return how->factor * sum;
    return counted > 0.0 ? how->factor * (sum / counted * all) : how->missing;
}

static void apply_layer(const h3ou__gradient *g, const h3ou__apply *how, const double *from, double *to, limited *l)
{
    for (int64_t i = 0; i < g->ncell; i++)
        limit_cell(g, how, from, i, l);
    for (int64_t r = 0; r < g->nrow; r++)
        if (g->link[r + 1] > g->link[r])
            to[r] = limited_sum(g, how, from, l, r);
}

static void apply_layer_by_threads(const h3ou__gradient *g, const h3ou__apply *how, const double *from, double *to,
                                   limited *l, int threads)
{
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < g->ncell; i++)
        limit_cell(g, how, from, i, l);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < g->nrow; r++)
        if (g->link[r + 1] > g->link[r])
            to[r] = limited_sum(g, how, from, l, r);
}

int h3ou__gradient_apply(const h3ou__gradient *g, const h3ou__apply *how, int64_t nsource, const double source[],
                         int64_t ntarget, double target[])
{
    size_t n = (size_t)g->ncell + 1;
    limited l = {malloc(sizeof(double) * n), malloc(sizeof(double) * n), malloc(n)};
    int err = l.a && l.b && l.counts ? H3OU__OK : h3ou__no_memory("gradients");
    int threads = h3ou__threads(how->threads);
    for (int layer = 0; layer < how->nlayer && !err; layer++) {
        const double *from = source + layer * nsource;
        double *to = target + layer * ntarget;
        if (threads == 1) /* a parallel region of one thread makes a system call, too */
            apply_layer(g, how, from, to, &l);
        else
            apply_layer_by_threads(g, how, from, to, &l, threads);
    }
    free(l.a);
    free(l.b);
    free(l.counts);
    return err;
}
