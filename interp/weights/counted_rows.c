/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/counted_rows.h"

#include <math.h>
#include <string.h>

static int64_t row_begin(const h3ou__rows *p, int64_t r)
{
    return p->start ? p->start[r] : r * p->links;
}

/* Sets the sums of row r over all entries, and keeps those that count, from place n of col and coef on; returns the
 * place after them. */
static int64_t keep_counted(h3ou__counted_rows *c, const h3ou__rows *rows, const double share[], int64_t r, int64_t n)
{
    double whole = 0.0, weight = 0.0, counted = 0.0;
    for (int64_t i = row_begin(rows, r), end = row_begin(rows, r + 1); i < end; i++) {
        double part = share[rows->col[i]], coef = rows->coef[i];
        bool counts = !(part <= 0.0);
        whole += coef;
        weight += fabs(coef);
        c->col[n] = rows->col[i];
        c->coef[n] = coef * part;
        counted += counts ? c->coef[n] : 0.0;
        n += counts;
    }
    c->whole[r] = whole;
    c->weight[r] = weight;
    c->counted[r] = counted;
    return n;
}

void h3ou__counted_rows_make(h3ou__counted_rows *c, const h3ou__rows *rows, const double share[], double missing)
{
    c->rows = *rows;
    c->rows.factor = 1.0;
    c->factor = rows->factor;
    c->missing = missing;
    for (int64_t r = 0, n = 0; r < rows->count && share; r++) {
        c->start[r] = n;
        c->start[r + 1] = n = keep_counted(c, rows, share, r, n);
    }
    if (share) {
        c->rows.start = c->start;
        c->rows.col = c->col;
        c->rows.coef = c->coef;
        c->rows.entries = c->start[rows->count];
        return;
    }
    for (int64_t r = 0; r < rows->count; r++) {
        c->whole[r] = c->weight[r] = 0.0;
        for (int64_t i = row_begin(rows, r), end = row_begin(rows, r + 1); i < end; i++) {
            c->whole[r] += rows->coef[i];
            c->weight[r] += fabs(rows->coef[i]);
        }
        c->counted[r] = c->whole[r];
    }
}

void h3ou__counted_rows_scale(const h3ou__counted_rows *c, int layers, double sum[])
{
    for (int64_t r = 0; r < c->rows.count; r++, sum += layers) {
        double counted = c->counted[r], whole = c->whole[r];
        if (counted == whole) /* all count: the same bits as without shares */
            for (int k = 0; k < layers; k++)
                sum[k] = c->factor * sum[k];
        else if (fabs(counted) <= 1e-12 * c->weight[r])
            for (int k = 0; k < layers; k++)
                sum[k] = c->missing;
        else
            for (int k = 0; k < layers; k++)
                sum[k] = c->factor * (sum[k] / counted * whole);
    }
}

h3ou__row_weights h3ou__counted_rows_weights(const h3ou__counted_rows *c)
{
    return (h3ou__row_weights){c->whole, c->weight, c->missing};
}
