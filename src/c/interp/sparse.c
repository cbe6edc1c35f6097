/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "interp/threads.h"

/* Layers are taken LAYERS at a time, rows ROWS at a time: the sums of a block stay in registers and its results leave
 * by whole cache lines. Wider vectors change no bit: every sum has its own order, and products are not fused. */
enum { LAYERS = 8, ROWS = 8, FEW = 3 };

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx2", "default")))
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

static void put(const product *p, int64_t row, int layer, double value)
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
        put(p, s->row[r], layer, p->how->factor * sum);
    }
}

/* The sums of one row for LAYERS layers that stand next to each other, `stride` numbers from cell to cell. */
CLONES static void sum_row(const h3ou__sparse *s, int64_t r, const double *restrict from, int64_t stride,
                           double *restrict out)
{
    double sum[LAYERS] = {0};
    for (int64_t i = s->start[r]; i < s->start[r + 1]; i++) {
        const double *restrict v = from + s->col[i] * stride;
        double c = s->coef[i];
        for (int k = 0; k < LAYERS; k++)
            sum[k] += c * v[k];
    }
    memcpy(out, sum, sizeof sum);
}

/* Rows first..last-1 for `count` layers from `layer`; from: the first of them, of cell 0. */
static void block(const product *p, int64_t first, int64_t last, const double *from, int64_t stride, int layer,
                  int count)
{
    const h3ou__sparse *s = p->s;
    double sum[ROWS][LAYERS];
    for (int64_t r = first; r < last; r++)
        if (count == LAYERS)
            sum_row(s, r, from, stride, sum[r - first]);
        else
            for (int k = 0; k < count; k++) {
                double one = 0.0;
                for (int64_t i = s->start[r]; i < s->start[r + 1]; i++)
                    one += s->coef[i] * from[s->col[i] * stride + k];
                sum[r - first][k] = one;
            }
    for (int k = 0; k < count && p->how->target_layout == H3OU__CELLS_FASTEST; k++)
        for (int64_t r = first; r < last; r++)
            p->target[(layer + k) * p->ntarget + s->row[r]] = p->how->factor * sum[r - first][k];
    for (int64_t r = first; r < last && p->how->target_layout == H3OU__LAYERS_FASTEST; r++)
        for (int k = 0; k < count; k++)
            p->target[s->row[r] * p->how->nlayer + layer + k] = p->how->factor * sum[r - first][k];
}

static void layers_together(const product *p, const double *source)
{
    int nlayer = p->how->nlayer, threads = h3ou__threads(p->how->threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t first = 0; first < p->s->nrow; first += ROWS) {
        int64_t last = first + ROWS < p->s->nrow ? first + ROWS : p->s->nrow;
        for (int layer = 0; layer < nlayer; layer += LAYERS)
            block(p, first, last, source + layer, nlayer, layer, nlayer - layer < LAYERS ? nlayer - layer : LAYERS);
    }
}

/* LAYERS layers of all cells side by side, in tiles so that both sides move whole cache lines. */
static void transpose(const double *restrict source, int64_t n, int count, double *restrict out, int threads)
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
        return h3ou__fail(H3OU__ENOMEM, "out of memory for %d layers of a field", LAYERS);
    for (int layer = 0; layer < nlayer; layer += LAYERS) {
        int count = nlayer - layer < LAYERS ? nlayer - layer : LAYERS;
        transpose(source + layer * p->nsource, p->nsource, count, side, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int64_t first = 0; first < p->s->nrow; first += ROWS)
            block(p, first, first + ROWS < p->s->nrow ? first + ROWS : p->s->nrow, side, LAYERS, layer, count);
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

static void masked(const product *p, const double *source)
{
    int threads = h3ou__threads(p->how->threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < p->s->nrow; r++)
        for (int layer = 0; layer < p->how->nlayer; layer++)
            put(p, p->s->row[r], layer, masked_sum(p, r, layer, source));
}

int h3ou__sparse_apply(const h3ou__sparse *s, const h3ou__apply *how, int64_t nsource, const double source[],
                       int64_t ntarget, double target[])
{
    product p = {s, how, nsource, ntarget, target};
    if (how->share || how->skip_nan)
        masked(&p, source);
    else if (how->source_layout == H3OU__LAYERS_FASTEST)
        layers_together(&p, source);
    else if (how->nlayer > FEW)
        return layers_apart(&p, source);
    else
        for (int layer = 0; layer < how->nlayer; layer++)
            one_layer(&p, source + layer * nsource, layer);
    return H3OU__OK;
}
