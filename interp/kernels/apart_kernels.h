/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of row_kernels.h, which includes it, for layers that stand apart, of rows of which not all entries count:
 * four rows of four entries at a time, and any others entry by entry.
 */

#if WIDTH >= 4
/* Four rows of four entries each: of each row's entry k the coefficient, and the source's value. */
typedef struct four_rows {
    four coef[4], value[4];
} four_rows;

/* Returns entry k of four rows, whose columns begin at col. */
INLINE four entries_of_four(const source *from, const int32_t *col, int k)
{
    return four_sources(from, col[k], col[4 + k], col[8 + k], col[12 + k]);
}

INLINE four_rows load_four_rows(const double *coef, const int32_t *col, const source *from)
{
    four_rows rows;
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        memcpy(&rows.coef[k], coef + 4 * k, sizeof rows.coef[k]);
        rows.value[k] = entries_of_four(from, col, k);
    }
    h3ou__transpose_four(rows.coef);
    return rows;
}

/* Returns means of four rows: of sums of what counts, of which `count` are the coefficients. */
INLINE four means_of_four(const h3ou__rows *p, const h3ou__absence *a, const four coef[4], four sum, four count)
{
    const four none = {0.0, 0.0, 0.0, 0.0};
    const four_mask size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    four_wholes sums = wholes_of_four(coef);
    four all = sums.all, weight = sums.weight;
    four_mask may_be_gone = (four)((four_mask)count & size) <= 1e-12 * weight, is_part = (count != all) & ~may_be_gone;
    if (are_all(is_part))
        return p->factor * (sum / count * all);
    four_mask misses = may_be_gone & (count != all);
    if (has_one(is_part)) {
        four divisor = choose_four(is_part, count, none + 1.0);
        four scaled = (four)((four_mask)sum & is_part) / divisor * all;
        sum = choose_four(is_part, scaled, sum);
    }
    return choose_four(misses, a->missing - none, p->factor * sum); /* a sum with 0 would lose the sign of -0 */
}

/* Returns the values of four rows, with their shares. */
TARGET static four shared_fours(const h3ou__rows *p, const h3ou__absence *a, int64_t r, const source *from)
{
    const int64_t may_be_nan = -(int64_t)!a->skips_nan;
    const four_mask any = {may_be_nan, may_be_nan, may_be_nan, may_be_nan};
    const int32_t *col = p->col + 4 * r;
    four_rows rows = load_four_rows(p->coef + 4 * r, col, from);
    four sum = {0.0, 0.0, 0.0, 0.0}, count = sum;
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        four value = rows.value[k];
        four share = {a->share[col[k]], a->share[col[4 + k]], a->share[col[8 + k]], a->share[col[12 + k]]};
        four_mask counts = ((value == value) | any) & ~(share <= 0.0);
        four part = (four)((four_mask)(rows.coef[k] * share) & counts);
        sum += part * (four)((four_mask)value & counts);
        count += part;
    }
    return means_of_four(p, a, rows.coef, sum, count);
}

/* Returns whether one of 16 values is marked as PARTIAL. */
INLINE int has_partial(const four value[4])
{
    const four_mask partial = {PARTIAL, PARTIAL, PARTIAL, PARTIAL};
    four_mask found = (four_mask)value[0] == partial;
#pragma GCC unroll 3
    for (int k = 1; k < 4; k++)
        found |= (four_mask)value[k] == partial;
    return has_one(found);
}

/* Returns the values of four rows from row r on, of sources of which some do not count: those that are NaN. */
TARGET static four means_of_numbers(const h3ou__rows *p, const h3ou__absence *a, int64_t r, const source *values)
{
    four_rows rows = load_four_rows(p->coef + 4 * r, p->col + 4 * r, values);
    four sum = {0.0, 0.0, 0.0, 0.0}, count = sum;
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        four_mask counts = rows.value[k] == rows.value[k];
        four part = (four)((four_mask)rows.coef[k] & counts);
        sum += part * (four)((four_mask)rows.value[k] & counts);
        count += part;
    }
    return means_of_four(p, a, rows.coef, sum, count);
}

/* Returns whether no source of four rows counts, and the coefficients of none add up to 0. */
INLINE int are_gone(const four value[4], const four coef[4])
{
    four_mask gone = (value[0] != value[0]) & (coef[0] > 0.0);
#pragma GCC unroll 3
    for (int k = 1; k < 4; k++)
        gone &= (value[k] != value[k]) & (coef[k] > 0.0);
    return are_all(gone);
}

/* One layer of rows of four entries each, of sources that are NaN where they do not count; returns the number of rows
 * that it computed, a multiple of four. from: the sources before they were marked. is_marked is a constant where this
 * is inlined. */
