/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/single_precision.h"
#include "interp/kernels/row_sums.h"
#include "interp/weights/kept_shares.h"
#include "interp/weights/threads.h"

/* PART rows are computed together, up to BLOCK layers at a time: entries and sources of a part stay in the first
 * caches. VECTOR layers fill the widest vector. From LARGE results on none of them waits in a cache for the model that
 * reads it. */
enum { PART = H3OU__PART_ROWS, BLOCK = 40, VECTOR = 8, LARGE = 1 << 21 };

/* Results that are computed aside are stored for so many rows at a time: the fewer pages a store goes to, the faster it is. */
enum { STORED = H3OU__STORE_ROWS };

/* What is read once for a part is fetched so many rows before: the processor does not read ahead by such steps. */
enum { ROWS_AHEAD = 16 * PART };

enum { SHORT = 64 }; /* rows whose results go through the caches however large the target is */

/* Rows that are computed by one call where the layers are apart: beginning and ending it takes as long as some rows.
 * Each thread has SHARES times as many. */
enum { MOST_ROWS = 16 * PART, SHARES = 4 };

enum { SORTED = 256 * PART }; /* results of sorted rows, which stay in the second cache while all steps write them */

enum { LINE = 64, CACHED = 1 << 22 }; /* bytes of a cache line; of sources that wait in a cache */

/* Lines of IN_LINE sources are looked for among the last ones; LOOKED_AT parts at most; where fewer than one of
 * FEW_JUMPS entries jumps to another line, fetching sources takes longer than waiting for them. */
enum { LINES_SEEN = 512, IN_LINE = 8, LOOKED_AT = 64, FEW_JUMPS = 16 };

enum { MARKED = 1 << 12 }; /* sources that a thread marks at a time */
enum { FEW_LISTED = 8 };   /* with NaN, rows are sorted by their shares where at most one of so many is in the list */
enum { FEW_PARTIAL = 16 }; /* marks are used where at most one of so many sources counts in part */

_Static_assert((int)H3OU__SPARSE_PART == (int)PART, "parts of a table begin where parts of its list of links do");

h3ou__sparse h3ou__sparse_part(const h3ou__sparse *s, int64_t first, int64_t count, int64_t target[])
{
    h3ou__sparse part = *s;
    part.nrow = count;
    part.row = target;
    part.start += first;
    part.links = s->links ? s->links + first / PART : NULL;
    part.run = NULL;
    part.nrun = 0;
    return part;
}

void h3ou__sparse_free(h3ou__sparse *s)
{
    free(s->row);
    free(s->start);
    free(s->col);
    free(s->coef);
    free(s->links);
    memset(s, 0, sizeof *s);
}

/* Returns how many entries each of the rows first..last-1 has, or 0 when they differ or are many. */
static uint8_t common_links(const h3ou__sparse *s, int64_t first, int64_t last)
{
    int64_t links = s->start[first + 1] - s->start[first];
    for (int64_t r = first + 1; r < last; r++)
        if (s->start[r + 1] - s->start[r] != links)
            return 0;
    return links <= UINT8_MAX ? (uint8_t)links : 0;
}

/* Returns how many entries of the rows first..last-1 read a line of sources that is not next to one of those before. */
static int64_t count_jumps(const h3ou__sparse *s, int64_t first, int64_t last)
{
    int32_t seen[LINES_SEEN];
    int64_t jumps = 0;
    memset(seen, -1, sizeof seen);
    for (int64_t k = s->start[first]; k < s->start[last]; k++) {
        int32_t line = s->col[k] / IN_LINE, before = line > 0 ? line - 1 : line, after = line + 1;
        jumps +=
            seen[line % LINES_SEEN] != line && seen[before % LINES_SEEN] != before && seen[after % LINES_SEEN] != after;
        seen[line % LINES_SEEN] = line;
    }
    return jumps;
}

/* Returns whether rows read sources in an order that the processor does not foresee. Some parts stand for all. */
static bool are_scattered(const h3ou__sparse *s, int64_t parts)
{
    int64_t jumps = 0, entries = 0, step = parts / LOOKED_AT + 1;
    for (int64_t k = 0; k < parts; k += step) {
        int64_t first = k * PART, last = first + PART < s->nrow ? first + PART : s->nrow;
        jumps += count_jumps(s, first, last);
        entries += s->start[last] - s->start[first];
    }
    return jumps > entries / FEW_JUMPS;
}

