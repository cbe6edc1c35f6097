/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sums of a few rows (row_sums.h), as loops that are compiled once for each width of vectors and each type of the
 * sources: row_sums_avx2.c and its sisters include this. A width changes no bit: each sum keeps its own order, and no
 * product is fused with the addition that follows it. Sources of float are converted to double when they are read.
 *
 * The file that includes it has defined SOURCE, double or float; WIDTH, the doubles in a vector; TARGET, an attribute of
 * each function, perhaps empty; and KERNELS, the name of its table.
 */
#include <math.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "interp/weights/row_sums.h"

#define INLINE static inline TARGET __attribute__((always_inline))

enum { MOST = 10, MOST_COUNTED = 4 }; /* vectors whose sums stay in registers */
enum { AHEAD = 24, LINE = 8 };        /* entries; doubles in a cache line */

typedef SOURCE source;
enum { SOURCES = 64 / sizeof(source) }; /* in a cache line */
typedef source source_vector __attribute__((vector_size(WIDTH * sizeof(source))));
typedef source source_four __attribute__((vector_size(4 * sizeof(source))));

typedef double vector __attribute__((vector_size(WIDTH * sizeof(double))));
typedef int64_t mask __attribute__((vector_size(WIDTH * sizeof(double))));

#define LOAD(v, from) memcpy(&(v), (from), sizeof(vector))
#define STORE(to, v)  memcpy((to), &(v), sizeof(vector))

typedef double pair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t pair_mask __attribute__((vector_size(2 * sizeof(double))));
typedef double four __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t four_mask __attribute__((vector_size(4 * sizeof(double))));
#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (four_mask){__VA_ARGS__})
#endif

/* Returns the sources that stand at `from`. */
INLINE vector load_sources(const source *from)
{
    source_vector x;
    memcpy(&x, from, sizeof x);
    return __builtin_convertvector(x, vector);
}

INLINE int64_t row_begin(const h3ou__rows *p, int64_t r)
{
    return p->start ? p->start[r] : r * p->links;
}

/* Sources are fetched into the cache while those of the entries before are added up: without, a row waits for the
 * second cache twice as long as it computes. */
INLINE void fetch_source(const h3ou__rows *p, int64_t i, const source *from, int64_t stride, int n)
{
    const source *v = from + p->col[i + AHEAD < p->entries ? i + AHEAD : i] * stride;
#pragma GCC unroll 10
    for (int k = 0; k < n * WIDTH; k += SOURCES)
        __builtin_prefetch(v + k);
}

/* n vectors of layers of all rows, of which the last one may overlap the one before. n is a constant where this is
 * inlined. */
INLINE void sum_vectors(const h3ou__rows *p, const source *from, int64_t stride, int layers, double *to,
                        int64_t to_stride, int n)
{
    for (int64_t r = 0; r < p->count; r++, to += to_stride) {
        vector sum[MOST] = {{0}};
        for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++) {
            const source *v = from + p->col[i] * stride;
            double c = p->coef[i];
            fetch_source(p, i, from, stride, n);
#pragma GCC unroll 10
            for (int k = 0; k < n; k++)
                sum[k] += c * load_sources(v + (k < n - 1 ? k * WIDTH : layers - WIDTH));
        }
#pragma GCC unroll 10
        for (int k = 0; k < n; k++) {
            vector x = p->factor * sum[k];
            STORE(to + (k < n - 1 ? k * WIDTH : layers - WIDTH), x);
        }
    }
}

/* Layers that fill no vector. */
INLINE void sum_few(const h3ou__rows *p, const source *from, int64_t stride, int layers, double *to, int64_t to_stride)
{
    for (int64_t r = 0; r < p->count; r++, to += to_stride)
        for (int k = 0; k < layers; k++) {
            double sum = 0.0;
            for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++)
                sum += p->coef[i] * from[p->col[i] * stride + k];
            to[k] = p->factor * sum;
        }
}

/* Returns how many of `left` layers to take together, so that those after them fill a vector. */
INLINE int layers_of_block(int left, int vectors)
{
    int most = vectors * WIDTH;
    return left <= most ? left : left - most < WIDTH ? most - WIDTH : most;
}

