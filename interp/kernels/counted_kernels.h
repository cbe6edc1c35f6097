/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of row_kernels.h, which includes it, for rows of which not all entries count: shares of source cells, and
 * values that are NaN. Cells that do not count mostly stand together, as land does: rows are computed as if all counted
 * where that can be seen to give the same bits, and only the others entry by entry.
 */

typedef double pair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t pair_mask __attribute__((vector_size(2 * sizeof(double))));

enum { MOST_COUNTED = 5 };   /* vectors whose two sums stay in registers */
enum { MOST_ENTRIES = 256 }; /* of a row with shares whose layers are computed together */
enum { ROWS_LOOKED_AT = 8 }; /* computed together before NaN is looked for in them */

/* What `mark` writes in place of a value: NaN with bits that float has, too. */
#define ABSENT  INT64_C(0x7ff8000020000000) /* the source does not count */
#define PARTIAL INT64_C(0x7ff8000040000000) /* what counts of it is to be looked up */

/* Returns x in each lane. A sum with 0 would lose the sign of -0. */
INLINE vector in_all_lanes(double x)
{
    return x - (vector){0};
}

/* Returns x in the lanes that are set, else y. */
INLINE vector choose(mask m, vector x, vector y)
{
    return (vector)(((mask)x & m) | ((mask)y & ~m));
}

INLINE int has_nan(int n, const double *value)
{
    mask found = {0};
    int i = 0, rest = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        vector x;
        LOAD(x, value + i);
        found |= x != x;
    }
    for (; i < n; i++)
        rest |= isnan(value[i]);
    return rest || !are_lanes(~found);
}

#if WIDTH >= 4
INLINE four shares_of_four(const double *share, const int32_t *col)
{
    return (four){share[col[0]], share[col[1]], share[col[2]], share[col[3]]};
}

INLINE int are_all(four_mask m)
{
    return _mm256_movemask_pd((__m256d)m) == 15;
}

INLINE int has_one(four_mask m)
{
    return _mm256_movemask_pd((__m256d)m) != 0;
}

/* The sums of the coefficients of four rows, and of their sizes. */
typedef struct four_wholes {
    four all, weight;
} four_wholes;

/* coef: of each row's entry k. */
INLINE four_wholes wholes_of_four(const four coef[4])
{
    const four_mask size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    four_wholes sums = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        sums.all += coef[k];
    four_mask signs = (four_mask)coef[0] | (four_mask)coef[1] | (four_mask)coef[2] | (four_mask)coef[3];
    if (!has_one(signs)) { /* none is below 0 */
        sums.weight = sums.all;
        return sums;
    }
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        sums.weight += (four)((four_mask)coef[k] & size);
    return sums;
}

INLINE four choose_four(four_mask m, four x, four y)
{
    return (four)(((four_mask)x & m) | ((four_mask)y & ~m));
}
#endif

/* Returns the value of a row. sum: of what counts, and of its coefficients; all: of all coefficients, and of their
 * sizes. */
INLINE double mean_of_counted(const h3ou__rows *p, const h3ou__absence *a, pair sum, pair all)
{
    if (sum[1] == all[0]) /* all count: the same bits as without shares and NaN */
        return p->factor * sum[0];
    return fabs(sum[1]) <= 1e-12 * all[1] ? a->missing : p->factor * (sum[0] / sum[1] * all[0]);
}

/* Returns the value of row r by its definition (h3ou__apply), with both lanes of a pair: the sums of coef * value and
 * of coef, over what counts, and of coef and |coef| over all entries. is_shared is a constant where this is inlined. */