int h3ou__sparse_prepare(h3ou__sparse *s)
{
    int64_t parts = (s->nrow + PART - 1) / PART;
    free(s->links);
    s->links = malloc((size_t)parts + 1);
    if (!s->links)
        return h3ou__no_memory("%lld rows", (long long)s->nrow);
    for (int64_t k = 0; k < parts; k++)
        s->links[k] = common_links(s, k * PART, (k + 1) * PART < s->nrow ? (k + 1) * PART : s->nrow);
    if (s->start[s->nrow] < H3OU__FAR_ENTRIES)
        s->fetched = H3OU__FETCH_NOTHING;
    else
        s->fetched = are_scattered(s, parts) ? H3OU__FETCH_SOURCES : H3OU__FETCH_ENTRIES;
    return H3OU__OK;
}

/* Returns a copy of an array of `values`, of which part k begins at begin[k * PART], or at k * PART where begin is
 * NULL, and frees the array; returns the array itself where memory is short. */
static void *copy_by_threads(void *array, size_t size, const int64_t begin[], int64_t nrow, int64_t values, int threads)
{
    char *copy = malloc(size * (size_t)(values + 1));
    const char *from = array;
    (void)threads;
    if (!copy)
        return array;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t row = 0; row < nrow; row += PART) {
        int64_t first = begin ? begin[row] : row, last = values;
        if (row + PART < nrow)
            last = begin ? begin[row + PART] : row + PART;
        memcpy(copy + size * (size_t)first, from + size * (size_t)first, size * (size_t)(last - first));
    }
    free(array);
    return copy;
}

void h3ou__sparse_place(h3ou__sparse *s, int threads)
{
    int64_t rows = s->nrow;
    threads = h3ou__threads(threads);
    if (threads == 1 || rows == 0)
        return;
    s->col = copy_by_threads(s->col, sizeof *s->col, s->start, rows, s->start[rows], threads);
    s->coef = copy_by_threads(s->coef, sizeof *s->coef, s->start, rows, s->start[rows], threads);
    s->row = copy_by_threads(s->row, sizeof *s->row, NULL, rows, rows, threads);
    s->start = copy_by_threads(s->start, sizeof *s->start, NULL, rows, rows + 1, threads);
}

typedef struct product {
    const h3ou__sparse *s;
    const h3ou__apply *how;
    const h3ou__row_kernels *kernels;
    const void *source; /* of float, where how->is_single says so, else of double */
    int64_t nsource, ntarget;
    void *target; /* of float, where how->gives_single says so, else of double */
    bool is_large; /* the target does not stay in the caches */
    double factor;
    h3ou__absence absence;
    bool is_sorted; /* how->kept says how each row is computed */
} product;

/* Returns whether some sources may not count. */
static bool may_miss(const product *p)
{
    return p->absence.share || p->absence.skips_nan || p->absence.paired;
}

