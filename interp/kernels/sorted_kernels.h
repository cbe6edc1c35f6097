/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of row_kernels.h, which includes it, for layers that stand together, of rows that are sorted by shares that
 * stay: one pass over all rows. A row whose sources all count is computed as without shares, one of which none counts
 * is not computed, and any other one with coefficients times shares.
 */

/* n vectors of layers of all rows. links: as in sum_rows_of; both are constants where this is inlined. */
INLINE void count_sorted_layers(const counting *c, const h3ou__sorted_rows *sorted, int n, int links)
{
    const h3ou__rows rows = *c->rows, listed = sorted->listed, *p = &rows, *q = &listed;
    const uint8_t *kind = sorted->kind;
    const int skips_nan = c->absence->skips_nan;
    double *to = c->to;
    int64_t k = 0; /* the next one of the list */
    int expects_nan = 0;
    for (int64_t r = 0; r < p->count; r++, to += c->to_stride) {
        int64_t first = links ? links * r : row_begin(p, r), end = links ? first + links : row_begin(p, r + 1);
        fetch_entries(p, first, end);
        if (kind[r] == H3OU__ROW_GONE) {
            miss_vectors(c, to, n);
        } else if (kind[r] == H3OU__ROW_FULL) {
            counted_row row = entries_from(p, first, links ? links : end - first);
            if (!expects_nan && (sum_numbers(c, p, r, &row, to, n, SUM) || !skips_nan))
                continue;
            counted_row full = full_row(p, r);
            expects_nan = mean_of_numbers(c, r, &full, to);
        } else {
            int64_t at = links ? links * k : row_begin(q, k);
            counted_row row = entries_from(q, at, links ? links : row_begin(q, k + 1) - at);
            if (!sum_numbers(c, q, k, &row, to, n, SCALE))
                define_row(c, r, to);
            k++;
        }
    }
}

/* The same of rows of four entries, and of others. */
INLINE void count_sorted_vectors(const counting *c, const h3ou__sorted_rows *sorted, int n)
{
    const h3ou__rows *p = c->rows, *q = &sorted->listed;
    if (!p->start && p->links == 4 && (q->count == 0 || (!q->start && q->links == 4)))
        count_sorted_layers(c, sorted, n, 4);
    else
        count_sorted_layers(c, sorted, n, 0);
}

TARGET static int count_sorted(const h3ou__rows *p, const h3ou__sorted_rows *sorted, const h3ou__absence *a,
                               const void *from, int64_t stride, int layers, double *to, int64_t to_stride)
{
    counting c = {p, a, from, stride, layers, to, to_stride, 0};
    int vectors = (layers + WIDTH - 1) / WIDTH;
    if (layers < WIDTH || vectors > MOST_COUNTED)
        return 0;
    if (vectors == 1)
        count_sorted_vectors(&c, sorted, 1);
    else if (vectors == 2)
        count_sorted_vectors(&c, sorted, 2);
    else if (vectors == 3)
        count_sorted_vectors(&c, sorted, 3);
    else if (vectors == 4)
        count_sorted_vectors(&c, sorted, 4);
    else
        count_sorted_vectors(&c, sorted, 5);
    return 1;
}
