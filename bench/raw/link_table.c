/* SPDX-License-Identifier: BSD-3-Clause */
#include "link_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/weights/sparse.h"

enum { IN_LINE = 8, LINE = 64 }; /* doubles, and bytes, of a cache line */

/* Links that are fetched ahead, and links whose sources are, with one layer; lines of sources, with several. */
enum { LINKS_AHEAD = 512, SOURCES_AHEAD = 384, LINES_AHEAD = 192 };

static int has_arrays(link_table *t)
{
    size_t links = (size_t)t->target * CELL_LINKS;
    t->col = malloc(sizeof *t->col * links);
    t->coef = malloc(sizeof *t->coef * links);
    return t->col && t->coef;
}

void link_table_make(link_table *t, int target, int source)
{
    *t = (link_table){.target = target, .source = source};
    for (int i = 0, made = has_arrays(t); i < target && made; i++)
        for (int k = 0; k < CELL_LINKS; k++) {
            t->col[i * CELL_LINKS + k] = (int)((int64_t)i * source / target + (k % 2) + (k / 2) * 300) % source;
            t->coef[i * CELL_LINKS + k] = 0.1 * (k + 1);
        }
}

int link_table_read(link_table *t, const char *path)
{
    int cells[2], whole = 0;
    FILE *f = fopen(path, "rb");
    if (f && fread(cells, sizeof cells, 1, f) == 1) {
        *t = (link_table){.target = cells[0], .source = cells[1]};
        size_t links = (size_t)t->target * CELL_LINKS;
        whole = has_arrays(t) && fread(t->col, sizeof *t->col, links, f) == links &&
                fread(t->coef, sizeof *t->coef, links, f) == links;
    }
    if (f)
        fclose(f);
    return whole ? 0 : -1;
}

static int count_fetches(const link_table *t)
{
    enum { LINES = 512 };
    int line[LINES], fetches = 0;
    memset(line, -1, sizeof line);
    for (int k = 0; k < t->target * CELL_LINKS; k++) {
        int at = t->col[k] / IN_LINE;
        fetches += line[at % LINES] != at;
        line[at % LINES] = at;
    }
    return fetches;
}

int link_table_by_reading(const link_table *t, link_table *out, int *order)
{
    int n = 0, *number = malloc(sizeof *number * (size_t)t->source);
    *out = (link_table){.target = t->target, .source = t->source};
    if (!number || !has_arrays(out))
        abort();
    memset(number, -1, sizeof *number * (size_t)t->source);
    for (int k = 0; k < t->target * CELL_LINKS; k++) {
        int cell = t->col[k];
        if (number[cell] < 0) {
            order[n] = cell;
            number[cell] = n++;
        }
        out->col[k] = number[cell];
        out->coef[k] = t->coef[k];
    }
    free(number);
    if (2 * (count_fetches(t) - count_fetches(out)) > n)
        return n;
    free(out->col);
    free(out->coef);
    *out = (link_table){0};
    return 0;
}

/* Compiled with -O3, which makes vectors of the inner loop; products are not fused with additions, as in the library.
 */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

#define INLINE static inline __attribute__((always_inline))

/* Fetches links a page after link i of a table, as many as stand there in a line of coefficients. */
INLINE void fetch_links(const link_table *t, int64_t i)
{
    __builtin_prefetch(t->coef + i + LINKS_AHEAD);
    __builtin_prefetch(t->col + i + LINKS_AHEAD);
}

