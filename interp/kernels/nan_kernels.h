/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of row_kernels.h, which includes it, for layers that stand together, of which some values are NaN: each row
 * is computed as if all values counted, unless the row before had NaN, and once more where the result is NaN. Rows
 * whose values are all NaN, as those on land are, need no sums.
 */

/* n vectors of layers of all rows. links: as in sum_rows_of; both are constants where this is inlined. */
INLINE void count_number_layers(const counting *c, int n, int links)
{
    const h3ou__rows rows = *c->rows, *p = &rows; /* which no store to the results may change */
    double *to = c->to;
    int expects_nan = 0;
    for (int64_t r = 0; r < p->count; r++, to += c->to_stride) {
        int64_t first = links ? links * r : row_begin(p, r), end = links ? first + links : row_begin(p, r + 1);
        counted_row row = entries_from(p, first, links ? links : end - first);
        fetch_entries(p, first, end);
        if (!expects_nan && sum_numbers(c, p, r, &row, to, n, SUM))
            continue;
        expects_nan = 1;
        if (is_gone(c, &row, whole_of(&row), c->from, c->layers, n)) {
            miss_vectors(c, to, n);
        } else {
            counted_row full = full_row(p, r);
            expects_nan = mean_of_numbers(c, r, &full, to); /* which does not look for a row of NaN again */
        }
    }
}

/* The same of rows of four entries, and of others. */
INLINE void count_number_vectors(const counting *c, int n)
{
    if (!c->rows->start && c->rows->links == 4)
        count_number_layers(c, n, 4);
    else
        count_number_layers(c, n, 0);
}

/* Computes layers that fill one to MOST_COUNTED vectors, without shares. Returns false for any others. */
INLINE int count_where_nan(const counting *c)
{
    int vectors = (c->layers + WIDTH - 1) / WIDTH;
    if (c->absence->share || !c->absence->skips_nan || c->layers < WIDTH || vectors > MOST_COUNTED)
        return 0;
    if (vectors == 1)
        count_number_vectors(c, 1);
    else if (vectors == 2)
        count_number_vectors(c, 2);
    else if (vectors == 3)
        count_number_vectors(c, 3);
    else if (vectors == 4)
        count_number_vectors(c, 4);
    else
        count_number_vectors(c, 5);
    return 1;
}
