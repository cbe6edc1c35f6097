/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of row_kernels.h, which includes it, for layers that stand together, of sources with shares: one pass over
 * the rows. Where rows are looked at first, one whose sources all count is computed as without shares, and one of which
 * none counts is not computed. All others look up the share of each entry.
 */

enum { LOOK_EVERY = 4 }; /* after a row of which some sources count, the shares of one row of so many are looked at */

/* Sums of a row. Where NaN is looked for, there is one vector of layers. */
typedef struct shared_sums {
    vector sum[MOST_COUNTED], counted; /* of n vectors of layers, and of the coefficients of what counts */
    vector whole;                      /* of all coefficients, in each lane */
    mask signs;                        /* of all coefficients */
} shared_sums;

/* Adds the entries of a row. n and skips_nan: constants where this is inlined. What does not count is multiplied by 0,
 * since no share is below 0 (sparse.h), so that a value that is infinite or NaN gives a NaN. */
INLINE void add_shared(const counting *c, const counted_row *row, shared_sums *to, int n, int skips_nan)
{
    int64_t ahead = entries_ahead(row->entries, row->readable, n);
#pragma GCC unroll 4
    for (int64_t i = 0; i < row->entries; i++) {
        const source *v = c->from + row->col[i] * c->stride;
        vector part = (vector){0} + row->coef[i];
        fetch_source(c->from + row->col[i + ahead] * c->stride, n);
        to->whole += part;
        to->signs |= (mask)part;
        part *= c->absence->share[row->col[i]];
#pragma GCC unroll 5
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
INLINE double size_of_row(const counted_row *row, const shared_sums *sums)
{
    double size = 0.0;
    if (are_lanes(sums->signs >= 0))
        return sums->whole[0]; /* none is below 0 */
    for (int64_t i = 0; i < row->entries; i++)
        size += fabs(row->coef[i]);
    return size;
}

/* Writes n vectors of layers of row r. */
INLINE void store_shared(const counting *c, int64_t r, const counted_row *row, const shared_sums *sums, double *to,
                         int n, int skips_nan)
{
    const double factor = c->rows->factor;
    mask numbers = ~(mask){0};
    int are_all = are_lanes(sums->counted == sums->whole);
    double weight = are_all ? 0.0 : size_of_row(row, sums);
#pragma GCC unroll 5
    for (int k = 0; k < n; k++) {
        vector x = factor * sums->sum[k];
        if (!are_all) {
            counted_row means = {.whole = sums->whole[0], .weight = weight};
            if (skips_nan)
                x = means_of(c, &means, sums->sum[k], sums->counted);
            else if (fabs(sums->counted[0]) <= 1e-12 * weight)
                x = in_all_lanes(c->absence->missing);
            else
                x = factor * (sums->sum[k] / sums->counted * sums->whole);
        }
        numbers &= sums->sum[k] == sums->sum[k];
        STORE(to + (k < n - 1 ? k * WIDTH : c->layers - WIDTH), x);
    }
    if (!are_lanes(numbers)) /* the NaN may be of a value that does not count */
        define_row(c, r, to);
}

/* n vectors of layers of all rows. links: as in sum_rows_of; it and the arguments before it, but the first, are
 * constants where this is inlined. */
INLINE void count_shared_layers(const counting *c, int n, int skips_nan, int links)
{
    const h3ou__rows rows = *c->rows, *p = &rows; /* which no store to the results may change */
    const double *share = c->absence->share;
    double *to = c->to;
    /* With one or two vectors of a table that is larger than the caches a look at the shares takes longer than it
     * saves. */
    const int looks = n >= 3 || p->fetched == H3OU__FETCH_NOTHING;
    int kind = looks ? H3OU__ROW_FULL : H3OU__ROW_MIXED;
    for (int64_t r = 0; r < p->count; r++, to += c->to_stride) {
        int64_t first = links ? links * r : row_begin(p, r), end = links ? first + links : row_begin(p, r + 1);
        counted_row row = entries_from(p, first, links ? links : end - first);
        fetch_entries(p, first, end);
        if (p->fetched != H3OU__FETCH_NOTHING)
            fetch_shares(p, share, first, end, n);
        if (looks && (kind != H3OU__ROW_MIXED || r % LOOK_EVERY == 0))
            kind = kind_of_entries(&row, share);
        if (kind == H3OU__ROW_GONE) {
            miss_vectors(c, to, n);
            continue;
        }
        if (kind == H3OU__ROW_FULL && (sum_numbers(c, p, r, &row, to, n, SUM) || !skips_nan))
            continue;
        shared_sums sums = {.whole = {0}};
        add_shared(c, &row, &sums, n, skips_nan);
        store_shared(c, r, &row, &sums, to, n, skips_nan);
    }
}

/* The same of rows of four entries, and of others. */
INLINE void count_shared_vectors(const counting *c, int n, int skips_nan)
{
    if (!c->rows->start && c->rows->links == 4)
        count_shared_layers(c, n, skips_nan, 4);
    else
        count_shared_layers(c, n, skips_nan, 0);
}

/* Computes layers that fill one to MOST_COUNTED vectors, or, where NaN is looked for, one. Returns false for any
 * others. */
INLINE int count_where_shared(const counting *c)
{
    int vectors = (c->layers + WIDTH - 1) / WIDTH;
    if (!c->absence->share || c->layers < WIDTH || vectors > (c->absence->skips_nan ? 1 : MOST_COUNTED))
        return 0;
    if (c->absence->skips_nan)
        count_shared_vectors(c, 1, 1);
    else if (vectors == 1)
        count_shared_vectors(c, 1, 0);
    else if (vectors == 2)
        count_shared_vectors(c, 2, 0);
    else if (vectors == 3)
        count_shared_vectors(c, 3, 0);
    else if (vectors == 4)
        count_shared_vectors(c, 4, 0);
    else
        count_shared_vectors(c, 5, 0);
    return 1;
}
