/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures applying weights, in turns with a copy of as many bytes as table, source and target have, and with one of
 * half of them, which reads and writes as many as the product, and with the loops of the floor of an exchange
 * (raw/link_table.h), where each row has as many links as these and its layers stand so; then, in turns with the plain
 * product, products with shares, or with NaN: of which all sources count, a third does not, or each counts in part.
 * Prints medians, quartiles and the median of the paired ratios, for one thread and two. LAYOUT: only that one, 0, 1 or
 * 2: cells next to each other, layers, or layers of the source and cells of the target.
 *
 * remap_apply W.nc [LAYERS [ROUNDS [LAYOUT]]]
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "coupler/message/message_form.h"
#include "coupler/plan/reading_order.h"
#include "interp/file/weightfile.h"
#include "interp/weights/kept_shares.h"
#include "interp/weights/sparse.h"
#include "raw/link_table.h"

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_quartiles(const char *name, double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, compare_ascending);
    printf("  %-28s %9.3f (%.3f - %.3f)\n", name, v[n / 2], v[n / 4], v[3 * n / 4]);
}

static void check_call(int err)
{
    if (err) {
        fprintf(stderr, "remap_apply: %s\n", h3ou__fail_text());
        exit(1);
    }
}

/* Numbers the sources as a coupled run does with few layers. */
static void order_sources(const h3ou__weights *w, h3ou__sparse *s)
{
    int64_t start[] = {0, w->nsource};
    int32_t *to = malloc(sizeof *to * (size_t)w->nsource);
    bool gains;
    check_call(h3ou__reading_order_find(s, 1, start, to, &gains));
    for (int64_t k = 0; k < s->start[s->nrow] && gains; k++)
        s->col[k] = to[s->col[k]];
    if (gains)
        printf("the sources are in the order in which the rows read them\n");
    free(to);
}

static void rows_of(const h3ou__weights *w, int layers, h3ou__sparse *s)
{
    s->row = malloc(sizeof *s->row * (size_t)(w->ntarget + 1));
    s->start = malloc(sizeof *s->start * (size_t)(w->ntarget + 1));
    s->col = w->src;
    s->coef = w->coef;
    for (int64_t i = 0; i < w->ntarget; i++)
        if (w->start[i + 1] > w->start[i]) {
            s->row[s->nrow] = i;
            s->start[s->nrow++] = w->start[i];
        }
    s->start[s->nrow] = w->start[w->ntarget];
    if (layers < H3OU__TURNED_ROWS)
        order_sources(w, s);
    check_call(h3ou__sparse_prepare(s));
}

/* Sets *floor to the same rows for the loops of the floor. Returns whether each has as many links as these. */
static bool floor_of(const h3ou__weights *w, int layers, link_table *floor)
{
    *floor = (link_table){.target = (int)w->ntarget, .source = (int)w->nsource, .col = w->src, .coef = w->coef};
    for (int64_t i = 0; i < w->ntarget; i++)
        if (w->start[i + 1] - w->start[i] != CELL_LINKS)
            return false;
    link_table_tune_loops(floor, layers);
    return true;
}

static void copy_bytes(double *to, const double *from, size_t n, int threads)
{
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t part = 0; part < 64; part++) {
        size_t begin = n * part / 64, end = n * (part + 1) / 64;
        memcpy(to + begin, from + begin, sizeof *to * (end - begin));
    }
}

/* Which sources count; those that do not stand together, as land does. Of new ones one is another in each product.
 * Those beside the values stand as a coupled run sends one layer of them, when they are new each time. */
enum kind {
    PLAIN,
    SHARES_OF_ONE,
    SHARES,
    FRACTIONS,
    NEW_SHARES,
    NEW_FRACTIONS,
    NO_NAN,
    NAN_VALUES,
    BESIDE_SHARES,
    BESIDE_FRACTIONS,
    KINDS
};

static bool is_beside(int kind)
{
    return kind == BESIDE_SHARES || kind == BESIDE_FRACTIONS;
}

static bool is_masked(const h3ou__weights *w, int64_t cell)
{
    return cell * 12 / w->nsource % 3 == 1;
}