TARGET static void sum_together(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to,
                                int64_t to_stride)
{
    for (int first = 0, n; first < layers; first += n) {
        const source *v = (const source *)from + first;
        double *out = to + first;
        n = layers_of_block(layers - first, MOST);
        switch (n < WIDTH ? 0 : (n + WIDTH - 1) / WIDTH) {
        case 0:
            sum_few(p, v, stride, n, out, to_stride);
            break;
        case 1:
            sum_vectors(p, v, stride, n, out, to_stride, 1);
            break;
        case 2:
            sum_vectors(p, v, stride, n, out, to_stride, 2);
            break;
        case 3:
            sum_vectors(p, v, stride, n, out, to_stride, 3);
            break;
        case 4:
            sum_vectors(p, v, stride, n, out, to_stride, 4);
            break;
        case 5:
            sum_vectors(p, v, stride, n, out, to_stride, 5);
            break;
        case 6:
            sum_vectors(p, v, stride, n, out, to_stride, 6);
            break;
        case 7:
            sum_vectors(p, v, stride, n, out, to_stride, 7);
            break;
        case 8:
            sum_vectors(p, v, stride, n, out, to_stride, 8);
            break;
        case 9:
            sum_vectors(p, v, stride, n, out, to_stride, 9);
            break;
        default:
            sum_vectors(p, v, stride, n, out, to_stride, 10);
        }
    }
}

#if WIDTH >= 4
INLINE void transpose_four(four x[4])
{
    four ab = SHUFFLE(x[0], x[1], 0, 4, 2, 6), ba = SHUFFLE(x[0], x[1], 1, 5, 3, 7);
    four cd = SHUFFLE(x[2], x[3], 0, 4, 2, 6), dc = SHUFFLE(x[2], x[3], 1, 5, 3, 7);
    x[0] = SHUFFLE(ab, cd, 0, 1, 4, 5);
    x[1] = SHUFFLE(ba, dc, 0, 1, 4, 5);
    x[2] = SHUFFLE(ab, cd, 2, 3, 6, 7);
    x[3] = SHUFFLE(ba, dc, 2, 3, 6, 7);
}

/* Returns the sums of four rows of four terms, each in the order of its terms. */
INLINE four sums_of_four(four term[4])
{
    four sum = {0.0, 0.0, 0.0, 0.0};
    transpose_four(term);
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        sum += term[k];
    return sum;
}

INLINE four four_of(const source *from, const int32_t *col)
{
    return __builtin_convertvector(((source_four){from[col[0]], from[col[1]], from[col[2]], from[col[3]]}), four);
}

INLINE four shares_of_four(const double *share, const int32_t *col)
{
    return (four){share[col[0]], share[col[1]], share[col[2]], share[col[3]]};
}

INLINE int are_all(four_mask m)
{
    return _mm256_movemask_pd((__m256d)m) == 15;
}

/* Returns the sums of one layer of four rows that have four entries each. */
INLINE four sum_four_rows(const h3ou__rows *p, int64_t r, const source *from)
{
    four term[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        memcpy(&term[k], p->coef + 4 * (r + k), sizeof term[k]);
        term[k] *= four_of(from, p->col + 4 * (r + k));
    }
    return sums_of_four(term);
}

/* Returns the number of rows that it computed, a multiple of four. */
INLINE int64_t sum_fours(const h3ou__rows *p, const source *restrict from, double *restrict to)
{
    int64_t r = 0;
    for (; r + 4 <= p->count; r += 4) {
        four sum = p->factor * sum_four_rows(p, r, from);
        memcpy(to + r, &sum, sizeof sum);
    }
    return r;
}
#endif

/* One layer. links: how many each row has, 0: any number; a constant where this is inlined. */
INLINE void sum_layer(const h3ou__rows *p, const source *restrict from, double *restrict to, int links)
{
    const int32_t *col = p->col;
    const double *coef = p->coef;
    int64_t r = 0;
#if WIDTH >= 4
    if (links == 4)
        r = sum_fours(p, from, to);
#endif
    for (col += r * links, coef += r * links; r < p->count; r++) {
        double sum = 0.0;
        if (links) {
#pragma GCC unroll 4
            for (int i = 0; i < links; i++)
                sum += coef[i] * from[col[i]];
            coef += links;
            col += links;
        } else {
            for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++)
                sum += coef[i] * from[col[i]];
        }
        to[r] = p->factor * sum;
    }
}

/* Four layers at once. */
INLINE void sum_four_layers(const h3ou__rows *p, const source *restrict from, int64_t stride, double *restrict to,
                            int64_t to_stride)
{
    for (int64_t r = 0; r < p->count; r++) {
        double sum[4] = {0.0, 0.0, 0.0, 0.0};
        for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++) {
            const source *v = from + p->col[i];
            double c = p->coef[i];
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++)
                sum[k] += c * v[k * stride];
        }
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++)
            to[k * to_stride + r] = p->factor * sum[k];
    }
}

