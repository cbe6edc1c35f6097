/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of row_kernels.h, which includes it, for few layers that stand together, of which not all entries count: one
 * pass over the rows, since looking first which rows have sources that do not count takes longer than what it saves.
 */

/* Sums of a row. Where NaN is looked for, there is one vector of layers. */
typedef struct few_sums {
    vector sum[2], counted; /* of n vectors of layers, and of the coefficients of what counts */
    vector whole;           /* of all coefficients, in each lane */
    mask signs;             /* of all coefficients */
} few_sums;

/* Adds some entries. ahead: of entries_ahead. n, is_shared and skips_nan: constants where this is inlined. What does not
 * count is multiplied by 0, so that a value that is infinite or NaN gives a NaN. */
INLINE void add_few(const counting *c, int64_t first, int64_t count, int64_t ahead, few_sums *to, int n, int is_shared,
                    int skips_nan)
{
    const int32_t *col = c->rows->col + first;
    const double *coef = c->rows->coef + first, *share = c->absence->share;
    for (int64_t i = 0; i < count; i++) {
        const source *v = c->from + col[i] * c->stride;
        vector part = (vector){0} + coef[i];
        fetch_source(c->from + col[i + ahead] * c->stride, n);
        to->whole += part;
        to->signs |= (mask)part;
        if (is_shared) {
            __builtin_prefetch(share + col[i + ahead]);
            part *= share[col[i]];
        }
#pragma GCC unroll 2
        for (int k = 0; k < n; k++) {
            vector x = load_sources(v + (k < n - 1 ? k * WIDTH : c->layers - WIDTH));
            if (skips_nan) {
                mask numbers = x == x;
                x = (vector)((mask)x & numbers);
                part = (vector)((mask)part & numbers);
            }
            to->sum[k] += part * x;
        }
        to->counted += part;
    }
}

/* Returns the sum of the sizes of a row's coefficients. */
INLINE double size_of_row(const h3ou__rows *p, int64_t first, int64_t end, const few_sums *sums)
{
    double size = 0.0;
    if (are_lanes(sums->signs >= 0))
        return sums->whole[0]; /* none is below 0 */
    for (int64_t i = first; i < end; i++)
        size += fabs(p->coef[i]);
    return size;
}

/* Writes n vectors of layers of row r, which has these entries. */
INLINE void store_few(const counting *c, int64_t r, int64_t first, int64_t end, const few_sums *sums, double *to, int n,
                      int skips_nan)
{
    const h3ou__rows *p = c->rows;
    mask numbers = ~(mask){0};
    double weight = are_lanes(sums->counted == sums->whole) ? 0.0 : size_of_row(p, first, end, sums);
#pragma GCC unroll 2
    for (int k = 0; k < n; k++) {
        vector x = p->factor * sums->sum[k];
        if (!are_lanes(sums->counted == sums->whole)) {
            counted_row row = {.whole = sums->whole[0], .weight = weight};
            if (skips_nan)
                x = means_of(c, &row, sums->sum[k], sums->counted);
            else if (fabs(sums->counted[0]) <= 1e-12 * weight)
                x = (vector){0} + c->absence->missing;
            else
                x = p->factor * (sums->sum[k] / sums->counted * sums->whole);
        }
        numbers &= sums->sum[k] == sums->sum[k];
        STORE(to + (k < n - 1 ? k * WIDTH : c->layers - WIDTH), x);
    }
    if (!c->absence->share || are_lanes(numbers))
        return;
    for (int k = 0; k < c->layers; k++) /* the NaN may be of a value that does not count */
        to[k] = defined_value(p, c->absence, r, c->from + k, c->stride);
}

/* n vectors of layers of all rows. links: as in sum_rows_of; it and the arguments before it, but the first, are constants
 * where this is inlined. */
INLINE void count_few_layers(const counting *c, int n, int is_shared, int skips_nan, int links)
{
    const h3ou__rows *p = c->rows;
    double *to = c->to;
    int64_t ahead = links ? entries_ahead(links * p->count, p->entries, n) : 0;
    for (int64_t r = 0; r < p->count; r++, to += c->to_stride) {
        int64_t first = links ? links * r : row_begin(p, r), end = links ? first + links : row_begin(p, r + 1);
        few_sums sums = {.whole = {0}};
        if (!links)
            ahead = entries_ahead(end, p->entries, n);
        fetch_entries(p, first, end);
        add_few(c, first, links ? links : end - first, ahead, &sums, n, is_shared, skips_nan);
        store_few(c, r, first, end, &sums, to, n, skips_nan);
    }
}

/* The same of rows of four entries, and of others. */
INLINE void count_vectors(const counting *c, int n, int is_shared, int skips_nan)
{
    if (!c->rows->start && c->rows->links == 4)
        count_few_layers(c, n, is_shared, skips_nan, 4);
    else
        count_few_layers(c, n, is_shared, skips_nan, 0);
}

/* Computes layers that fill one vector, or, unless NaN is looked for, two. Returns false for any others. */
INLINE int count_few(const counting *c)
{
    int skips_nan = c->absence->skips_nan, is_shared = c->absence->share != NULL;
    if (c->layers < WIDTH || c->layers > (skips_nan ? 1 : 2) * WIDTH)
        return 0;
    if (c->layers > WIDTH)
        count_vectors(c, 2, 1, 0);
    else if (!skips_nan)
        count_vectors(c, 1, 1, 0);
    else if (is_shared)
        count_vectors(c, 1, 1, 1);
    else
        count_vectors(c, 1, 0, 1);
    return 1;
}
