/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/sparse.h"

#include <stdlib.h>
#include <string.h>

void h3ou__sparse_free(h3ou__sparse *s)
{
    free(s->row);
    free(s->start);
    free(s->col);
    free(s->coef);
    memset(s, 0, sizeof *s);
}

void h3ou__sparse_apply(const h3ou__sparse *s, int64_t nsource, const double source[], int64_t ntarget, double target[],
                        int nlayer, double factor)
{
    /* One layer after the other: a layer of the source stays in the cache. The sum of a row has one order in any case.
     */
    for (int layer = 0; layer < nlayer; layer++) {
        const double *restrict from = source + layer * nsource;
        double *restrict to = target + layer * ntarget;
        for (int64_t r = 0; r < s->nrow; r++) {
            double sum = 0.0;
            for (int64_t i = s->start[r]; i < s->start[r + 1]; i++)
                sum += s->coef[i] * from[s->col[i]];
            to[s->row[r]] = factor * sum;
        }
    }
}
