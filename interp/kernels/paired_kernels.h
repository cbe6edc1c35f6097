/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of row_kernels.h, which includes it, for one layer whose shares are others each time: share and value of a
 * source stand next to each other, and both are 0 where it does not count. An entry reads them at once, and asks
 * nothing.
 */

/* Writes the pairs of the sources from number i on. Returns how many of them count in part, or are NaN and count. */
INLINE int64_t pair_each(int64_t i, int64_t n, int skips_nan, const double *share, const source *from, double *pairs)
{
    int64_t partial = 0;
    for (; i < n; i++) {
        int counts = !(share[i] <= 0.0) && !(skips_nan && isnan(from[i]));
        pairs[2 * i] = counts ? share[i] : 0.0;
        pairs[2 * i + 1] = counts ? (double)from[i] : 0.0;
        partial += counts && (share[i] != 1.0 || isnan(from[i]));
    }
    return partial;
}

TARGET static int64_t pair_sources(int64_t n, const h3ou__absence *a, int64_t first, const void *sources, void *pairs)
{
    const double *share = a->share + first;
    const source *from = (const source *)sources + first;
    double *to = (double *)pairs + 2 * first;
    int64_t i = 0, sum = 0;
#if WIDTH >= 4
    const four_mask any = (four_mask){0} - (int64_t)a->skips_nan;
    four_mask partial = {0};
    for (; i + 4 <= n; i += 4) {
        source_four some;
        four part, value;
        memcpy(&part, share + i, sizeof part);
        memcpy(&some, from + i, sizeof some);
        value = __builtin_convertvector(some, four);
        four_mask is_nan = value != value, absent = (part <= 0.0) | (is_nan & any);
        partial -= (~(part == 1.0) | is_nan) & ~absent;
        part = (four)((four_mask)part & ~absent);
        value = (four)((four_mask)value & ~absent);
        four before = H3OU__SHUFFLE(part, value, 0, 4, 1, 5), after = H3OU__SHUFFLE(part, value, 2, 6, 3, 7);
        memcpy(to + 2 * i, &before, sizeof before);
        memcpy(to + 2 * i + 4, &after, sizeof after);
    }
    sum = partial[0] + partial[1] + partial[2] + partial[3];
#endif
    return sum + pair_each(i, n, a->skips_nan, share, from, to);
}

/* Returns the value of row r, as counted_value does. */
INLINE double paired_value(const h3ou__rows *p, const h3ou__absence *a, int64_t r)
{
    const pair_mask size = {-1, INT64_MAX};
    pair sum = {0.0, 0.0}, all = {0.0, 0.0};
    for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++) {
        const double *both = a->paired + 2 * (int64_t)p->col[i];
        pair coef = {p->coef[i], p->coef[i]}, share = {both[0], both[0]}, value = {both[1], 1.0};
        all += (pair)((pair_mask)coef & size);
        sum += coef * share * value;
    }
    return mean_of_counted(p, a, sum, all);
}

#if WIDTH >= 4
/* Reads the columns of a row of four entries, two at a time: the product waits for what reads memory. */
INLINE void load_columns(const int32_t col[4], uint32_t to[4])
{
#pragma GCC unroll 2
    for (int k = 0; k < 4; k += 2) {
        uint64_t both;
        memcpy(&both, col + k, sizeof both);
        to[k] = (uint32_t)both;
        to[k + 1] = (uint32_t)(both >> 32);
    }
}

/* Returns the pairs of two sources. GCC 12 reads each number of a pair by itself, unless it is told otherwise. */
INLINE four two_pairs(const double *pairs, uint32_t first, uint32_t second)
{
    __m128d low = _mm_loadu_pd(pairs + 2 * (int64_t)first), high = _mm_loadu_pd(pairs + 2 * (int64_t)second);
    return (four)_mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}

/* Rows of four entries each, four at a time; returns the number of rows that it computed. fetched: that of p, a
 * constant where this is inlined. */
INLINE int64_t count_paired_fours(const h3ou__rows *p, const h3ou__absence *a, double *restrict to, int fetched)
{
    const double *restrict pairs = a->paired;
    int64_t r = 0;
    for (; r + 4 <= p->count; r += 4) {
        fetch_sixteen(p, 4 * r, pairs, 2 * sizeof *pairs, fetched);
        uint32_t col[16];
        four coef[4], sum = {0.0, 0.0, 0.0, 0.0}, count = sum;
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            memcpy(&coef[k], p->coef + 4 * (r + k), sizeof coef[k]);
            load_columns(p->col + 4 * (r + k), col + 4 * k);
        }
        h3ou__transpose_four(coef);
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            four even = two_pairs(pairs, col[k], col[8 + k]), odd = two_pairs(pairs, col[4 + k], col[12 + k]);
            four part = coef[k] * H3OU__SHUFFLE(even, odd, 0, 4, 2, 6);
            sum += part * H3OU__SHUFFLE(even, odd, 1, 5, 3, 7);
            count += part;
        }
        four x = means_of_four(p, a, coef, sum, count);
        memcpy(to + r, &x, sizeof x);
    }
    return r;
}
#endif

/* One layer of any rows. */
TARGET static void count_paired(const h3ou__rows *p, const h3ou__absence *a, double *to)
{
    int64_t r = 0;
#if WIDTH >= 4
    if (!p->start && p->links == 4)
        r = p->fetched == H3OU__FETCH_NOTHING   ? count_paired_fours(p, a, to, H3OU__FETCH_NOTHING)
            : p->fetched == H3OU__FETCH_ENTRIES ? count_paired_fours(p, a, to, H3OU__FETCH_ENTRIES)
                                                : count_paired_fours(p, a, to, H3OU__FETCH_SOURCES);
#endif
    for (; r < p->count; r++)
        to[r] = paired_value(p, a, r);
}