INLINE double counted_value(const h3ou__rows *p, const h3ou__absence *a, int64_t r, const source *from, int64_t stride,
                            int is_shared)
{
    const pair_mask size = {-1, INT64_MAX}, any = {-(int64_t)!a->skips_nan, -(int64_t)!a->skips_nan};
    pair sum = {0.0, 0.0}, all = {0.0, 0.0};
    for (int64_t i = row_begin(p, r), end = row_begin(p, r + 1); i < end; i++) {
        double v = from[p->col[i] * stride], c = p->coef[i];
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
    return mean_of_counted(p, a, sum, all);
}

TARGET static double defined_value(const h3ou__rows *p, const h3ou__absence *a, int64_t r, const source *from,
                                   int64_t stride)
{
    return a->share ? counted_value(p, a, r, from, stride, 1) : counted_value(p, a, r, from, stride, 0);
}

/* The entries of a row that count, if their values do, with coefficients times shares. */
typedef struct counted_row {
    int64_t entries, readable; /* of the row; of it and rows after it in the same arrays */
    const int32_t *col;
    const double *coef;
    double counted;       /* sum of coef */
    double whole, weight; /* sums of the table's coefficients and of their sizes, over all entries of the row */
} counted_row;

/* Some rows with shares, whose entries that count stand one after the other. */
typedef struct shared_rows {
    int64_t count, start[H3OU__PART_ROWS + 1];
    int32_t col[MOST_ENTRIES];
    double coef[MOST_ENTRIES];
    counted_row row[H3OU__PART_ROWS];
    double divisor[H3OU__PART_ROWS], whole[H3OU__PART_ROWS]; /* of the sums; a divisor is NaN where nothing counts */
} shared_rows;

/* A row of so many entries, from number `first` on, without its sums. */
INLINE counted_row entries_from(const h3ou__rows *p, int64_t first, int64_t count)
{
    return (counted_row){count, p->entries - first, p->col + first, p->coef + first, 0.0, 0.0, 0.0};
}

/* Returns the sum of the coefficients of a row. */
INLINE double whole_of(const counted_row *row)
{
    double whole = 0.0;
    for (int64_t i = 0; i < row->entries; i++)
        whole += row->coef[i];
    return whole;
}

INLINE counted_row full_row(const h3ou__rows *p, int64_t r)
{
    counted_row row = entries_from(p, row_begin(p, r), row_begin(p, r + 1) - row_begin(p, r));
    for (int64_t i = 0; i < row.entries; i++) {
        row.whole += row.coef[i];
        row.weight += fabs(row.coef[i]);
    }
    row.counted = row.whole;
    return row;
}

/* Appends row r, for whose entries there is room. */
INLINE void add_shared_row(shared_rows *to, const h3ou__rows *p, const double *share, int64_t r)
{
    counted_row row = full_row(p, r);
    int64_t first = to->start[to->count], n = first;
    row.counted = 0.0;
    for (int64_t i = 0; i < row.entries; i++) {
        double part = share[row.col[i]];
        int counts = !(part <= 0.0);
        to->col[n] = row.col[i];
        to->coef[n] = row.coef[i] * part;
        row.counted += counts ? to->coef[n] : 0.0;
        n += counts;
    }
    row.entries = row.readable = n - first;
    row.col = to->col + first;
    row.coef = to->coef + first;
    int is_whole = row.counted == row.whole; /* the sum stays as it is: x / 1 * 1 has the bits of x */
    to->divisor[to->count] = is_whole ? 1.0 : fabs(row.counted) <= 1e-12 * row.weight ? NAN : row.counted;
    to->whole[to->count] = is_whole ? 1.0 : row.whole;
    to->row[to->count++] = row;
    to->start[to->count] = n;
}

/* Rows with their layers next to each other, and how they are computed. */
typedef struct counting {
    const h3ou__rows *rows;
    const h3ou__absence *absence;
    const source *from;
    int64_t stride;
    int layers;
    double *to;
    int64_t to_stride;
    int expects_nan; /* the row before had some */
} counting;

/* Adds c and c * x where x is a number. */
INLINE void add_counted(vector *sum, vector *counted, vector c, vector x)
{
#if WIDTH == 8
    __mmask8 numbers = _mm512_cmp_pd_mask((__m512d)x, (__m512d)x, _CMP_ORD_Q);
    *sum = (vector)_mm512_mask_add_pd((__m512d)*sum, numbers, (__m512d)*sum, (__m512d)(c * x));
    *counted = (vector)_mm512_mask_add_pd((__m512d)*counted, numbers, (__m512d)*counted, (__m512d)c);
#else
    mask numbers = x == x;
    *sum += c * (vector)((mask)x & numbers);
    *counted += (vector)((mask)c & numbers);
#endif
}

/* Returns means of sums of what counts, of which `counted` are the coefficients. */
INLINE vector means_of(const counting *c, const counted_row *row, vector sum, vector counted)
{
    const vector none = {0};
    vector size = (vector)((mask)counted & INT64_MAX);
    mask all = counted == row->whole;
    if (are_lanes(all))
        return c->rows->factor * sum;
    mask misses = (size <= 1e-12 * row->weight) & ~all;
    if (!are_lanes(all | misses)) {
        mask part = ~all & ~misses;
        vector divisor = choose(part, counted, none + 1.0), scaled = (vector)((mask)sum & part) / divisor * row->whole;
        sum = choose(part, scaled, sum);
    }
    return choose(misses, in_all_lanes(c->absence->missing), c->rows->factor * sum);
}

/* Returns whether nothing counts in n vectors of layers of a row: all values are NaN, and the coefficients add up to
 * `whole`, which is not 0: of a whole of 0, nothing is all that counts. n is a constant where this is inlined. */
INLINE int is_gone(const counting *c, const counted_row *row, double whole, const source *from, int layers, int n)
{
    mask numbers = {0};
    if (!(fabs(whole) > 0.0))
        return 0;
    int64_t ahead = entries_ahead(row->entries, row->readable, n);
    for (int64_t i = 0; i < row->entries; i++) {
        const source *v = from + row->col[i] * c->stride;
        fetch_source(from + row->col[i + ahead] * c->stride, n);
#pragma GCC unroll 5
        for (int k = 0; k < n; k++) {
            vector x = load_sources(v + (k < n - 1 ? k * WIDTH : layers - WIDTH));
            numbers |= x == x;
        }
    }
    return are_lanes(~numbers);
}

/* n vectors of layers of a row, of which the last one may overlap the one before. Returns whether NaN is among the
 * values of a source with a coefficient. n is a constant where this is inlined. */
INLINE int mean_vectors(const counting *c, const counted_row *row, const source *from, int layers, double *to, int n)
{
    vector sum[MOST_COUNTED] = {{0}}, counted[MOST_COUNTED] = {{0}};
    mask full = ~(mask){0};
    if (c->expects_nan && is_gone(c, row, row->whole, from, layers, n)) {
        for (int k = 0; k < layers; k++)
            to[k] = c->absence->missing;
        return 1;
    }
    int64_t ahead = entries_ahead(row->entries, row->readable, n);
    for (int64_t i = 0; i < row->entries; i++) {
        const source *v = from + row->col[i] * c->stride;
        vector coef = (vector){0} + row->coef[i];
        fetch_source(from + row->col[i + ahead] * c->stride, n);
#pragma GCC unroll 5
        for (int k = 0; k < n; k++)
            add_counted(&sum[k], &counted[k], coef, load_sources(v + (k < n - 1 ? k * WIDTH : layers - WIDTH)));
    }
#pragma GCC unroll 5
    for (int k = 0; k < n; k++) {
        vector x = means_of(c, row, sum[k], counted[k]);
        full &= counted[k] == row->counted;
        STORE(to + (k < n - 1 ? k * WIDTH : layers - WIDTH), x);
    }
    return !are_lanes(full);
}

/* Computes row r from the values that are not NaN; returns as mean_vectors does. */
TARGET static int mean_of_numbers(const counting *c, int64_t r, const counted_row *row, double *to)
{
    int found = 0;
    for (int first = 0, n; first < c->layers; first += n) {
        const source *from = c->from + first;
        n = layers_of_block(c->layers - first, MOST_COUNTED);
        switch (n < WIDTH ? 0 : (n + WIDTH - 1) / WIDTH) {
        case 0:
            for (int k = 0; k < n; k++)
                to[first + k] = defined_value(c->rows, c->absence, r, from + k, c->stride);
            return 1;
        case 1:
            found |= mean_vectors(c, row, from, n, to + first, 1);
            break;
        case 2:
            found |= mean_vectors(c, row, from, n, to + first, 2);
            break;
        case 3:
            found |= mean_vectors(c, row, from, n, to + first, 3);
            break;
        case 4:
            found |= mean_vectors(c, row, from, n, to + first, 4);
            break;
        default:
            found |= mean_vectors(c, row, from, n, to + first, 5);
        }
    }
    return found;
}

/* Computes from the numbers among their values those of some rows whose result is NaN, or all where NaN was there
 * before. */
INLINE void leave_nan_out(counting *c, int64_t r, int64_t count)
{
    int all = c->expects_nan;
    for (int64_t end = r + count; r < end; r++) {
        double *to = c->to + r * c->to_stride;
        c->expects_nan = all || has_nan(c->layers, to);
        if (c->expects_nan) {
            counted_row row = full_row(c->rows, r);
            c->expects_nan = mean_of_numbers(c, r, &row, to);
        }
    }
}

/* Some rows from row r on, whose sources all have share 1. */
INLINE void count_full_rows(counting *c, int64_t r, int64_t count)
{
    h3ou__rows some = rows_from(c->rows, r, count);
    double *to = c->to + r * c->to_stride;
    if (!c->absence->skips_nan)
        sum_together(&some, c->from, c->stride, c->layers, to, c->to_stride);
    else if (c->expects_nan || sum_looking_for_nan(&some, c->from, c->stride, c->layers, to, c->to_stride))
        leave_nan_out(c, r, count);
}

/* Fetches the shares of the entries whose sources, n vectors each, are fetched while first..end-1 are added. */
INLINE void fetch_shares(const h3ou__rows *p, const double *share, int64_t first, int64_t end, int n)
{
    int64_t ahead = entries_ahead(end, p->entries, n);
    for (int64_t i = first; i < end; i++)
        __builtin_prefetch(share + p->col[i + ahead]);
}

/* Returns which enum h3ou__row_kind a row is. */
INLINE int kind_of_entries(const counted_row *row, const double *share)
{
    int full = 1, gone = 1;
    int64_t i = 0;
#if WIDTH >= 4
    for (; i + 4 <= row->entries; i += 4) {
        four part = shares_of_four(share, row->col + i);
        full &= are_all(part == 1.0);
        gone &= are_all(part <= 0.0);
    }
#endif
    for (; i < row->entries; i++) {
        full &= share[row->col[i]] == 1.0;
        gone &= share[row->col[i]] <= 0.0;
    }
    return full                                ? H3OU__ROW_FULL
           : gone && fabs(whole_of(row)) > 0.0 ? H3OU__ROW_GONE
                                               : H3OU__ROW_MIXED; /* of a whole of 0, nothing is all that counts */
}

INLINE int kind_of_row(const h3ou__rows *p, const double *share, int64_t r)
{
    int64_t first = row_begin(p, r), end = row_begin(p, r + 1);
    counted_row row = entries_from(p, first, end - first);
    if (p->fetched != H3OU__FETCH_NOTHING) {
        fetch_entries(p, first, end);
        fetch_shares(p, share, first, end, 1);
    }
    return kind_of_entries(&row, share);
}

/* Returns how many rows from row r on, `most` at most, are of the same kind. */
INLINE int64_t rows_alike(const h3ou__rows *p, const double *share, int64_t r, int64_t most, int *kind)
{
    int64_t end = most < p->count - r ? r + most : p->count, first = r;
    *kind = share ? kind_of_row(p, share, r) : H3OU__ROW_FULL;
    for (r++; share && r < end && kind_of_row(p, share, r) == *kind; r++)
        continue;
    return share ? r - first : end - first;
}

/* Means of the rows from row r on that `some` has. */
INLINE void count_shared_rows(counting *c, const shared_rows *some, int64_t r)
{
    h3ou__rows rows = {.count = some->count, .start = some->start, .col = some->col, .coef = some->coef};
    double *to = c->to + r * c->to_stride;
    rows.entries = some->start[some->count];
    rows.factor = c->rows->factor;
    rows.divisor = some->divisor;
    rows.whole = some->whole;
    if (!scale_together(&rows, c->from, c->stride, c->layers, to, c->to_stride))
        return;
    for (int64_t k = 0; k < some->count; k++, to += c->to_stride)
        if (has_nan(c->layers, to) && c->absence->skips_nan)
            c->expects_nan = mean_of_numbers(c, r + k, &some->row[k], to);
        else
            for (int i = 0; i < c->layers && isnan(some->divisor[k]); i++)
                to[i] = c->absence->missing;
}

#if WIDTH >= 4
/* Rows of four entries each, with coefficients times shares. */
typedef struct shared_block {
    double coef[4 * H3OU__PART_ROWS];
    double divisor[H3OU__PART_ROWS], whole[H3OU__PART_ROWS]; /* as of shared_rows */
} shared_block;

/* Finds these of four rows from row r on, as numbers k to k + 3. */
INLINE void share_four_rows(const h3ou__rows *p, const double *share, int64_t r, shared_block *to, int64_t k)
{
    const four none = {0.0, 0.0, 0.0, 0.0};
    const four_mask size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    const int32_t *col = p->col + 4 * r;
    four coef[4], counted = none;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        memcpy(&coef[i], p->coef + 4 * (r + i), sizeof coef[i]);
    h3ou__transpose_four(coef);
    four_wholes sums = wholes_of_four(coef);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        four part = {share[col[i]], share[col[4 + i]], share[col[8 + i]], share[col[12 + i]]};
        coef[i] = (four)((four_mask)(coef[i] * part) & ~(part <= 0.0));
        counted += coef[i];
    }
    four_mask is_whole = counted == sums.all, misses = (four)((four_mask)counted & size) <= 1e-12 * sums.weight;
    four divisor = choose_four(is_whole, none + 1.0, choose_four(misses, none + NAN, counted));
    four whole = choose_four(is_whole, none + 1.0, sums.all);
    memcpy(to->divisor + k, &divisor, sizeof divisor);
    memcpy(to->whole + k, &whole, sizeof whole);
    h3ou__transpose_four(coef);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        memcpy(to->coef + 4 * (k + i), &coef[i], sizeof coef[i]);
}

