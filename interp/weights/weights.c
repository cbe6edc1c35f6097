/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/weights.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

int h3ou__weights_create(int64_t nsource, int64_t ntarget, const unsigned char target_mask[], h3ou__weights **out)
{
    h3ou__weights *w = calloc(1, sizeof *w);
    size_t n = (size_t)ntarget + 1;
    if (!w || !(w->served = malloc(n)) || !(w->start = calloc(n, sizeof *w->start)) ||
        !(w->frac = calloc(n, sizeof *w->frac)) || !(w->src = malloc(sizeof *w->src)) ||
        !(w->coef = malloc(sizeof *w->coef))) {
        h3ou__weights_free(w);
        return h3ou__no_memory("weights");
    }
    w->nsource = nsource;
    w->ntarget = ntarget;
    for (int64_t i = 0; i < ntarget; i++)
        w->served[i] = !target_mask || target_mask[i] ? H3OU__BY_NONE : H3OU__MASKED;
    *out = w;
    return H3OU__OK;
}

void h3ou__weights_free(h3ou__weights *w)
{
    if (!w)
        return;
    free(w->start);
    free(w->src);
    free(w->coef);
    free(w->served);
    free(w->frac);
    free(w->fixed);
    free(w->source_area);
    free(w->target_area);
    h3ou__gradient_free(w->gradient);
    free(w->pending);
    free(w);
}

/* A link that was appended; h3ou__weights_finish makes rows of them. number: in the order of appending. */
typedef struct h3ou__link {
    int32_t src, dst;
    int64_t number;
    double coef;
} h3ou__link;

int h3ou__weights_append(h3ou__weights *w, int64_t n, const int64_t src[], const int64_t dst[], const double coef[])
{
    if (!h3ou__grow(&w->pending, sizeof *w->pending, &w->pending_room, w->npending + n))
        return h3ou__no_memory("weights");
    for (int64_t i = 0; i < n; i++) {
        if (src[i] < 0 || src[i] >= w->nsource || dst[i] < 0 || dst[i] >= w->ntarget)
            return h3ou__fail(H3OU__EINDEX,
                              "link %" PRId64 " goes from cell %" PRId64 " of %" PRId64 " to cell %" PRId64
                              " of %" PRId64,
                              w->npending + 1, src[i] + 1, w->nsource, dst[i] + 1, w->ntarget);
        w->pending[w->npending] = (h3ou__link){(int32_t)src[i], (int32_t)dst[i], w->npending, coef[i]};
        w->npending++;
    }
    return H3OU__OK;
}

static int by_source(const void *a, const void *b)
{
    const h3ou__link *x = a, *y = b;
    if (x->src != y->src)
        return (x->src > y->src) - (x->src < y->src);
    return (x->number > y->number) - (x->number < y->number);
}

static bool links_ascend(const h3ou__link *link, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (link[i].src <= link[i - 1].src)
            return false;
    return true;
}

/* The links of one row, sorted, those of one source summed, to src and coef; returns how many remain. */
static int64_t settle_row(h3ou__link *link, int64_t n, int32_t src[], double coef[])
{
    int64_t to = 0;
    if (!links_ascend(link, n))
        qsort(link, (size_t)n, sizeof *link, by_source);
    for (int64_t i = 0; i < n; i++) {
        if (to > 0 && src[to - 1] == link[i].src)
            coef[to - 1] += link[i].coef;
        else {
            src[to] = link[i].src;
            coef[to++] = link[i].coef;
        }
    }
    return to;
}

int h3ou__weights_hold_fixed(h3ou__weights *w)
{
    if (w->fixed)
        return H3OU__OK;
    if (!(w->fixed = malloc(sizeof *w->fixed * (size_t)(w->ntarget + 1))))
        return h3ou__no_memory("weights");
    for (int64_t i = 0; i < w->ntarget; i++)
        w->fixed[i] = NAN;
    return H3OU__OK;
}

int h3ou__weights_finish(h3ou__weights *w)
{
    int64_t n = w->npending, *at = calloc((size_t)w->ntarget + 2, sizeof *at), to = 0;
    h3ou__link *sorted = malloc(sizeof *sorted * (size_t)(n + 1));
    int err =
        at && sorted && h3ou__resize(&w->src, sizeof *w->src, n + 1) && h3ou__resize(&w->coef, sizeof *w->coef, n + 1)
            ? H3OU__OK
            : h3ou__no_memory("weights");
    if (!err) {
        for (int64_t i = 0; i < n; i++)
            at[w->pending[i].dst + 2]++;
        for (int64_t i = 0; i < w->ntarget; i++)
            at[i + 2] += at[i + 1];
        for (int64_t i = 0; i < n; i++)
            sorted[at[w->pending[i].dst + 1]++] = w->pending[i];
        for (int64_t i = 0; i < w->ntarget; i++) {
            w->start[i] = to;
            to += settle_row(sorted + at[i], at[i + 1] - at[i], w->src + to, w->coef + to);
            if (to > w->start[i] && w->served[i] < 0)
                w->served[i] = 0;
            if (to > w->start[i] && w->frac[i] == 0.0)
                w->frac[i] = 1.0;
        }
        w->start[w->ntarget] = to;
    }
    free(at);
    free(sorted);
    free(w->pending);
    w->pending = NULL;
    w->npending = w->pending_room = 0;
    return err;
}

