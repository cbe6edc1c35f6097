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

#include "base/four_values.h"
#include "interp/kernels/row_sums.h"

#define INLINE static inline TARGET __attribute__((always_inline))

enum { MOST = 10 };                   /* vectors whose sums stay in registers */
enum { LINE = 8 };                    /* doubles in a cache line */
enum { TABLE_AHEAD = 512 };           /* entries: a page of coefficients */
enum { FAR_AHEAD = 512 };             /* entries whose sources are fetched ahead with one layer */
enum { LINES_AHEAD = 192, AHEAD = 48 }; /* cache lines of sources that are fetched ahead; the least entries */

typedef SOURCE source;
enum { SOURCES = 64 / sizeof(source) }; /* in a cache line */
typedef source source_vector __attribute__((vector_size(WIDTH * sizeof(source))));
typedef source source_four __attribute__((vector_size(4 * sizeof(source))));

typedef double vector __attribute__((vector_size(WIDTH * sizeof(double))));
typedef int64_t mask __attribute__((vector_size(WIDTH * sizeof(double))));

#define LOAD(v, from) memcpy(&(v), (from), sizeof(vector))
#define STORE(to, v)  memcpy((to), &(v), sizeof(vector))

typedef h3ou__four four;
typedef h3ou__four_mask four_mask;

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

/* Some of the rows, from row r on. */
INLINE h3ou__rows rows_from(const h3ou__rows *p, int64_t r, int64_t count)
{
    h3ou__rows rows = *p;
    int64_t before = p->start ? 0 : r * p->links;
    rows.count = count;
    rows.start = p->start ? p->start + r : NULL;
    rows.col += before;
    rows.coef += before;
    rows.entries -= before;
    if (p->divisor) {
        rows.divisor += r;
        rows.whole += r;
    }
    return rows;
}

/* Returns how many entries after `end` those stand whose sources are fetched into the cache while the sources of the
 * entries before `end` are added up: without, a row waits for the second cache twice as long as it computes. entries:
 * how many may be read. n: vectors of each source; a constant where this is inlined. */
INLINE int64_t entries_ahead(int64_t end, int64_t entries, int n)
{
    int lines = (n * WIDTH + SOURCES - 1) / SOURCES;
    int64_t ahead = LINES_AHEAD / lines > AHEAD ? LINES_AHEAD / lines : AHEAD;
    return ahead < entries - end ? ahead : entries - end;
}

/* Fetches n vectors of a source into the cache. */
INLINE void fetch_source(const source *v, int n)
{
#pragma GCC unroll 10
    for (int k = 0; k < n * WIDTH; k += SOURCES)
        __builtin_prefetch(v + k);
}

/* Fetches as many entries as first..end-1, TABLE_AHEAD after them: the processor reads ahead by itself, but not beyond
 * a page. */
INLINE void fetch_entries(const h3ou__rows *p, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i += LINE) {
        __builtin_prefetch(p->coef + i + TABLE_AHEAD);
        __builtin_prefetch(p->col + i + TABLE_AHEAD);
    }
}

/* Fetches what rows after row r are scaled by. */
INLINE void fetch_divisors(const h3ou__rows *p, int64_t r)
{
    __builtin_prefetch(p->divisor + r + TABLE_AHEAD);
    __builtin_prefetch(p->whole + r + TABLE_AHEAD);
}

/* Fetches, as p->fetched says, for sixteen entries from number i on: entries, and the sources of entries FAR_AHEAD
 * after them, of `size` bytes each. fetched: that of p, perhaps a constant where this is inlined. */
INLINE void fetch_sixteen(const h3ou__rows *p, int64_t i, const void *from, int64_t size, int fetched)
{
    if (fetched == H3OU__FETCH_NOTHING)
        return;
    fetch_entries(p, i, i + 16);
    if (fetched != H3OU__FETCH_SOURCES)
        return;
    const int32_t *col = p->col + (i + FAR_AHEAD + 16 <= p->entries ? i + FAR_AHEAD : i);
#pragma GCC unroll 16
    for (int k = 0; k < 16; k++)
        __builtin_prefetch((const char *)from + col[k] * size);
}