/* Computes some of `most` rows of four entries from row r on; returns how many, a multiple of four. */
TARGET static int64_t count_some_fours(counting *c, int64_t r, int64_t most)
{
    shared_block some;
    shared_rows one;
    int64_t count = (most < H3OU__PART_ROWS ? most : H3OU__PART_ROWS) / 4 * 4;
    double *to = c->to + r * c->to_stride;
    h3ou__rows rows = rows_from(c->rows, r, count);
    for (int64_t k = 0; k < count; k += 4)
        share_four_rows(c->rows, c->absence->share, r + k, &some, k);
    rows.coef = some.coef;
    rows.divisor = some.divisor;
    rows.whole = some.whole;
    if (count == 0 || !scale_together(&rows, c->from, c->stride, c->layers, to, c->to_stride))
        return count;
    for (int64_t k = r; k < r + count; k++, to += c->to_stride)
        if (has_nan(c->layers, to)) { /* nothing counts, or a value is NaN, perhaps one that does not count */
            one.count = one.start[0] = 0;
            add_shared_row(&one, c->rows, c->absence->share, k);
            count_shared_rows(c, &one, k);
        }
    return count;
}
#endif

/* Computes some of `most` rows with shares from row r on; returns how many. */
TARGET static int64_t count_some_shared(counting *c, int64_t r, int64_t most)
{
    shared_rows some;
    const h3ou__rows *p = c->rows;
#if WIDTH >= 4
    if (!p->start && p->links == 4 && most >= 4)
        return count_some_fours(c, r, most);
#endif
    some.count = some.start[0] = 0;
    for (int64_t k = r; k < r + most && some.count < H3OU__PART_ROWS; k++) {
        if (row_begin(p, k + 1) - row_begin(p, k) > MOST_ENTRIES - some.start[some.count])
            break;
        add_shared_row(&some, p, c->absence->share, k);
    }
    count_shared_rows(c, &some, r);
    if (some.count > 0)
        return some.count;
    for (int k = 0; k < c->layers; k++) /* a row of more than MOST_ENTRIES */
        c->to[r * c->to_stride + k] = counted_value(p, c->absence, r, c->from + k, c->stride, 1);
    return 1;
}