static int64_t source_size(const product *p)
{
    return p->how->is_single ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

/* Returns where value `at` of the source stands. */
static const void *source_at(const product *p, int64_t at)
{
    return (const char *)p->source + at * source_size(p);
}

/* Returns how many rows from `first` on, `most` at most, are of one part, or of parts whose rows are equally long. */
static int64_t rows_alike(const h3ou__sparse *s, int64_t first, int64_t most)
{
    int64_t part = first / PART, next = part + 1;
    while (next * PART < first + most && s->links && s->links[part] && s->links[next] == s->links[part])
        next++;
    return next * PART < first + most ? next * PART - first : most;
}

/* Rows first..first+count-1, which are of one part, or of parts whose rows are equally long. */
static h3ou__rows rows_of(const product *p, int64_t first, int64_t count)
{
    const h3ou__sparse *s = p->s;
    h3ou__rows rows = {.count = count,
                       .start = s->start + first,
                       .col = s->col,
                       .coef = s->coef,
                       .entries = s->start[s->nrow],
                       .factor = p->factor,
                       .fetched = s->fetched};
    __builtin_prefetch(s->start + first + ROWS_AHEAD);
    if (s->links && s->links[first / PART]) {
        rows.col += s->start[first];
        rows.coef += s->start[first];
        rows.entries -= s->start[first];
        rows.start = NULL;
        rows.links = s->links[first / PART];
    }
    return rows;
}

/* Results of some rows from row `first` on, in some layers from `layer` on: that of row r in layer k of them at
 * value[r * row_stride + k * layer_stride]. */
typedef struct results {
    int64_t first;
    int layer, layers;
    double *value;
    int64_t row_stride, layer_stride;
} results;

static void compute_apart(const product *p, const h3ou__rows *rows, const results *to)
{
    const void *from = source_at(p, to->layer * p->nsource);
    h3ou__absence absence = p->absence;
    if (absence.marked)
        absence.marked = (const char *)absence.marked + to->layer * p->nsource * source_size(p);
    if (may_miss(p))
        p->kernels->apart_counted(rows, &absence, from, p->nsource, to->layers, to->value, to->layer_stride);
    else
        p->kernels->apart(rows, from, p->nsource, to->layers, to->value, to->layer_stride);
}

/* Computes `count` rows from to->first on, which are of one part, or of parts whose rows are equally long. */
static void sum_rows(const product *p, int64_t count, const results *to)
{
    h3ou__rows rows = rows_of(p, to->first, count);
    const void *from = source_at(p, to->layer);
    if (p->how->source_layout == H3OU__CELLS_FASTEST)
        compute_apart(p, &rows, to);
    else if (may_miss(p))
        p->kernels->together_counted(&rows, &p->absence, from, p->how->nlayer, to->layers, to->value, to->row_stride);
    else
        p->kernels->together(&rows, from, p->how->nlayer, to->layers, to->value, to->row_stride);
}

/* Returns the results from row r on. */
static results results_from(const results *all, int64_t r)
{
    results some = *all;
    some.value += (r - all->first) * all->row_stride;
    some.first = r;
    return some;
}

/* Calls `compute` for those of `count` rows that are in the ranges. */
static void compute_ranges(const product *p, const h3ou__row_ranges *ranges, int64_t count, const results *to,
                           void (*compute)(const product *p, int64_t count, const results *to))
{
    int64_t end = to->first + count;
    for (int64_t k = h3ou__row_ranges_behind(ranges, to->first); k < ranges->count; k++) {
        int64_t from = ranges->range[k].first > to->first ? ranges->range[k].first : to->first,
                next = ranges->range[k].end < end ? ranges->range[k].end : end;
        if (from >= end)
            break;
        results some = results_from(to, from);
        compute(p, next - from, &some);
    }
}

/* Sets the results of rows of which no source counts. */
static void miss_rows(const product *p, int64_t count, const results *to)
{
    int64_t values = to->row_stride == 1 ? count : to->layers, lines = to->row_stride == 1 ? to->layers : count,
            stride = to->row_stride == 1 ? to->layer_stride : to->row_stride;
    double missing = p->how->missing; /* which the compiler must not expect to change */
    for (int64_t k = 0; k < lines; k++)
        for (int64_t i = 0; i < values; i++)
            to->value[k * stride + i] = missing;
}

/* Computes `count` rows of the list from to->first on; returns whether a result is NaN. */
static bool scale_listed(const product *p, int64_t count, const results *to)
{
    const h3ou__kept_shares *kept = p->how->kept;
    product list = *p;
    list.s = &kept->listed;
    h3ou__rows rows = rows_of(&list, to->first, count);
    rows.divisor = kept->divisor + to->first;
    rows.whole = kept->whole + to->first;
    if (p->how->source_layout == H3OU__CELLS_FASTEST)
        return p->kernels->apart_scaled(&rows, source_at(p, to->layer * p->nsource), p->nsource, to->layers, to->value,
                                        to->layer_stride);
    return p->kernels->together_scaled(&rows, source_at(p, to->layer), p->how->nlayer, to->layers, to->value,
                                       to->row_stride);
}

/* Copies results of the list to the places of their rows. */
static void place_listed(const product *p, int64_t count, const results *from, const results *to)
{
    const int64_t *origin = p->how->kept->origin + from->first;
    for (int i = 0; i < to->layers; i++) {
        const double *value = from->value + i * from->layer_stride;
        double *place = to->value + i * to->layer_stride;
        for (int64_t r = 0; r < count; r++)
            place[(origin[r] - to->first) * to->row_stride] = value[r * from->row_stride];
    }
}

/* Computes some rows of the list, from row k on; returns how many, `most` at most. */
static int64_t sum_some_listed(const product *p, int64_t k, int64_t most, const results *to)
{
    double aside[PART * BLOCK];
    const int64_t *origin = p->how->kept->origin;
    int64_t n = rows_alike(&p->how->kept->listed, k, most), fit = PART * BLOCK / to->layers;
    __builtin_prefetch(origin + k + ROWS_AHEAD);
    __builtin_prefetch(origin + k + ROWS_AHEAD - 1);
    bool found_nan, is_apart = to->row_stride == 1;
    if (origin[k + n - 1] - origin[k] != n - 1)
        n = fit < 1 ? 1 : n < fit ? n : fit;
    if (origin[k + n - 1] - origin[k] == n - 1) {
        results some = results_from(to, origin[k]);
        some.first = k;
        found_nan = scale_listed(p, n, &some);
    } else {
        results some = {k, to->layer, to->layers, aside, is_apart ? 1 : to->layers, is_apart ? n : 1};
        found_nan = scale_listed(p, n, &some);
        place_listed(p, n, &some, to);
    }
    for (int64_t i = k; i < k + n && found_nan; i++) { /* by the definition */
        results row = results_from(to, origin[i]);
        sum_rows(p, 1, &row);
    }
    return n;
}

/* Computes those of `count` rows that are in the list of how->kept. */
static void sum_listed_rows(const product *p, int64_t count, const results *to)
{
    const h3ou__kept_shares *kept = p->how->kept;
    int64_t end = h3ou__kept_shares_listed(kept, to->first + count);
    for (int64_t k = h3ou__kept_shares_listed(kept, to->first); k < end;)
        k += sum_some_listed(p, k, end - k, to);
}

/* Computes `count` sorted rows from to->first on in one pass; returns whether it did. */
static bool sum_sorted_together(const product *p, int64_t count, const results *to)
{
    const h3ou__kept_shares *kept = p->how->kept;
    product list = *p;
    list.s = &kept->listed;
    if (p->how->source_layout != H3OU__LAYERS_FASTEST)
        return false;
    int64_t k = h3ou__kept_shares_listed(kept, to->first), n = h3ou__kept_shares_listed(kept, to->first + count) - k;
    if (rows_alike(list.s, k, n) < n || 2 * n > count) /* many of the list are computed faster without the others */
        return false;
    h3ou__rows rows = rows_of(p, to->first, count);
    h3ou__sorted_rows sorted = {.kind = kept->kind + to->first};
    if (n > 0) {
        sorted.listed = rows_of(&list, k, n);
        sorted.listed.divisor = kept->divisor + k;
        sorted.listed.whole = kept->whole + k;
    }
    return p->kernels->together_sorted(&rows, &sorted, &p->absence, source_at(p, to->layer), p->how->nlayer, to->layers,
                                       to->value, to->row_stride);
}

/* Computes `count` rows from to->first on. Sorted rows that are not computed in one pass are computed in three steps,
 * of which the later ones write over what the earlier ones wrote. */
static void compute_sums(const product *p, int64_t count, const results *to)
{
    if (!p->is_sorted) {
        sum_rows(p, count, to);
        return;
    }
    if (sum_sorted_together(p, count, to))
        return;
    product full = *p;
    full.absence.share = NULL;
    compute_ranges(&full, &p->how->kept->full, count, to, sum_rows);
    compute_ranges(p, &p->how->kept->gone, count, to, miss_rows);
    sum_listed_rows(p, count, to);
}

/* Returns whether the target cells of some rows stand next to each other. Rows ascend. */
static bool is_contiguous(const h3ou__sparse *s, int64_t first, int64_t count)
{
    return s->row[first + count - 1] - s->row[first] == count - 1;
}

/* Rounds results of rows whose target cells stand next to each other, into the target. */
static void store_singles(const product *p, int64_t count, const results *from)
{
    double apart[STORED * BLOCK];
    const double *value = from->value;
    bool turns = p->how->source_layout == H3OU__LAYERS_FASTEST;
    float *to = (float *)p->target + from->layer * p->ntarget + p->s->row[from->first];
    if (turns)
        p->kernels->turn(count, from->layers, value, from->row_stride, apart, STORED);
    value = turns ? apart : value;
    for (int k = 0; k < from->layers; k++, to += p->ntarget, value += turns ? STORED : from->layer_stride)
        h3ou__narrow(count, value, to);
}

/* Copies results of rows whose target cells stand next to each other to the target. */
static void store_doubles(const product *p, int64_t count, const results *from)
{
    bool turns = p->how->source_layout != p->how->target_layout,
         by_layer = p->how->target_layout == H3OU__CELLS_FASTEST;
    int64_t row_stride = by_layer ? 1 : p->how->nlayer, layer_stride = by_layer ? p->ntarget : 1;
    double *to = (double *)p->target + from->layer * layer_stride + p->s->row[from->first] * row_stride;
    if (turns && by_layer)
        (p->is_large && count >= SHORT ? p->kernels->turn_past_caches : p->kernels->turn)(
            count, from->layers, from->value, from->row_stride, to, layer_stride);
    else if (turns)
        p->kernels->turn(from->layers, (int)count, from->value, from->layer_stride, to, row_stride);
    else
        for (int64_t line = 0, lines = by_layer ? from->layers : count; line < lines; line++)
            memcpy(to + line * (by_layer ? layer_stride : row_stride),
                   from->value + line * (by_layer ? from->layer_stride : from->row_stride),
                   sizeof *to * (size_t)(by_layer ? count : from->layers));
}

/* Stores results that were computed aside, run by run of target cells that stand next to each other. */
static void store_results(const product *p, int64_t count, const results *from)
{
    const int64_t *row = p->s->row + from->first;
    for (int64_t r = 0, n; r < count; r += n) {
        results run = results_from(from, from->first + r);
        n = is_contiguous(p->s, run.first, count - r) ? count - r : 1;
        while (r + n < count && row[r + n] == row[r] + n)
            n++;
        (p->how->gives_single ? store_singles : store_doubles)(p, n, &run);
    }
}

/* Returns how many of `left` layers are computed together: after them none is left, or as many as fill a vector. */
static int layers_aside(int left)
{
    return left <= BLOCK ? left : left < BLOCK + VECTOR ? BLOCK - VECTOR : BLOCK;
}

/* Returns where the results of a block of layers are computed: aside, in `square`. */
static results results_aside(const product *p, int64_t first, int layer, double square[])
{
    int layers = layers_aside(p->how->nlayer - layer);
    if (p->how->source_layout == H3OU__LAYERS_FASTEST)
        return (results){first, layer, layers, square, layers, 1};
    return (results){first, layer, layers, square, 1, STORED};
}

/* Computes all layers where they belong, if they can stand there; returns whether it did. */
static bool compute_in_place(const product *p, int64_t first, int64_t count)
{
    const h3ou__apply *how = p->how;
    if (how->gives_single || how->source_layout != how->target_layout || !is_contiguous(p->s, first, count))
        return false;
    bool is_together = how->source_layout == H3OU__LAYERS_FASTEST;
    results to = {first, 0, how->nlayer, p->target, is_together ? how->nlayer : 1, is_together ? 1 : p->ntarget};
    to.value += p->s->row[first] * to.row_stride;
    compute_sums(p, count, &to);
    return true;
}

/* Computes all layers of some rows aside, part by part, and stores them. */
static void compute_aside(const product *p, int64_t first, int64_t count)
{
    _Alignas(LINE) double square[STORED * BLOCK];
    for (int layer = 0, layers; layer < p->how->nlayer; layer += layers) {
        results all = results_aside(p, first, layer, square);
        layers = all.layers;
        for (int64_t r = first; r < first + count; r += PART) {
            results part = results_from(&all, r);
            compute_sums(p, r + PART < first + count ? PART : first + count - r, &part);
        }
        store_results(p, count, &all);
    }
}

static void read_lines(const volatile unsigned char *bytes, int64_t size)
{
    for (int64_t at = 0; at < size; at += LINE)
        (void)bytes[at];
}

/* Reads a number of each cache line of the sources, each thread a part of them: prefetch instructions may be dropped, and gain less. */
static void read_sources(const product *p, int threads)
{
    int64_t size = p->nsource * p->how->nlayer * source_size(p) * (p->how->is_paired ? 2 : 1);
    if (size > CACHED)
        return;
    if (threads == 1) {
        read_lines(p->source, size);
        return;
    }
    int64_t some = (size / threads / LINE + 1) * LINE;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t first = 0; first < size; first += some)
        read_lines((const unsigned char *)p->source + first, first + some < size ? some : size - first);
}