/* Returns whether all lanes of a mask are set. */
INLINE int are_lanes(mask m)
{
#if WIDTH == 8
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) == 0xff;
#elif WIDTH == 4
    return _mm256_movemask_pd((__m256d)m) == 15;
#else
    return m[0] != 0 && m[1] != 0;
#endif
}

/* What the sums of rows become, and whether NaN is looked for in it. */
enum task { SUM, LOOK, SCALE };

/* Returns what the sum of row r becomes. task: a constant where this is inlined. */
INLINE double result_of(const h3ou__rows *p, int64_t r, double sum, int task)
{
    return p->factor * (task == SCALE ? sum / p->divisor[r] * p->whole[r] : sum);
}

/* Adds n vectors of layers of some entries, of which the last one may overlap the one before, to sums. ahead: of
 * entries_ahead; n: a constant where this is inlined. */
INLINE void add_entries(int64_t count, const int32_t *col, const double *coef, int64_t ahead, const source *from,
                        int64_t stride, int layers, vector sum[], int n)
{
    for (int64_t i = 0; i < count; i++) {
        const source *v = from + col[i] * stride;
        fetch_source(from + col[i + ahead] * stride, n);
#pragma GCC unroll 10
        for (int k = 0; k < n; k++)
            sum[k] += coef[i] * load_sources(v + (k < n - 1 ? k * WIDTH : layers - WIDTH));
    }
}

/* n vectors of layers of all rows. Returns whether a result is NaN, if it looks for one. links: how many entries each
 * row has, 0: any number; n, task and links are constants where this is inlined. */
INLINE int sum_rows_of(const h3ou__rows *all, const source *from, int64_t stride, int layers, double *to,
                       int64_t to_stride, int n, int task, int links)
{
    const h3ou__rows rows = *all, *p = &rows; /* which no store to the results may change */
    mask numbers = ~(mask){0};
    int64_t ahead = links ? entries_ahead(links * p->count, p->entries, n) : 0;
    for (int64_t r = 0; r < p->count; r++, to += to_stride) {
        int64_t first = links ? links * r : row_begin(p, r), end = links ? first + links : row_begin(p, r + 1);
        vector sum[MOST] = {{0}};
        if (!links)
            ahead = entries_ahead(end, p->entries, n);
        fetch_entries(p, first, end);
        if (task == SCALE && p->fetched != H3OU__FETCH_NOTHING)
            fetch_divisors(p, r);
        add_entries(links ? links : end - first, p->col + first, p->coef + first, ahead, from, stride, layers, sum, n);
#pragma GCC unroll 10
        for (int k = 0; k < n; k++) {
            vector x = p->factor * (task == SCALE ? sum[k] / p->divisor[r] * p->whole[r] : sum[k]);
            if (task != SUM)
                numbers &= x == x;
            STORE(to + (k < n - 1 ? k * WIDTH : layers - WIDTH), x);
        }
    }
    return task != SUM && !are_lanes(numbers);
}

/* The same by the loop for rows of so many entries. */
INLINE int sum_vectors(const h3ou__rows *p, const source *from, int64_t stride, int layers, double *to,
                       int64_t to_stride, int n, int task)
{
    if (!p->start && p->links == 4)
        return sum_rows_of(p, from, stride, layers, to, to_stride, n, task, 4);
    return sum_rows_of(p, from, stride, layers, to, to_stride, n, task, 0);
}

/* The same of layers that fill no vector. */
INLINE int sum_few(const h3ou__rows *p, const source *from, int64_t stride, int layers, double *to, int64_t to_stride,
                   int task)
{
    int found = 0;
    for (int64_t r = 0; r < p->count; r++, to += to_stride)
        for (int k = 0; k < layers; k++) {
            double sum = 0.0;
            for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++)
                sum += p->coef[i] * from[p->col[i] * stride + k];
            to[k] = result_of(p, r, sum, task);
            found |= isnan(to[k]);
        }
    return found;
}

/* Returns how many of `left` layers to take together, so that those after them fill a vector. */
INLINE int layers_of_block(int left, int vectors)
{
    int most = vectors * WIDTH;
    return left <= most ? left : left - most < WIDTH ? most - WIDTH : most;
}

