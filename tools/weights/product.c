/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "interp/weights/limited_gradient.h"

int product_create(const h3ou__weights *w, product *out)
{
    h3ou__sparse *s = &out->rows;
    *out = (product){.weights = w};
    s->row = malloc(sizeof *s->row * (size_t)(w->ntarget + 1));
    s->start = malloc(sizeof *s->start * (size_t)(w->ntarget + 1));
    if (!s->row || !s->start) {
        product_free(out);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the rows of %lld cells", (long long)w->ntarget);
    }
    s->start[0] = 0;
    for (int64_t i = 0; i < w->ntarget; i++)
        if (w->start[i + 1] > w->start[i]) {
            s->row[s->nrow++] = i;
            s->start[s->nrow] = w->start[i + 1];
        }
    s->col = w->src;
    s->coef = w->coef;
    int err = h3ou__sparse_prepare(s);
    if (err)
        product_free(out);
    return err;
}

void product_free(product *p)
{
    free(p->rows.row);
    free(p->rows.start);
    free(p->rows.links);
    memset(p, 0, sizeof *p);
}

int product_apply(const product *p, int nlayer, bool is_spread, double missing, const double source[], double target[])
{
    const h3ou__weights *w = p->weights;
    int64_t n = w->ntarget * nlayer;
    h3ou__apply how = {.nlayer = nlayer, .factor = 1.0, .missing = missing};
    how.skip_nan = !is_spread;
    for (int64_t i = 0; i < n; i++)
        target[i] = missing;
    int err = H3OU__OK;
    h3ou__sparse_apply(&p->rows, &how, w->nsource, source, w->ntarget, target);
    if (w->gradient) /* the limited gradient replaces the rows that it has */
        err = h3ou__gradient_apply(w->gradient, &how, w->nsource, source, w->ntarget, target);
    for (int64_t i = 0; is_spread && i < n; i++)
        target[i] = isnan(target[i]) ? missing : target[i];
    for (int64_t i = 0; w->fixed && i < n; i++) {
        int64_t cell = i % w->ntarget;
        if (h3ou__weights_is_fixed(w, cell))
            target[i] = w->fixed[cell];
    }
    return err;
}