/* Returns whether the share of every source is 1. */
static bool all_count(const product *p, int threads)
{
    int all = 1;
    (void)threads;
    if (threads == 1)
        return p->kernels->are_ones(p->nsource, p->how->share);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(& : all)
    for (int64_t first = 0; first < p->nsource; first += MARKED)
        all &= p->kernels->are_ones(first + MARKED < p->nsource ? MARKED : p->nsource - first, p->how->share + first);
    return all;
}

/* `mark` or `pair` of h3ou__row_kernels: makes of a layer's sources and their shares what the product reads. */
typedef int64_t (*make_sources)(int64_t n, const h3ou__absence *a, int64_t first, const void *from, void *made);

/* Marks or pairs the sources of one layer; returns how many count in part. */
static int64_t make_layer(const product *p, make_sources make, int layer, void *made, int threads)
{
    const void *from = source_at(p, layer * p->nsource);
    int64_t partial = 0;
    (void)threads;
    if (threads == 1)
        return make(p->nsource, &p->absence, 0, from, made);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : partial)
    for (int64_t first = 0; first < p->nsource; first += MARKED)
        partial += make(first + MARKED < p->nsource ? MARKED : p->nsource - first, &p->absence, first, from, made);
    return partial;
}

/* Marks the sources in all layers, as long as few count in part. */
static void mark_sources(product *p, int threads)
{
    bool can_mark = true;
    for (int layer = 0; layer < p->how->nlayer && can_mark; layer++)
        can_mark = make_layer(p, p->kernels->mark, layer, (char *)p->how->room + layer * p->nsource * source_size(p),
                              threads) <= p->nsource / FEW_PARTIAL;
    p->absence.marked = can_mark ? p->how->room : NULL;
}