/* Returns whether a result is NaN, if it looks for one. task: a constant where this is inlined. */
INLINE int sum_layers(const h3ou__rows *p, const source *from, int64_t stride, int layers, double *to,
                      int64_t to_stride, int task)
{
    int found = 0;
    for (int first = 0, n; first < layers; first += n) {
        const source *v = from + first;
        double *out = to + first;
        n = layers_of_block(layers - first, MOST);
        switch (n < WIDTH ? 0 : (n + WIDTH - 1) / WIDTH) {
        case 0:
            found |= sum_few(p, v, stride, n, out, to_stride, task);
            break;
        case 1:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 1, task);
            break;
        case 2:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 2, task);
            break;
        case 3:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 3, task);
            break;
        case 4:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 4, task);
            break;
        case 5:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 5, task);
            break;
        case 6:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 6, task);
            break;
        case 7:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 7, task);
            break;
        case 8:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 8, task);
            break;
        case 9:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 9, task);
            break;
        default:
            found |= sum_vectors(p, v, stride, n, out, to_stride, 10, task);
        }
    }
    return found;
}

TARGET static void sum_together(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to,
                                int64_t to_stride)
{
    sum_layers(p, from, stride, layers, to, to_stride, SUM);
}

TARGET static int sum_looking_for_nan(const h3ou__rows *p, const source *from, int64_t stride, int layers, double *to,
                                      int64_t to_stride)
{
    return sum_layers(p, from, stride, layers, to, to_stride, LOOK);
}

TARGET static int scale_together(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to,
                                 int64_t to_stride)
{
    return sum_layers(p, from, stride, layers, to, to_stride, SCALE);
}

#if WIDTH >= 4
/* Returns the sums of four rows of four terms, each in the order of its terms. */
INLINE four sums_of_four(const four row[4])
{
    four sum = {0.0, 0.0, 0.0, 0.0}, term[4] = {row[0], row[1], row[2], row[3]};
    h3ou__transpose_four(term);
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        sum += term[k];
    return sum;
}

/* Returns the sources number a to d. GCC 12 moves the numbers of floats to other registers and back, unless it is told
 * what to read. Insertions would go to the same part of the processor as the shuffles that put the terms in order,
 * which would then take longest; blends go to others, too. */
INLINE four four_sources(const source *from, int32_t a, int32_t b, int32_t c, int32_t d)
{
    if (sizeof(source) == sizeof(double))
        return (four){from[a], from[b], from[c], from[d]};
    const float *single = (const float *)(const void *)from;
    __m128 first = _mm_blend_ps(_mm_load_ss(single + a), _mm_broadcast_ss(single + b), 2);
    __m128 second = _mm_blend_ps(_mm_broadcast_ss(single + c), _mm_broadcast_ss(single + d), 8);
    return (four)_mm256_cvtps_pd(_mm_blend_ps(first, second, 12));
}

INLINE four four_of(const source *from, const int32_t *col)
{
    return four_sources(from, col[0], col[1], col[2], col[3]);
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

/* Returns the number of rows that it computed, a multiple of four. task, and fetched, which is that of p: constants
 * where this is inlined. */
INLINE int64_t sum_fours(const h3ou__rows *p, const source *restrict from, double *restrict to, int task, int fetched)
{
    int64_t r = 0;
    for (; r + 4 <= p->count; r += 4) {
        fetch_sixteen(p, 4 * r, from, sizeof *from, fetched);
        four sum = sum_four_rows(p, r, from), divisor, whole;
        if (task == SCALE) {
            if (fetched != H3OU__FETCH_NOTHING)
                fetch_divisors(p, r);
            memcpy(&divisor, p->divisor + r, sizeof divisor);
            memcpy(&whole, p->whole + r, sizeof whole);
            sum = sum / divisor * whole;
        }
        sum = p->factor * sum;
        memcpy(to + r, &sum, sizeof sum);
    }
    return r;
}
#endif

/* One layer. links: how many each row has, 0: any number; links and task are constants where this is inlined. */
INLINE void sum_layer(const h3ou__rows *p, const source *restrict from, double *restrict to, int links, int task)
{
    const int32_t *col = p->col;
    const double *coef = p->coef;
    int64_t r = 0;
#if WIDTH >= 4
    if (links == 4)
        r = p->fetched == H3OU__FETCH_NOTHING   ? sum_fours(p, from, to, task, H3OU__FETCH_NOTHING)
            : p->fetched == H3OU__FETCH_ENTRIES ? sum_fours(p, from, to, task, H3OU__FETCH_ENTRIES)
                                                : sum_fours(p, from, to, task, H3OU__FETCH_SOURCES);
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
            int64_t first = row_begin(p, r), end = row_begin(p, r + 1);
            if (p->fetched != H3OU__FETCH_NOTHING)
                fetch_entries(p, first, end);
            for (int64_t i = first; i < end; i++)
                sum += coef[i] * from[col[i]];
        }
        to[r] = result_of(p, r, sum, task);
    }
}