INLINE void apply_layers(const link_table *t, int layers, const double *restrict from, double *restrict to, int fetched)
{
    const int *col = t->col;
    const double *c = t->coef;
    int lines = (layers + IN_LINE - 1) / IN_LINE, ahead = LINES_AHEAD / lines / CELL_LINKS * CELL_LINKS;
    for (int i = 0; i < t->target; i++, col += CELL_LINKS, c += CELL_LINKS, to += layers) {
        const double *v0 = from + (int64_t)col[0] * layers, *v1 = from + (int64_t)col[1] * layers;
        const double *v2 = from + (int64_t)col[2] * layers, *v3 = from + (int64_t)col[3] * layers;
        double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
        if (fetched != FETCH_NOTHING)
            fetch_links(t, (int64_t)i * CELL_LINKS);
        if (fetched == FETCH_SOURCES && (int64_t)i * CELL_LINKS + ahead < (int64_t)t->target * CELL_LINKS + t->after)
            for (int link = 0; link < CELL_LINKS; link++)
                for (int k = 0; k < layers; k += IN_LINE)
                    __builtin_prefetch(from + (int64_t)col[ahead + link] * layers + k);
        for (int k = 0; k < layers; k++)
            to[k] = c0 * v0[k] + c1 * v1[k] + c2 * v2[k] + c3 * v3[k];
    }
}

CLONES static void apply_together(const link_table *t, int layers, const double *restrict from, double *restrict to)
{
    if (t->fetched == FETCH_NOTHING)
        apply_layers(t, layers, from, to, FETCH_NOTHING);
    else if (t->fetched == FETCH_LINKS)
        apply_layers(t, layers, from, to, FETCH_LINKS);
    else
        apply_layers(t, layers, from, to, FETCH_SOURCES);
}

typedef double four __attribute__((vector_size(4 * sizeof(double))));
typedef long long four_places __attribute__((vector_size(4 * sizeof(long long))));
#ifdef __clang__
#define MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MIX(a, b, ...) __builtin_shuffle(a, b, (four_places){__VA_ARGS__})
#endif

/* Four cells at a time: the four terms of a cell are made together, then they are turned, so that the sums of the four cells are. */
INLINE int apply_some_fours(const link_table *t, const double *restrict from, double *restrict to, int fetched)
{
    const int *col = t->col;
    const double *c = t->coef;
    int i = 0;
    for (; i + 4 <= t->target; i += 4) {
        four x[4];
        if (fetched != FETCH_NOTHING) {
            fetch_links(t, (int64_t)i * CELL_LINKS);
            fetch_links(t, (int64_t)i * CELL_LINKS + IN_LINE);
        }
        if (fetched == FETCH_SOURCES &&
            ((int64_t)i + 4) * CELL_LINKS + SOURCES_AHEAD <= (int64_t)t->target * CELL_LINKS)
            for (int k = 0; k < 4 * CELL_LINKS; k++)
                __builtin_prefetch(from + col[SOURCES_AHEAD + k]);
        for (int k = 0; k < 4; k++, col += CELL_LINKS, c += CELL_LINKS)
            x[k] = (four){c[0], c[1], c[2], c[3]} * (four){from[col[0]], from[col[1]], from[col[2]], from[col[3]]};
        four even = MIX(x[0], x[1], 0, 4, 2, 6), odd = MIX(x[0], x[1], 1, 5, 3, 7);
        four even_after = MIX(x[2], x[3], 0, 4, 2, 6), odd_after = MIX(x[2], x[3], 1, 5, 3, 7);
        four sum = MIX(even, even_after, 0, 1, 4, 5) + MIX(odd, odd_after, 0, 1, 4, 5);
        sum = sum + MIX(even, even_after, 2, 3, 6, 7) + MIX(odd, odd_after, 2, 3, 6, 7);
        memcpy(to + i, &sum, sizeof sum);
    }
    return i;
}

CLONES static int apply_fours(const link_table *t, const double *restrict from, double *restrict to)
{
    if (t->fetched == FETCH_NOTHING)
        return apply_some_fours(t, from, to, FETCH_NOTHING);
    if (t->fetched == FETCH_LINKS)
        return apply_some_fours(t, from, to, FETCH_LINKS);
    return apply_some_fours(t, from, to, FETCH_SOURCES);
}