INLINE int64_t count_fours(const h3ou__rows *p, const h3ou__absence *a, const source *from,
                           const source *restrict values, double *restrict to, int is_marked)
{
    const four missing = {a->missing, a->missing, a->missing, a->missing};
    const int32_t *col = p->col;
    const double *coefs = p->coef, factor = p->factor;
    int64_t r = 0, count = p->count;
    int expects_gone = 0; /* a result of the rows before was NaN: sources that do not count mostly stand together */
    for (; r + 4 <= count; r += 4) {
        four value[4], coef[4], term[4];
        fetch_sixteen(p, 4 * r, values, sizeof *values, p->fetched);
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            value[k] = four_of(values, col + 4 * (r + k));
            memcpy(&coef[k], coefs + 4 * (r + k), sizeof coef[k]);
        }
        if (expects_gone && !(is_marked && has_partial(value)) && are_gone(value, coef)) {
            memcpy(to + r, &missing, sizeof missing);
            continue;
        }
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++)
            term[k] = coef[k] * value[k];
        four x = factor * sums_of_four(term);
        expects_gone = has_one(x != x);
        if (expects_gone)
            x = is_marked && has_partial(value) ? shared_fours(p, a, r, from)
                : are_gone(value, coef)         ? missing
                                                : means_of_numbers(p, a, r, values);
        memcpy(to + r, &x, sizeof x);
    }
    return r;
}

/* Sets the results of some rows that are NaN, since nothing counts or a value is NaN, by the definition. */
INLINE void define_nan_fours(const h3ou__rows *p, const h3ou__absence *a, int64_t r, int64_t count, const source *from,
                             double *restrict to)
{
    for (int64_t end = r + count; r < end; r += 4) {
        four x;
        memcpy(&x, to + r, sizeof x);
        if (has_one(x != x)) {
            x = shared_fours(p, a, r, from);
            memcpy(to + r, &x, sizeof x);
        }
    }
}

/* Several layers of rows of four entries each: coefficients times shares are made once for all layers. Returns the
 * number of rows that it computed, a multiple of four. */
INLINE int64_t count_fours_shared_once(const h3ou__rows *p, const h3ou__absence *a, const source *from, int64_t stride,
                                       int layers, double *to, int64_t to_stride)
{
    shared_block some;
    int64_t end = p->count / 4 * 4;
    for (int64_t r = 0, n; r < end; r += n) {
        n = end - r < H3OU__PART_ROWS ? end - r : H3OU__PART_ROWS;
        h3ou__rows rows = rows_from(p, r, n);
        for (int64_t k = 0; k < n; k += 4) {
            fetch_sixteen(p, 4 * (r + k), a->share, sizeof *a->share, p->fetched);
            share_four_rows(p, a->share, r + k, &some, k);
        }
        rows.coef = some.coef;
        rows.divisor = some.divisor;
        rows.whole = some.whole;
        for (int k = 0; k < layers; k++) {
            sum_any_layer(&rows, from + k * stride, to + k * to_stride + r, SCALE);
            define_nan_fours(p, a, r, n, from + k * stride, to + k * to_stride);
        }
    }
    return end;
}

/* One layer with shares that are looked up. */
INLINE int64_t count_shared_fours(const h3ou__rows *p, const h3ou__absence *a, const source *from, double *restrict to)
{
    int64_t r = 0;
    for (; r + 4 <= p->count; r += 4) {
        fetch_sixteen(p, 4 * r, from, sizeof *from, p->fetched);
        four x = shared_fours(p, a, r, from);
        memcpy(to + r, &x, sizeof x);
    }
    return r;
}
#endif

/* One layer of any rows. Those that are computed as if all sources counted are right unless they are NaN. */
INLINE void count_any(const h3ou__rows *p, const h3ou__absence *a, int64_t first, const source *from, double *to)
{
    int is_shared = a->share && !a->marked;
    if (!is_shared && first < p->count) {
        h3ou__rows some = rows_from(p, first, p->count - first);
        sum_apart(&some, a->marked ? a->marked : from, 0, 1, to + first, 0);
    }
    for (int64_t r = first; r < p->count; r++)
        if (is_shared || isnan(to[r]))
            to[r] = defined_value(p, a, r, from, 1);
}

#include "interp/kernels/paired_kernels.h"

TARGET static void count_apart(const h3ou__rows *p, const h3ou__absence *absence, const void *sources, int64_t stride,
                               int layers, double *to, int64_t to_stride)
{
    h3ou__absence a = *absence;
    if (a.paired) {
        count_paired(p, absence, to);
        return;
    }
    int64_t done = 0;
#if WIDTH >= 4
    if (!p->start && p->links == 4 && a.share && !a.marked && layers > 1)
        done = count_fours_shared_once(p, &a, sources, stride, layers, to, to_stride);
#endif
    for (int k = 0; k < layers; k++, to += to_stride) {
        const source *from = (const source *)sources + k * stride;
        int64_t first = done;
        a.marked = absence->marked ? (const source *)absence->marked + k * stride : NULL;
#if WIDTH >= 4
        if (done == 0 && !p->start && p->links == 4)
            first = a.marked  ? count_fours(p, &a, from, a.marked, to, 1)
                    : a.share ? count_shared_fours(p, &a, from, to)
                              : count_fours(p, &a, from, from, to, 0);
#endif
        count_any(p, &a, first, from, to);
    }
}

TARGET static int scale_apart(const h3ou__rows *p, const void *sources, int64_t stride, int layers, double *to,
                              int64_t to_stride)
{
    const source *from = sources;
    int found = 0;
    for (int k = 0; k < layers; k++, from += stride, to += to_stride) {
        sum_any_layer(p, from, to, SCALE);
        found |= has_nan((int)p->count, to);
    }
    return found;
}