static void fill_source(const h3ou__weights *w, const h3ou__apply *how, int kind, double *from, double *share)
{
    for (int64_t i = 0; i < w->nsource; i++) {
        bool is_gone = is_masked(w, i);
        if (kind == SHARES || kind == NEW_SHARES || kind == BESIDE_SHARES)
            share[i] = is_gone ? 0.0 : 1.0;
        else
            share[i] = kind == FRACTIONS || kind == NEW_FRACTIONS || kind == BESIDE_FRACTIONS
                           ? (double)(i % 10 + 1) / 11.0
                           : 1.0;
        if (is_beside(kind)) {
            from[2 * i] = share[i];
            from[2 * i + 1] = share[i] > 0.0 ? (double)(i % 1000) : 0.0;
            continue;
        }
        for (int k = 0; k < how->nlayer; k++)
            from[how->source_layout == H3OU__LAYERS_FASTEST ? i * how->nlayer + k : k * w->nsource + i] =
                kind == NAN_VALUES && is_gone ? NAN : (double)(i % 1000);
    }
}

static double time_product(const h3ou__sparse *s, const h3ou__weights *w, const h3ou__apply *how, const double *from,
                           double *to)
{
    double begin = seconds_now();
    h3ou__sparse_apply(s, how, w->nsource, from, w->ntarget, to);
    return 1e3 * (seconds_now() - begin);
}

static double time_copy(double *to, const double *from, size_t n, int threads)
{
    double begin = seconds_now();
    copy_bytes(to, from, n, threads);
    return 1e3 * (seconds_now() - begin);
}

/* What is measured: milliseconds, and ratios of the product. */
enum { COPY, HALF_COPY, PRODUCT, FLOOR, BY_COPY, BY_HALF_COPY, BY_FLOOR, BY_PLAIN, MEASURES };

/* Returns milliseconds of the loops of the floor, or 0 where they take no such rows. */
static double time_floor(const link_table *floor, int layers, const double *from, double *to)
{
    double begin = seconds_now();
    if (!floor)
        return 0.0;
    link_table_apply_loops(floor, layers, from, to);
    return 1e3 * (seconds_now() - begin);
}

static void print_measures(int kind, double *t[MEASURES], int rounds)
{
    static const char *const said[] = {"plain",
                                       "shares, all 1",
                                       "shares, a third 0",
                                       "shares, none 0 or 1",
                                       "new shares, a third 0",
                                       "new shares, none 0 or 1",
                                       "NaN sought, none",
                                       "NaN, a third",
                                       "shares beside the values, a third 0",
                                       "shares beside the values, none 0 or 1"};
    printf(" %s\n", said[kind]);
    print_quartiles("product, ms", t[PRODUCT], rounds);
    if (kind != PLAIN) {
        print_quartiles("product / plain product", t[BY_PLAIN], rounds);
        return;
    }
    print_quartiles("copy of all bytes, ms", t[COPY], rounds);
    print_quartiles("copy of half of them, ms", t[HALF_COPY], rounds);
    print_quartiles("product / copy", t[BY_COPY], rounds);
    print_quartiles("product / copy of half", t[BY_HALF_COPY], rounds);
    if (t[FLOOR][0] > 0.0) {
        print_quartiles("loops of the floor, ms", t[FLOOR], rounds);
        print_quartiles("product / loops of the floor", t[BY_FLOOR], rounds);
    }
}

/* Returns n numbers that begin on a cache line, as those of a message do. They are not 0: pages that were never written
 * are all the same page, which is read from the first cache. */
static double *new_numbers(size_t n)
{
    double *v = aligned_alloc(64, (sizeof *v * n + 63) / 64 * 64);
    for (size_t i = 0; v && i < n; i++)
        v[i] = 1.0;
    if (!v)
        check_call(H3OU__ENOMEM);
    return v;
}