TARGET static void sum_apart(const h3ou__rows *p, const void *sources, int64_t stride, int layers, double *to,
                             int64_t to_stride)
{
    const source *from = sources;
    int k = 0;
    for (; k + 4 <= layers && (WIDTH < 4 || p->start || p->links != 4); k += 4)
        sum_four_layers(p, from + k * stride, stride, to + k * to_stride, to_stride);
    for (; k < layers; k++)
        if (!p->start && p->links == 3)
            sum_layer(p, from + k * stride, to + k * to_stride, 3);
        else if (!p->start && p->links == 4)
            sum_layer(p, from + k * stride, to + k * to_stride, 4);
        else
            sum_layer(p, from + k * stride, to + k * to_stride, 0);
}

/* A vector of sums where NaN counts with share 0, as counted_mean does it for one. */
INLINE vector mean_of_counted(vector sum, vector counted, double whole, double weight, const h3ou__rows *p,
                              double missing)
{
    vector none = {0}, size = (vector)((mask)counted & INT64_MAX), gone = none + missing;
    mask all = counted == whole, misses = (size <= 1e-12 * weight) & ~all, part = ~all & ~misses;
    vector divisor = (vector)(((mask)counted & part) | ((mask)(none + 1.0) & ~part));
    vector scaled = (vector)((mask)sum & part) / divisor * whole;
    vector mean = p->factor * (vector)(((mask)scaled & part) | ((mask)sum & ~part));
    return (vector)(((mask)mean & ~misses) | ((mask)gone & misses));
}

/* As sum_vectors; NaN is left out of the sums. */
INLINE void count_vectors(const h3ou__rows *p, const h3ou__row_weights *w, const source *from, int64_t stride,
                          int layers, double *to, int64_t to_stride, int n)
{
    for (int64_t r = 0; r < p->count; r++, to += to_stride) {
        vector sum[MOST_COUNTED] = {{0}}, counted[MOST_COUNTED] = {{0}};
        for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++) {
            const source *v = from + p->col[i] * stride;
            vector c = (vector){0} + p->coef[i];
#pragma GCC unroll 4
            for (int k = 0; k < n; k++) {
                vector x = load_sources(v + (k < n - 1 ? k * WIDTH : layers - WIDTH));
                mask is_number = x == x;
                sum[k] += c * (vector)((mask)x & is_number);
                counted[k] += (vector)((mask)c & is_number);
            }
        }
#pragma GCC unroll 4
        for (int k = 0; k < n; k++) {
            vector x = mean_of_counted(sum[k], counted[k], w->whole[r], w->weight[r], p, w->missing);
            STORE(to + (k < n - 1 ? k * WIDTH : layers - WIDTH), x);
        }
    }
}

/* The mean of row r over the entries whose value is not NaN, scaled by the sum of the whole row, times factor. */
INLINE double counted_mean(const h3ou__rows *p, const h3ou__row_weights *w, int64_t r, const source *from, int64_t stride)
{
    double sum = 0.0, counted = 0.0;
    for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++) {
        double v = from[p->col[i] * stride];
        if (!isnan(v)) {
            sum += p->coef[i] * v;
            counted += p->coef[i];
        }
    }
    if (counted == w->whole[r]) /* all count: the same bits as without NaN */
        return p->factor * sum;
    return fabs(counted) <= 1e-12 * w->weight[r] ? w->missing : p->factor * (sum / counted * w->whole[r]);
}

INLINE void count_few(const h3ou__rows *p, const h3ou__row_weights *w, const source *from, int64_t stride, int layers,
                      double *to, int64_t to_stride)
{
    for (int64_t r = 0; r < p->count; r++, to += to_stride)
        for (int k = 0; k < layers; k++)
            to[k] = counted_mean(p, w, r, from + k, stride);
}

TARGET static void sum_counted(const h3ou__rows *p, const h3ou__row_weights *w, const void *from, int64_t stride,
                               int layers, double *to, int64_t to_stride)
{
    for (int first = 0, n; first < layers; first += n) {
        const source *v = (const source *)from + first;
        double *out = to + first;
        n = layers_of_block(layers - first, MOST_COUNTED);
        switch (n < WIDTH ? 0 : (n + WIDTH - 1) / WIDTH) {
        case 0:
            count_few(p, w, v, stride, n, out, to_stride);
            break;
        case 1:
            count_vectors(p, w, v, stride, n, out, to_stride, 1);
            break;
        case 2:
            count_vectors(p, w, v, stride, n, out, to_stride, 2);
            break;
        case 3:
            count_vectors(p, w, v, stride, n, out, to_stride, 3);
            break;
        default:
            count_vectors(p, w, v, stride, n, out, to_stride, 4);
        }
    }
}

