/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/error.h"
#include "base/grow.h"
#include "interp/weights/threads.h"

/* Layers are taken LAYERS at a time, up to MOST of them together, rows PART at a time: the sums of a block stay in
 * registers and results leave by whole cache lines. Wider vectors change no bit: every sum has its own order, and
 * products are not fused. */
enum { LAYERS = 8, MOST = 40, FEW = 3, PART = 64, STREAM_FROM = 1 << 20 };

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

void h3ou__sparse_free(h3ou__sparse *s)
{
    free(s->row);
    free(s->start);
    free(s->col);
    free(s->coef);
    memset(s, 0, sizeof *s);
}

typedef struct product {
    const h3ou__sparse *s;
    const h3ou__apply *how;
    int64_t nsource, ntarget;
    double *target;
} product;

static void put_value(const product *p, int64_t row, int layer, double value)
{
    p->target[p->how->target_layout == H3OU__LAYERS_FASTEST ? row * p->how->nlayer + layer : layer * p->ntarget + row] =
        value;
}

/* One layer, cells next to each other. */
static void one_layer(const product *p, const double *restrict from, int layer)
{
    const h3ou__sparse *s = p->s;
    for (int64_t r = 0; r < s->nrow; r++) {
        double sum = 0.0;
        for (int64_t i = s->start[r]; i < s->start[r + 1]; i++)
            sum += s->coef[i] * from[s->col[i]];
        put_value(p, s->row[r], layer, p->how->factor * sum);
    }
}

typedef double eight __attribute__((vector_size(8 * sizeof(double)))); /* GCC takes what the machine has for it */

/* Where the sums of `count` blocks of eight layers go: cells[row * stride]. */
typedef struct sums {
    const h3ou__sparse *s;
    const double *from; /* the first of the layers, of cell 0 */
    int64_t from_stride;
    double *to;
    int64_t to_stride;
    double factor;
    bool stream; /* stores bypass the caches, since what is written is not read soon */
} sums;

static inline __attribute__((always_inline)) void store_sums(const sums *p, double *to, eight sum)
{
    sum *= p->factor;
#ifdef __SSE2__
    if (p->stream) {
        double v[8];
        memcpy(v, &sum, sizeof v);
        for (int k = 0; k < 8; k += 2)
            _mm_stream_pd(to + k, _mm_loadu_pd(v + k));
        return;
    }
#endif
    memcpy(to, &sum, sizeof sum);
}

/* Rows first..last-1, n blocks of eight layers at once: their sums stay in registers. n is a constant where it is
 * inlined. */
static inline __attribute__((always_inline)) void rows_of(const sums *p, int64_t first, int64_t last, int n)
{
    const h3ou__sparse *s = p->s;
    for (int64_t r = first; r < last; r++) {
        eight sum[5] = {{0}, {0}, {0}, {0}, {0}};
        for (int64_t i = s->start[r]; i < s->start[r + 1]; i++) {
            const double *v = p->from + s->col[i] * p->from_stride;
            double c = s->coef[i];
#pragma GCC unroll 5
            for (int k = 0; k < n; k++) {
                eight x;
                memcpy(&x, v + 8 * k, sizeof x);
                sum[k] += c * x;
            }
        }
        double *to = p->to + s->row[r] * p->to_stride;
#pragma GCC unroll 5
        for (int k = 0; k < n; k++)
            store_sums(p, to + 8 * k, sum[k]);
    }
}

CLONES static void many_rows(const sums *p, int64_t first, int64_t last, int n)
{
    if (n == 5)
        rows_of(p, first, last, 5);
    else if (n == 4)
        rows_of(p, first, last, 4);
    else if (n == 3)
        rows_of(p, first, last, 3);
    else if (n == 2)
        rows_of(p, first, last, 2);
    else
        rows_of(p, first, last, 1);
}

/* Rows first..last-1 of the layers that fill no block of eight. */
static void few_layers(const product *p, int64_t first, int64_t last, const double *from, int64_t stride, int layer,
                       int count)
{
    const h3ou__sparse *s = p->s;
    for (int64_t r = first; r < last; r++)
        for (int k = 0; k < count; k++) {
            double sum = 0.0;
            for (int64_t i = s->start[r]; i < s->start[r + 1]; i++)
                sum += s->coef[i] * from[s->col[i] * stride + k];
            put_value(p, s->row[r], layer + k, p->how->factor * sum);
        }
}

/* The blocks of eight layers from `layer` on, to cells next to each other: by way of a small square, so that whole
 * cache lines leave. */
static void turn_rows(const product *p, int64_t first, int64_t last, const double *from, int64_t stride, int layer,
                      int blocks)
{
    double square[PART * MOST];
    int64_t number[PART];
    h3ou__sparse part = *p->s;
    for (int64_t r = first; r < last; r++)
        number[r - first] = r - first;
    part.row = number - first;
    sums rows = {&part, from, stride, square, blocks * LAYERS, p->how->factor, false};
    many_rows(&rows, first, last, blocks);
    for (int k = 0; k < blocks * LAYERS; k++) {
        double *restrict to = p->target + (layer + k) * p->ntarget;
        for (int64_t r = first; r < last; r++)
            to[p->s->row[r]] = square[(r - first) * blocks * LAYERS + k];
    }
}