/* Computes one layer by the loop for rows of so many entries. */
INLINE void sum_any_layer(const h3ou__rows *p, const source *restrict from, double *restrict to, int task)
{
    if (!p->start && p->links == 3)
        sum_layer(p, from, to, 3, task);
    else if (!p->start && p->links == 4)
        sum_layer(p, from, to, 4, task);
    else
        sum_layer(p, from, to, 0, task);
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
        sum_any_layer(p, from + k * stride, to + k * to_stride, SUM);
}

#include "interp/kernels/counted_kernels.h"

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
    h3ou__transpose_four(x);
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
#if WIDTH == 8
        _mm512_stream_pd(to + i, _mm512_loadu_pd(from + i));
#elif WIDTH == 4
        for (int k = 0; k < LINE; k += 4)
            _mm256_stream_pd(to + i + k, _mm256_loadu_pd(from + i + k));
#else
        for (int k = 0; k < LINE; k += 2)
            _mm_stream_pd(to + i + k, _mm_loadu_pd(from + i + k));
#endif
#endif
    for (; i < n; i++)
        to[i] = from[i];
}

/* Four rows of at most a cache line of layers, `layers` of them. */
INLINE void turn_four_rows(int layers, const double *from, int64_t stride, double *to, int64_t to_stride)
{
    int k = 0;
    for (; k + 4 <= layers; k += 4)
        turn_four(from + k, stride, to + k * to_stride, to_stride);
    for (; k < layers; k++)
        for (int r = 0; r < 4; r++)
            to[k * to_stride + r] = from[r * stride + k];
}

/* At most a cache line of layers, `layers` of them. A whole line has a loop of its own, where their number is a
 * constant. */
INLINE void turn_line(int64_t count, int layers, const double *from, int64_t stride, double *to, int64_t to_stride)
{
    int64_t r = 0;
    for (; r + 4 <= count && layers == LINE; r += 4)
        turn_four_rows(LINE, from + r * stride, stride, to + r, to_stride);
    for (; r + 4 <= count; r += 4)
        turn_four_rows(layers, from + r * stride, stride, to + r, to_stride);
    for (; r < count; r++)
        for (int k = 0; k < layers; k++)
            to[k * to_stride + r] = from[r * stride + k];
}

/* A cache line of layers at a time, so that each line is read once. */
TARGET static void turn(int64_t count, int layers, const double *from, int64_t stride, double *to, int64_t to_stride)
{
    for (int k = 0; k < layers; k += LINE)
        turn_line(count, layers - k < LINE ? layers - k : LINE, from + k, stride, to + k * to_stride, to_stride);
}

/* A cache line of layers at a time by way of the first cache. */
TARGET static void turn_past_caches(int64_t count, int layers, const double *from, int64_t stride, double *to,
                                    int64_t to_stride)
{
    double some[LINE * H3OU__STORE_ROWS];
    for (int k = 0; k < layers; k += LINE) {
        int n = layers - k < LINE ? layers - k : LINE;
        turn_line(count, n, from + k, stride, some, H3OU__STORE_ROWS);
        for (int j = 0; j < n; j++)
            stream_values(count, some + j * H3OU__STORE_ROWS, to + (k + j) * to_stride);
    }
}

const h3ou__row_kernels KERNELS = {sum_together,   sum_apart,    count_together, count_apart,
                                   scale_together, scale_apart,  count_sorted,   are_ones,
                                   mark,           pair_sources, turn,           turn_past_caches};