int h3ou__weights_insert(h3ou__weights *w, int number, int64_t n, const int64_t target[], const int64_t start[],
                         const int32_t src[], const double coef[])
{
    int64_t old = w->start[w->ntarget], all = old + start[n] - start[0];
    if (!h3ou__resize(&w->src, sizeof *w->src, all + 1) || !h3ou__resize(&w->coef, sizeof *w->coef, all + 1))
        return h3ou__no_memory("weights");
    /* From the end, so that old rows move up within the same arrays. */
    int64_t to = all, k = n - 1;
    w->start[w->ntarget] = all;
    int64_t end = old;
    for (int64_t i = w->ntarget - 1; i >= 0; i--) {
        int64_t from = w->start[i], size = end - from;
        end = from;
        if (k >= 0 && target[k] == i) {
            size = start[k + 1] - start[k];
            memcpy(w->src + to - size, src + start[k], sizeof *src * (size_t)size);
            memcpy(w->coef + to - size, coef + start[k], sizeof *coef * (size_t)size);
            w->served[i] = (signed char)number;
            w->frac[i] = w->frac[i] == 0.0 ? 1.0 : w->frac[i];
            k--;
        } else if (to != from + size) {
            memmove(w->src + to - size, w->src + from, sizeof *src * (size_t)size);
            memmove(w->coef + to - size, w->coef + from, sizeof *coef * (size_t)size);
        }
        to -= size;
        w->start[i] = to;
    }
    return H3OU__OK;
}

static double row_sum(const h3ou__weights *w, int64_t i)
{
    double sum = 0.0;
    for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
        sum += w->coef[k];
    return sum;
}

/* The largest relative difference between the area that a source cell gives to all targets and its own area, over the
 * source cells that targets cover completely. */
static double find_conservation(const h3ou__weights *w)
{
    if (!w->conserves || !w->source_area || !w->target_area)
        return NAN;
    double *given = calloc((size_t)w->nsource + 1, sizeof *given), worst = 0.0;
    unsigned char *partly = calloc((size_t)w->nsource + 1, 1);
    for (int64_t i = 0; given && partly && i < w->ntarget; i++) {
        double area = w->target_area[i] * (w->norm == H3OU__FRACAREA ? w->frac[i] : 1.0);
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++) {
            given[w->src[k]] += w->coef[k] * area;
            partly[w->src[k]] |= w->served[i] != 0;
        }
    }
    for (int64_t s = 0; given && partly && s < w->nsource; s++) {
        if (partly[s] || !(given[s] > 0.0))
            continue;
        double off = fabs(given[s] - w->source_area[s]) / w->source_area[s];
        if (off < 1e-6) /* more is missing: it reaches beyond the targets */
            worst = fmax(worst, off);
    }
    worst = given && partly ? worst : NAN;
    free(given);
    free(partly);
    return worst;
}

void h3ou__weights_look(const h3ou__weights *w, h3ou__weights_facts *out)
{
    *out = (h3ou__weights_facts){.links = w->start[w->ntarget], .targets = w->ntarget};
    for (int64_t k = 0; k < out->links; k++) {
        out->least = k == 0 || w->coef[k] < out->least ? w->coef[k] : out->least;
        out->most = k == 0 || w->coef[k] > out->most ? w->coef[k] : out->most;
        out->negative += w->coef[k] < 0.0;
    }
    for (int64_t i = 0; i < w->ntarget; i++) {
        out->masked += w->served[i] == H3OU__MASKED;
        out->unserved += w->served[i] == H3OU__BY_NONE;
        out->served += w->served[i] >= 0;
        if (w->served[i] >= 0 && w->served[i] < H3OU__STACK_MOST)
            out->by[(int)w->served[i]]++;
        if (w->start[i + 1] == w->start[i])
            continue;
        double off = fabs(row_sum(w, i) - (w->norm == H3OU__DESTAREA ? w->frac[i] : 1.0));
        out->row_misfit = isnan(off) || off > out->row_misfit ? off : out->row_misfit;
    }
    out->conservation = find_conservation(w);
}