void link_table_apply_loops(const link_table *t, int layers, const double *from, double *to)
{
    if (layers > 1) {
        apply_together(t, layers, from, to);
        return;
    }
    for (int i = apply_fours(t, from, to); i < t->target; i++) {
        const int *col = t->col + i * CELL_LINKS;
        const double *c = t->coef + i * CELL_LINKS;
        to[i] = c[0] * from[col[0]] + c[1] * from[col[1]] + c[2] * from[col[2]] + c[3] * from[col[3]];
    }
}

void link_table_apply(const link_table *t, int layers, const double *from, double *to)
{
    enum h3ou__layout layout = layers > 1 ? H3OU__LAYERS_FASTEST : H3OU__CELLS_FASTEST;
    h3ou__apply how = {.nlayer = layers, .factor = 1.0, .threads = 1, .source_layout = layout, .target_layout = layout};
    if (t->rows)
        h3ou__sparse_apply(t->rows, &how, t->source, from, t->target, to);
    else
        link_table_apply_loops(t, layers, from, to);
}

/* Returns the table as the library has it. */
static h3ou__sparse *rows_of(const link_table *t)
{
    size_t links = (size_t)t->target * CELL_LINKS;
    h3ou__sparse *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    *s = (h3ou__sparse){.nrow = t->target,
                        .row = malloc(sizeof *s->row * (size_t)t->target),
                        .start = malloc(sizeof *s->start * ((size_t)t->target + 1)),
                        .col = malloc(sizeof *s->col * links),
                        .coef = malloc(sizeof *s->coef * links)};
    if (!s->row || !s->start || !s->col || !s->coef)
        abort();
    for (int i = 0; i <= t->target; i++)
        s->start[i] = (int64_t)i * CELL_LINKS;
    for (int i = 0; i < t->target; i++)
        s->row[i] = i;
    for (size_t k = 0; k < links; k++)
        s->col[k] = t->col[k];
    memcpy(s->coef, t->coef, sizeof *s->coef * links);
    if (h3ou__sparse_prepare(s))
        abort();
    return s;
}

/* The ways of a product: what the loops fetch, and the library's. */
enum { BY_LIBRARY = FETCHES, WAYS };

/* Returns the seconds of a product. */
static double time_way(link_table *t, int way, h3ou__sparse *rows, int layers, const double *from, double *to)
{
    struct timespec begin, end;
    t->rows = way == BY_LIBRARY ? rows : NULL;
    t->fetched = way == BY_LIBRARY ? t->fetched : way;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    link_table_apply(t, layers, from, to);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* Takes the fastest way. rows: the table as the library has it, which is freed if it is not taken; or NULL. */
static void take_fastest(link_table *t, int layers, h3ou__sparse *rows)
{
    enum { ROUNDS = 9 };
    const int ways = rows ? WAYS : FETCHES;
    size_t size = sizeof(double) * (size_t)layers;
    double *from = aligned_alloc(LINE, ((size_t)t->source * size + LINE - 1) / LINE * LINE),
           *to = calloc((size_t)t->target, size), least[WAYS];
    if (!from || !to)
        abort();
    for (int64_t i = 0; i < (int64_t)t->source * layers; i++)
        from[i] = 1.0;                            /* pages that were never written are all the same one */
    for (int k = -ways; k < ROUNDS * ways; k++) { /* the first round touches the memory */
        int way = (k + ways) % ways;
        double took = time_way(t, way, rows, layers, from, to);
        if (k < ways || took < least[way])
            least[way] = took;
    }
    t->fetched = FETCH_NOTHING;
    for (int way = 0; way < FETCHES; way++)
        t->fetched = least[way] < least[t->fetched] ? way : t->fetched;
    t->rows = rows && least[BY_LIBRARY] < least[t->fetched] ? rows : NULL;
    if (rows && !t->rows) {
        h3ou__sparse_free(rows);
        free(rows);
    }
    free(from);
    free(to);
}

void link_table_tune(link_table *t, int layers)
{
    take_fastest(t, layers, rows_of(t));
}

void link_table_tune_loops(link_table *t, int layers)
{
    take_fastest(t, layers, NULL);
}