static void pair_sources(product *p, int threads)
{
    int64_t partial = make_layer(p, p->kernels->pair, 0, p->how->room, threads);
    p->absence.paired = p->how->room;
    if (p->how->kept)
        p->how->kept->are_partial = partial > p->nsource / FEW_PARTIAL;
}

size_t h3ou__apply_room(const h3ou__apply *how, int64_t nsource)
{
    size_t values = (size_t)nsource * (size_t)how->nlayer, pairs = how->nlayer == 1 ? 2 * sizeof(double) : 0,
           marks = how->is_single ? sizeof(float) : sizeof(double);
    return values * (pairs > marks ? pairs : marks);
}

/* Finds out which sources count. Shares that are all 1 are none. Others are looked up at each entry, unless there is
 * room for sources that say themselves whether they count, as long as few of them count in part, or for pairs. */
static void find_absence(product *p, int threads)
{
    const h3ou__apply *how = p->how;
    if (how->is_paired) {
        p->absence = (h3ou__absence){.missing = how->missing, .paired = p->source};
        return;
    }
    bool is_shared = how->share && !all_count(p, threads);
    p->is_sorted = is_shared && how->kept && h3ou__kept_shares_take(how->kept, how->share, how->share_number);
    if (how->skip_nan && p->is_sorted) /* each listed row that has NaN is computed twice */
        p->is_sorted = how->kept->listed.nrow <= p->s->nrow / FEW_LISTED;
    p->absence = (h3ou__absence){is_shared ? how->share : NULL, how->skip_nan, how->missing, NULL, NULL};
    if (!is_shared || p->is_sorted || !how->room || how->source_layout != H3OU__CELLS_FASTEST)
        return;
    bool can_pair = how->nlayer == 1;
    if (!can_pair || !how->kept || !how->kept->are_partial)
        mark_sources(p, threads);
    if (can_pair && !p->absence.marked)
        pair_sources(p, threads);
}