TARGET static int has_nan(int64_t n, const double *value)
{
    mask found = {0};
    int64_t i = 0;
    int rest = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        vector x;
        LOAD(x, value + i);
        found |= x != x;
    }
    for (; i < n; i++)
        rest |= isnan(value[i]);
    for (int k = 0; k < WIDTH; k++)
        rest |= found[k] != 0;
    return rest;
}

/* Row r of one layer, with both lanes of a pair: the sums of coef * value and of coef, over what counts, and of coef
 * and |coef| over all entries. is_shared is a constant where this is inlined. */
INLINE double counted_value(const h3ou__rows *p, const h3ou__absence *a, int64_t r, const source *from, int is_shared)
{
    const pair_mask size = {-1, INT64_MAX}, any = {-(int64_t)!a->skips_nan, -(int64_t)!a->skips_nan};
    pair sum = {0.0, 0.0}, all = {0.0, 0.0};
    for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++) {
        double v = from[p->col[i]], c = p->coef[i];
        pair both = {c, c}, value = {v, v}, one = {v, 1.0};
        pair_mask counts = (value == value) | any;
        all += (pair)((pair_mask)both & size);
        if (is_shared) {
            double part = a->share[p->col[i]];
            pair parts = {part, part};
            counts &= ~(parts <= 0.0);
            both *= parts;
        }
        sum += both * (pair)((pair_mask)one & counts);
    }
    if (sum[1] == all[0]) /* all count: the same bits as without shares and NaN */
        return p->factor * sum[0];
    return fabs(sum[1]) <= 1e-12 * all[1] ? a->missing : p->factor * (sum[0] / sum[1] * all[0]);
}

/* The same of some rows; without shares, of those whose result is NaN. */
INLINE void count_rows(const h3ou__rows *p, const h3ou__absence *a, int64_t first, int64_t last, const source *from,
                       double *to)
{
    for (int64_t r = first; r < last; r++)
        if (a->share)
            to[r] = counted_value(p, a, r, from, 1);
        else if (isnan(to[r]))
            to[r] = counted_value(p, a, r, from, 0);
}

#if WIDTH >= 4
/* The means of four rows as counted_value has them; all: the sums of coef, count: of those that count. */
INLINE four means_of_four(const h3ou__rows *p, const h3ou__absence *a, int64_t r, four sum, four count, four all)
{
    const four none = {0.0, 0.0, 0.0, 0.0};
    const four_mask size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    four_mask is_whole = count == all, is_gone = (count == none) & (all == all) & ~is_whole;
    if (!are_all(is_whole | is_gone)) {
        four weight[4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            memcpy(&weight[k], p->coef + 4 * (r + k), sizeof weight[k]);
            weight[k] = (four)((four_mask)weight[k] & size);
        }
        is_gone = ((four)((four_mask)count & size) <= 1e-12 * sums_of_four(weight)) & ~is_whole;
        four_mask is_part = ~is_whole & ~is_gone;
        four divisor = (four)(((four_mask)count & is_part) | ((four_mask)(none + 1.0) & ~is_part));
        four scaled = (four)((four_mask)sum & is_part) / divisor * all;
        sum = (four)(((four_mask)scaled & is_part) | ((four_mask)sum & ~is_part));
    }
    return (four)(((four_mask)(p->factor * sum) & ~is_gone) | ((four_mask)(none + a->missing) & is_gone));
}

/* Adds up what counts of four rows of four entries each. */
INLINE void count_four_rows(const h3ou__rows *p, const h3ou__absence *a, int64_t r, const source *from, four *sum,
                            four *count, int is_shared)
{
    const int64_t may_be_nan = -(int64_t)!a->skips_nan;
    const four_mask any = {may_be_nan, may_be_nan, may_be_nan, may_be_nan};
    four term[4], coef[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        const int32_t *col = p->col + 4 * (r + k);
        four value = four_of(from, col), c;
        memcpy(&c, p->coef + 4 * (r + k), sizeof c);
        four_mask counts = (value == value) | any;
        if (is_shared) {
            four part = shares_of_four(a->share, col);
            counts &= ~(part <= 0.0);
            c *= part;
        }
        coef[k] = (four)((four_mask)c & counts);
        term[k] = coef[k] * (four)((four_mask)value & counts);
    }
    *sum = sums_of_four(term);
    *count = sums_of_four(coef);
}