/* Some rows from row r on, of whose sources none counts. */
INLINE void miss_rows(const counting *c, int64_t r, int64_t count)
{
    double *to = c->to + r * c->to_stride;
    for (int64_t i = 0; i < count; i++, to += c->to_stride)
        for (int k = 0; k < c->layers; k++)
            to[k] = c->absence->missing;
}

/* Sets n vectors of layers of a row as if all its values counted. Where the task is SCALE, sums are divided by
 * p->divisor[r] and multiplied by p->whole[r], else r is not used. Returns whether no result is NaN. n and task are
 * constants where this is inlined. */
INLINE int sum_numbers(const counting *c, const h3ou__rows *p, int64_t r, const counted_row *row, double *to, int n,
                       int task)
{
    vector sum[MOST_COUNTED] = {{0}};
    mask numbers = ~(mask){0};
    int64_t ahead = entries_ahead(row->entries, row->readable, n);
    add_entries(row->entries, row->col, row->coef, ahead, c->from, c->stride, c->layers, sum, n);
#pragma GCC unroll 5
    for (int k = 0; k < n; k++) {
        vector x = p->factor * (task == SCALE ? sum[k] / p->divisor[r] * p->whole[r] : sum[k]);
        numbers &= x == x;
        STORE(to + (k < n - 1 ? k * WIDTH : c->layers - WIDTH), x);
    }
    return are_lanes(numbers);
}