/* Computes one layer of rows that are equally long, and rounds it where it belongs, if it can stand there; returns
 * whether it did. */
static bool compute_singles(const product *p, int64_t first, int64_t count)
{
    double some[PART * BLOCK];
    if (!is_contiguous(p->s, first, count))
        return false;
    for (int64_t end = first + count, n; first < end; first += n) {
        n = end - first < PART * BLOCK ? end - first : PART * BLOCK;
        compute_sums(p, n, &(results){first, 0, 1, some, 1, n});
        h3ou__narrow(n, some, (float *)p->target + p->s->row[first]);
    }
    return true;
}

/* Computes some parts at once, if their rows are equally long, no layers stand together, and the results can stand
 * where they belong; returns whether it did. */
static bool apply_parts(const product *p, int64_t first, int64_t count)
{
    const h3ou__sparse *s = p->s;
    bool is_one = p->how->nlayer == 1;
    if (count == 0 || !s->links || !s->links[first / PART] || rows_alike(s, first, count) < count ||
        (!is_one && p->how->source_layout == H3OU__LAYERS_FASTEST))
        return false;
    if (p->how->gives_single)
        return is_one && compute_singles(p, first, count);
    return compute_in_place(p, first, count);
}

/* Returns how many rows are computed at a time: of those that are sorted more, which are computed in several steps. */
static int64_t most_rows(const product *p)
{
    int64_t sorted = SORTED / p->how->nlayer / PART * PART;
    return p->is_sorted && sorted > MOST_ROWS ? sorted : MOST_ROWS;
}