/* Where four rows of four entries each count fully, or nothing of them does, little is to be computed. */
INLINE void count_fours(const h3ou__rows *p, const h3ou__absence *a, int64_t r, const source *from, double *to,
                        int is_shared)
{
    four_mask ones = {-1, -1, -1, -1}, zeros = ones;
    four coef[4], sum = {0.0, 0.0, 0.0, 0.0}, count = sum;
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
        const int32_t *col = p->col + 4 * (r + k);
        four part = is_shared ? shares_of_four(a->share, col) : four_of(from, col);
        ones &= part == 1.0;
        zeros &= is_shared ? part <= 0.0 : part != part;
        memcpy(&coef[k], p->coef + 4 * (r + k), sizeof coef[k]);
    }
    if (is_shared && !a->skips_nan && are_all(ones)) {
        sum = p->factor * sum_four_rows(p, r, from);
    } else {
        if (!are_all(zeros))
            count_four_rows(p, a, r, from, &sum, &count, is_shared);
        sum = means_of_four(p, a, r, sum, count, sums_of_four(coef));
    }
    memcpy(to + r, &sum, sizeof sum);
}
#endif

TARGET static void count_layer(const h3ou__rows *p, const h3ou__absence *a, const void *sources, double *to)
{
    const source *from = sources;
    int64_t r = 0;
#if WIDTH >= 4
    for (; r + 4 <= p->count && !p->start && p->links == 4; r += 4)
        if (a->share)
            count_fours(p, a, r, from, to, 1);
        else if (has_nan(4, to + r))
            count_fours(p, a, r, from, to, 0);
#endif
    count_rows(p, a, r, p->count, from, to);
}

TARGET static int count_fully(const h3ou__rows *p, const double *share)
{
    int64_t i = row_begin(p, 0), end = row_begin(p, p->count);
    int all = 1;
#if WIDTH >= 4
    four_mask ones = {-1, -1, -1, -1};
    for (; i + 4 <= end; i += 4)
        ones &= shares_of_four(share, p->col + i) == 1.0;
    all = are_all(ones);
#endif
    for (; i < end; i++)
        all &= share[p->col[i]] == 1.0;
    return all;
}

/* Four rows of four layers. */
INLINE void turn_four(const double *from, int64_t stride, double *to, int64_t to_stride)
{
#if WIDTH < 4
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        for (int r = 0; r < 4; r++)
            to[k * to_stride + r] = from[r * stride + k];
#else
    four x[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        memcpy(&x[k], from + k * stride, sizeof x[k]);
    transpose_four(x);
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        memcpy(to + k * to_stride, &x[k], sizeof x[k]);
#endif
}

/* Copies to memory past the caches, by whole lines. */
INLINE void stream_values(int64_t n, const double *from, double *to)
{
    int64_t i = 0;
#ifdef __x86_64__
    for (; i < n && (uintptr_t)(to + i) % (LINE * sizeof *to) != 0; i++)
        to[i] = from[i];
    for (; i + LINE <= n; i += LINE)
        for (int k = 0; k < LINE; k += 2)
            _mm_stream_pd(to + i + k, _mm_loadu_pd(from + i + k));
#endif
    for (; i < n; i++)
        to[i] = from[i];
}

TARGET static void turn(int64_t count, int layers, const double *from, int64_t stride, double *to, int64_t to_stride)
{
    int64_t whole = count / 4 * 4;
    int k = 0;
    for (; k + 4 <= layers; k += 4) {
        for (int64_t r = 0; r < whole; r += 4)
            turn_four(from + r * stride + k, stride, to + k * to_stride + r, to_stride);
        for (int64_t r = whole; r < count; r++)
            for (int j = k; j < k + 4; j++)
                to[j * to_stride + r] = from[r * stride + j];
    }
    for (; k < layers; k++)
        for (int64_t r = 0; r < count; r++)
            to[k * to_stride + r] = from[r * stride + k];
}

/* Four layers at a time by way of the first cache. */
TARGET static void turn_past_caches(int64_t count, int layers, const double *from, int64_t stride, double *to,
                                    int64_t to_stride)
{
    double some[4 * H3OU__PART_ROWS];
    for (int k = 0; k < layers; k += 4) {
        int n = layers - k < 4 ? layers - k : 4;
        turn(count, n, from + k, stride, some, H3OU__PART_ROWS);
        for (int j = 0; j < n; j++)
            stream_values(count, some + j * H3OU__PART_ROWS, to + (k + j) * to_stride);
    }
}

const h3ou__row_kernels KERNELS = {sum_together, sum_apart, sum_counted, count_layer,
                                   count_fully,  has_nan,   turn,        turn_past_caches};