/* Rows first..last-1, PART of them at most, source layers next to each other. */
static void some_rows(const product *p, int64_t first, int64_t last, const double *source)
{
    int nlayer = p->how->nlayer, layer = 0;
    while (nlayer - layer >= LAYERS) {
        int n = nlayer - layer < MOST ? (nlayer - layer) / LAYERS : MOST / LAYERS;
        if (p->how->target_layout == H3OU__CELLS_FASTEST)
            turn_rows(p, first, last, source + layer, nlayer, layer, n);
        else {
            sums rows = {p->s, source + layer, nlayer, p->target + layer, nlayer, p->how->factor, false};
            rows.stream = nlayer % 2 == 0 && (uintptr_t)rows.to % 16 == 0 && p->s->nrow * nlayer > STREAM_FROM;
            many_rows(&rows, first, last, n);
        }
        layer += n * LAYERS;
    }
    if (layer < nlayer)
        few_layers(p, first, last, source + layer, nlayer, layer, nlayer - layer);
}

static void layers_together(const product *p, const double *source)
{
    int threads = h3ou__threads(p->how->threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t first = 0; first < p->s->nrow; first += PART)
        some_rows(p, first, first + PART < p->s->nrow ? first + PART : p->s->nrow, source);
}

/* LAYERS layers of all cells side by side, in tiles so that both sides move whole cache lines. */
static void transpose_layers(const double *restrict source, int64_t n, int count, double *restrict out, int threads)
{
#pragma omp parallel for schedule(static, 64) num_threads(threads)
    for (int64_t i = 0; i < n; i += 8) {
        int64_t end = i + 8 < n ? i + 8 : n;
        for (int k = 0; k < count; k++)
            for (int64_t c = i; c < end; c++)
                out[c * LAYERS + k] = source[k * n + c];
    }
}

static int layers_apart(const product *p, const double *source)
{
    int nlayer = p->how->nlayer, threads = h3ou__threads(p->how->threads);
    double *side = malloc(sizeof *side * LAYERS * (size_t)(p->nsource + 1));
    if (!side)
        return h3ou__no_memory("%d layers of a field", LAYERS);
    for (int layer = 0; layer < nlayer; layer += LAYERS) {
        int count = nlayer - layer < LAYERS ? nlayer - layer : LAYERS;
        bool turned = count == LAYERS && p->how->target_layout == H3OU__CELLS_FASTEST;
        transpose_layers(source + layer * p->nsource, p->nsource, count, side, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int64_t first = 0; first < p->s->nrow; first += PART) {
            int64_t last = first + PART < p->s->nrow ? first + PART : p->s->nrow;
            if (turned)
                turn_rows(p, first, last, side, LAYERS, layer, 1);
            else
                few_layers(p, first, last, side, LAYERS, layer, count);
        }
    }
    free(side);
    return H3OU__OK;
}

/* With shares or missing values: the mean over what counts, scaled by the row's own sum. */
static double masked_sum(const product *p, int64_t r, int layer, const double *source)
{
    const h3ou__sparse *s = p->s;
    const h3ou__apply *how = p->how;
    double sum = 0.0, counted = 0.0, whole = 0.0, weight = 0.0;
    for (int64_t i = s->start[r]; i < s->start[r + 1]; i++) {
        int64_t col = s->col[i];
        double v =
            source[how->source_layout == H3OU__LAYERS_FASTEST ? col * how->nlayer + layer : layer * p->nsource + col];
        double share = how->share ? how->share[col] : 1.0;
        whole += s->coef[i];
        weight += fabs(s->coef[i]);
        if (share <= 0.0 || (how->skip_nan && isnan(v)))
            continue;
        sum += s->coef[i] * share * v;
        counted += s->coef[i] * share;
    }
    if (counted == whole) /* all count: the same bits as without */
        return how->factor * sum;
    return fabs(counted) <= 1e-12 * weight ? how->missing : how->factor * (sum / counted * whole);
}

static void apply_masked(const product *p, const double *source)
{
    int threads = h3ou__threads(p->how->threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < p->s->nrow; r++)
        for (int layer = 0; layer < p->how->nlayer; layer++)
            put_value(p, p->s->row[r], layer, masked_sum(p, r, layer, source));
}

int h3ou__sparse_apply(const h3ou__sparse *s, const h3ou__apply *how, int64_t nsource, const double source[],
                       int64_t ntarget, double target[])
{
    product p = {s, how, nsource, ntarget, target};
    if (how->share || how->skip_nan)
        apply_masked(&p, source);
    else if (how->source_layout == H3OU__LAYERS_FASTEST)
        layers_together(&p, source);
    else if (how->nlayer > FEW)
        return layers_apart(&p, source);
    else
        for (int layer = 0; layer < how->nlayer; layer++)
            one_layer(&p, source + layer * nsource, layer);
    return H3OU__OK;
}
