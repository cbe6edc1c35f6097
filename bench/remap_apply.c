/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures applying weights to many layers, in turns with a copy that also reads and writes as many bytes as source and
 * target have. Prints medians, quartiles and the median of the paired ratios, for one thread and two.
 *
 * remap_apply W.nc [LAYERS [ROUNDS]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "interp/file/weightfile.h"
#include "interp/weights/sparse.h"

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

static void rows_of(const h3ou__weights *w, h3ou__sparse *s)
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
}

/* Reads and writes as many bytes as the product, which reads the source and writes the target: half of their sum each.
 */
static void copy_bytes(double *to, const double *from, size_t n, int threads)
{
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t part = 0; part < 64; part++) {
        size_t begin = n * part / 64, end = n * (part + 1) / 64;
        memcpy(to + begin, from + begin, sizeof *to * (end - begin));
    }
}

static void measure_product(const h3ou__sparse *s, const h3ou__weights *w, int layers, int rounds, int threads,
                            int layout)
{
    size_t weights = (size_t)s->start[s->nrow] * (sizeof *s->col + sizeof *s->coef) / sizeof(double);
    size_t source = (size_t)w->nsource * (size_t)layers, target = (size_t)w->ntarget * (size_t)layers;
    size_t half = (source + target + weights) / 2;
    double *from = malloc(sizeof *from * (source > half ? source : half)),
           *to = malloc(sizeof *to * (target > half ? target : half));
    double *t[3];
    for (int k = 0; k < 3; k++)
        t[k] = malloc(sizeof **t * (size_t)rounds);
    for (size_t i = 0; i < (source > half ? source : half); i++)
        from[i] = (double)(i % 1000);
    memset(to, 0, sizeof *to * (target > half ? target : half));
    h3ou__apply how = {
        .nlayer = layers, .factor = 1.0, .threads = threads, .source_layout = layout > 0, .target_layout = layout == 1};
    for (int i = -1; i < rounds; i++) { /* one round to warm up */
        double begin = seconds_now();
        copy_bytes(to, from, half, threads);
        double middle = seconds_now();
        if (h3ou__sparse_apply(s, &how, w->nsource, from, w->ntarget, to)) {
            fprintf(stderr, "%s\n", h3ou__fail_text());
            exit(1);
        }
        double end = seconds_now();
        if (i < 0)
            continue;
        t[0][i] = 1e3 * (middle - begin);
        t[1][i] = 1e3 * (end - middle);
        t[2][i] = (end - middle) / (middle - begin);
    }
    static const char *const said[] = {"cells next to each other", "layers next to each other",
                                       "layers of the source, cells of the target next to each other"};
    printf("%d thread%s, %s, %.0f MB\n", threads, threads > 1 ? "s" : "", said[layout], (double)half * 16e-6);
    print_quartiles("copy of the same bytes, ms", t[0], rounds);
    print_quartiles("product, ms", t[1], rounds);
    print_quartiles("product / copy", t[2], rounds);
    for (int k = 0; k < 3; k++)
        free(t[k]);
    free(from);
    free(to);
}

int main(int argc, char **argv)
{
    h3ou__weightfile f;
    h3ou__sparse s = {0};
    int layers = argc > 2 ? atoi(argv[2]) : 40, rounds = argc > 3 ? atoi(argv[3]) : 21;
    if (argc < 2 || layers < 1 || rounds < 1) {
        fprintf(stderr, "usage: remap_apply W.nc [LAYERS [ROUNDS]]\n");
        return 2;
    }
    if (h3ou__weightfile_read(argv[1], &f)) {
        fprintf(stderr, "remap_apply: %s\n", h3ou__fail_text());
        return 1;
    }
    rows_of(f.weights, &s);
    printf("%s: %ld -> %ld cells, %ld links, %d layers\n", argv[1], (long)f.weights->nsource, (long)f.weights->ntarget,
           (long)s.start[s.nrow], layers);
    for (int threads = 1; threads <= 2; threads++)
        for (int layout = 0; layout < 3; layout++)
            measure_product(&s, f.weights, layers, rounds, threads, layout);
    free(s.row);
    free(s.start);
    h3ou__weightfile_free(&f);
    return 0;
}