/* Sets all layers of row r by the definition. */
INLINE void define_row(const counting *c, int64_t r, double *to)
{
    for (int k = 0; k < c->layers; k++)
        to[k] = defined_value(c->rows, c->absence, r, c->from + k, c->stride);
}

/* Sets n vectors of layers of a row to the missing value. n is a constant where this is inlined. */
INLINE void miss_vectors(const counting *c, double *to, int n)
{
    const vector missing = in_all_lanes(c->absence->missing);
#pragma GCC unroll 5
    for (int k = 0; k < n; k++)
        STORE(to + (k < n - 1 ? k * WIDTH : c->layers - WIDTH), missing);
}

#include "interp/kernels/nan_kernels.h"
#include "interp/kernels/shared_kernels.h"
#include "interp/kernels/sorted_kernels.h"

TARGET static void count_together(const h3ou__rows *p, const h3ou__absence *a, const void *from, int64_t stride,
                                  int layers, double *to, int64_t to_stride)
{
    counting c = {p, a, from, stride, layers, to, to_stride, 0};
    if (count_where_nan(&c) || count_where_shared(&c))
        return;
    for (int64_t r = 0, n; r < p->count; r += n) {
        int kind;
        n = rows_alike(p, a->share, r, a->skips_nan ? ROWS_LOOKED_AT : p->count, &kind);
        if (kind == H3OU__ROW_FULL)
            count_full_rows(&c, r, n);
        else if (kind == H3OU__ROW_GONE)
            miss_rows(&c, r, n);
        else
            n = count_some_shared(&c, r, n);
    }
}