/* Measures one kind in turns with copies and with the plain product. floor: the same rows, or NULL. */
static void measure_kind(const h3ou__sparse *s, const h3ou__weights *w, const link_table *floor, h3ou__apply how,
                         int kind, int rounds)
{
    size_t weights = (size_t)s->start[s->nrow] * (sizeof *s->col + sizeof *s->coef) / sizeof(double);
    size_t source = (size_t)(w->nsource * how.nlayer), target = (size_t)(w->ntarget * how.nlayer);
    size_t all = source + target + weights;
    double *from = new_numbers(all), *to = new_numbers(all), *share = malloc(sizeof *share * (size_t)w->nsource),
           *t[MEASURES];
    for (int k = 0; k < MEASURES; k++)
        t[k] = calloc((size_t)rounds, sizeof **t);
    fill_source(w, &how, kind, from, share);
    h3ou__apply plain = how;
    how.share = kind >= SHARES_OF_ONE && kind <= NEW_FRACTIONS ? share : NULL;
    how.kept = how.share ? h3ou__kept_shares_new(s, w->nsource, how.nlayer) : NULL;
    how.share_number = kind == SHARES || kind == FRACTIONS; /* numbered, as those that stay are in a coupled run */
    how.room = malloc(h3ou__apply_room(&how, w->nsource));
    how.skip_nan = kind == NO_NAN || kind == NAN_VALUES;
    how.is_paired = is_beside(kind);
    for (int r = -5; r < rounds; r++) { /* some rounds to warm up, in which new shares are not kept any more */
        int i = r < 0 ? 0 : r;
        if (kind == NEW_SHARES || kind == NEW_FRACTIONS)
            share[0] = r % 2 ? 0.5 : 0.25;
        t[COPY][i] = kind == PLAIN ? time_copy(to, from, all, how.threads) : 0.0;
        t[HALF_COPY][i] = time_copy(to, from, all / 2, how.threads);
        t[PRODUCT][i] = time_product(s, w, &how, from, to);
        t[FLOOR][i] = kind == PLAIN ? time_floor(floor, how.nlayer, from, to) : 0.0;
        t[BY_FLOOR][i] = t[PRODUCT][i] / t[FLOOR][i];
        t[BY_COPY][i] = t[PRODUCT][i] / t[COPY][i];
        t[BY_HALF_COPY][i] = t[PRODUCT][i] / t[HALF_COPY][i];
        t[BY_PLAIN][i] = kind == PLAIN ? 1.0 : t[PRODUCT][i] / time_product(s, w, &plain, from, to);
    }
    print_measures(kind, t, rounds);
    for (int k = 0; k < MEASURES; k++)
        free(t[k]);
    free(from);
    free(to);
    free(share);
    free(how.room);
    h3ou__kept_shares_free(how.kept);
}

static void measure_product(const h3ou__sparse *s, const h3ou__weights *w, const link_table *floor, int layers,
                            int rounds, int threads, int layout)
{
    static const char *const said[] = {"cells next to each other", "layers next to each other",
                                       "layers of the source, cells of the target next to each other"};
    h3ou__apply how = {.nlayer = layers,
                       .factor = 1.0,
                       .threads = threads,
                       .source_layout = layout > 0,
                       .target_layout = layout == 1,
                       .missing = -999.0};
    printf("%d thread%s, %s\n", threads, threads > 1 ? "s" : "", said[layout]);
    for (int kind = 0; kind < KINDS; kind++)
        if (layers == 1 || !is_beside(kind))
            measure_kind(s, w, threads == 1 && (layers == 1 || layout == 1) ? floor : NULL, how, kind, rounds);
}

int main(int argc, char **argv)
{
    h3ou__weightfile f;
    h3ou__sparse s = {0};
    link_table floor;
    int layers = argc > 2 ? atoi(argv[2]) : 40, rounds = argc > 3 ? atoi(argv[3]) : 21;
    int only = argc > 4 ? atoi(argv[4]) : -1;
    if (argc < 2 || layers < 1 || rounds < 1 || only > (layers > 1 ? 2 : 0)) {
        fprintf(stderr, "usage: remap_apply W.nc [LAYERS [ROUNDS [LAYOUT]]]\n");
        return 2;
    }
    check_call(h3ou__weightfile_read(argv[1], &f));
    rows_of(f.weights, layers, &s);
    printf("%s: %ld -> %ld cells, %ld links, %d layers\n", argv[1], (long)f.weights->nsource, (long)f.weights->ntarget,
           (long)s.start[s.nrow], layers);
    bool has_floor = floor_of(f.weights, layers, &floor);
    for (int threads = 1; threads <= 2; threads++)
        for (int layout = 0; layout < (layers > 1 ? 3 : 1); layout++)
            if (only < 0 || layout == only)
                measure_product(&s, f.weights, has_floor ? &floor : NULL, layers, rounds, threads, layout);
    free(s.row);
    free(s.start);
    free(s.links);
    h3ou__weightfile_free(&f);
    return 0;
}
