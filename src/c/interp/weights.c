/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

static int no_memory(void)
{
    return h3ou__fail(H3OU__ENOMEM, "out of memory for weights");
}

int h3ou__weights_create(const h3ou__cells *target, h3ou__weights **out)
{
    h3ou__weights *w = calloc(1, sizeof *w);
    if (!w || !(w->served = malloc((size_t)target->n + 1))) {
        free(w);
        return no_memory();
    }
    w->ntarget = target->n;
    for (int64_t i = 0; i < target->n; i++)
        w->served[i] = target->mask[i] ? -1 : -2;
    *out = w;
    return H3OU__OK;
}

void h3ou__weights_free(h3ou__weights *w)
{
    if (!w)
        return;
    free(w->src);
    free(w->dst);
    free(w->coef);
    free(w->served);
    free(w);
}

int h3ou__weights_add(h3ou__weights *w, int64_t src, int64_t dst, double coef)
{
    if (w->n == w->room) {
        int64_t room = w->room ? 2 * w->room : 1024;
        int64_t *s = realloc(w->src, sizeof *s * (size_t)room);
        w->src = s ? s : w->src;
        int64_t *d = realloc(w->dst, sizeof *d * (size_t)room);
        w->dst = d ? d : w->dst;
        double *c = realloc(w->coef, sizeof *c * (size_t)room);
        w->coef = c ? c : w->coef;
        if (!s || !d || !c)
            return no_memory();
        w->room = room;
    }
    w->src[w->n] = src;
    w->dst[w->n] = dst;
    w->coef[w->n++] = coef;
    return H3OU__OK;
}

/* A counting sort by target, stable. */
int h3ou__weights_sort(h3ou__weights *w)
{
    int err = H3OU__OK;
    size_t n = (size_t)w->n + 1;
    int64_t *at = calloc((size_t)w->ntarget + 1, sizeof *at);
    int64_t *s = malloc(sizeof *s * n), *d = malloc(sizeof *d * n);
    double *c = malloc(sizeof *c * n);
    if (!at || !s || !d || !c) {
        err = no_memory();
        free(s);
        free(d);
        free(c);
        goto done;
    }
    for (int64_t i = 0; i < w->n; i++)
        at[w->dst[i] + 1]++;
    for (int64_t i = 0; i < w->ntarget; i++)
        at[i + 1] += at[i];
    for (int64_t i = 0; i < w->n; i++) {
        int64_t to = at[w->dst[i]]++;
        s[to] = w->src[i];
        d[to] = w->dst[i];
        c[to] = w->coef[i];
    }
    free(w->src);
    free(w->dst);
    free(w->coef);
    w->src = s;
    w->dst = d;
    w->coef = c;
    w->room = w->n + 1;
done:
    free(at);
    return err;
}

void h3ou__weights_look(const h3ou__weights *w, h3ou__weights_facts *out)
{
    *out = (h3ou__weights_facts){
        .links = w->n, .targets = w->ntarget, .least = w->n ? w->coef[0] : 0, .most = w->n ? w->coef[0] : 0};
    for (int64_t i = 0; i < w->ntarget; i++) {
        out->served += w->served[i] >= 0;
        out->unserved += w->served[i] == -1;
        out->masked += w->served[i] == -2;
    }
    for (int64_t i = 0; i < w->n;) {
        double sum = 0.0;
        int64_t target = w->dst[i];
        for (; i < w->n && w->dst[i] == target; i++) {
            sum += w->coef[i];
            out->least = fmin(out->least, w->coef[i]);
            out->most = fmax(out->most, w->coef[i]);
        }
        out->row_misfit = fmax(out->row_misfit, fabs(sum - 1.0));
    }
}