static void apply_rows(const product *p, int64_t first, int64_t count)
{
    bool turns = p->how->source_layout != p->how->target_layout;
    int64_t end = first + count, most = turns ? STORED : PART;
    for (int64_t n; first < end; first += n) {
        n = most - first % PART; /* a run may begin within a part; all others begin where parts do */
        n = n < end - first ? n : end - first;
        __builtin_prefetch(p->s->row + first + ROWS_AHEAD);
        if (!compute_in_place(p, first, n))
            compute_aside(p, first, n);
    }
}

/* Returns the number of the first run that begins behind row `first`. */
static int64_t run_behind(const h3ou__sparse *s, int64_t first)
{
    int64_t begin = 0, end = s->nrun;
    while (begin < end) {
        int64_t middle = (begin + end) / 2;
        if (s->run[middle] > first)
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/* Returns how many rows from `first` on, `most` at most, stand before run k, whose ends are fetched. */
static int64_t rows_before_run(const h3ou__sparse *s, int64_t first, int64_t most, int64_t k)
{
    int64_t end = k + 1 < s->nrun ? s->run[k + 1] : s->nrow;
    __builtin_prefetch(s->row + s->run[k]);
    __builtin_prefetch(s->row + end - 1);
    return s->run[k] - first < most ? s->run[k] - first : most;
}

/* Computes some rows. Where results stay in the layout of the sources, those of a run are computed where they belong.
 */
static void apply_some(const product *p, int64_t first, int64_t count)
{
    const h3ou__sparse *s = p->s;
    int64_t end = first + count, most = p->is_sorted || p->how->nlayer > 1 ? most_rows(p) : count,
            k = p->how->source_layout == p->how->target_layout ? run_behind(s, first) : s->nrun;
    for (int64_t n; first < end; first += n) {
        n = most < end - first ? most : end - first;
        if (k < s->nrun) {
            n = rows_before_run(s, first, n, k);
            k += first + n == s->run[k];
        }
        if (!apply_parts(p, first, n))
            apply_rows(p, first, n);
    }
}

/* Returns how many rows, a multiple of PART, a thread takes at a time. */
static int64_t rows_at_a_time(const product *p, int threads)
{
    int64_t some = p->s->nrow / ((int64_t)SHARES * threads) / PART * PART, most = most_rows(p);
    return some < PART ? PART : some > most ? most : some;
}

void h3ou__sparse_apply(const h3ou__sparse *s, const h3ou__apply *how, int64_t nsource, const void *source,
                        int64_t ntarget, void *target)
{
    product p = {s,           how, how->kernels, source, nsource, ntarget, target, s->nrow * how->nlayer > LARGE,
                 how->factor, {0}, false};
    if (!p.kernels)
        p.kernels =
            h3ou__row_kernels_here(how->is_single, how->source_layout == H3OU__LAYERS_FASTEST ? how->nlayer : 0);
    int threads = h3ou__threads(how->threads);
    find_absence(&p, threads);
    bool are_read = p.absence.marked || (p.absence.paired && !how->is_paired); /* to make these */
    if (how->is_from_afar && !are_read)
        read_sources(&p, threads);
    if (threads == 1) { /* a parallel region of one thread makes a system call, too */
        apply_some(&p, 0, s->nrow);
        return;
    }
    int64_t some = rows_at_a_time(&p, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t first = 0; first < s->nrow; first += some)
        apply_some(&p, first, first + some < s->nrow ? some : s->nrow - first);
}