#include "interp/kernels/apart_kernels.h"

TARGET static int are_ones(int64_t n, const double *share)
{
    enum { TOGETHER = 8 * WIDTH };
    int64_t i = 0;
    for (; i + TOGETHER <= n; i += TOGETHER) {
        mask ones = ~(mask){0};
        for (int k = 0; k < TOGETHER; k += WIDTH) {
            vector x;
            LOAD(x, share + i + k);
            ones &= x == 1.0;
        }
        if (!are_lanes(ones))
            return 0;
    }
    for (; i < n; i++)
        if (share[i] != 1.0)
            return 0;
    return 1;
}

/* Marks a vector of sources; *partial counts, in each lane, those that are PARTIAL. */
INLINE vector marked_values(const h3ou__absence *a, vector x, vector share, mask *partial)
{
    const mask none = {0}, any = none - (int64_t)a->skips_nan;
    mask is_nan = x != x, absent = (share <= 0.0) | (is_nan & any), other = (~(share == 1.0) | is_nan) & ~absent;
    *partial -= other;
    return choose(absent, (vector)(none + ABSENT), choose(other, (vector)(none + PARTIAL), x));
}

TARGET static int64_t mark(int64_t n, const h3ou__absence *a, int64_t first, const void *sources, void *marked)
{
    const source *from = (const source *)sources + first;
    const double *share = a->share + first;
    source *to = (source *)marked + first;
    mask partial = {0};
    int64_t i = 0, sum = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        vector part;
        LOAD(part, share + i);
        source_vector x =
            __builtin_convertvector(marked_values(a, load_sources(from + i), part, &partial), source_vector);
        memcpy(to + i, &x, sizeof x);
    }
    for (int k = 0; k < WIDTH; k++)
        sum += partial[k];
    for (; i < n; i++, sum += partial[0]) {
        vector all = {0};
        partial = (mask){0};
        all = marked_values(a, all + (double)from[i], all + share[i], &partial);
        to[i] = (source)all[0];
    }
    return sum;
}
