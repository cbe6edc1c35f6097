/* SPDX-License-Identifier: BSD-3-Clause */
/* MG: V-cycles of a multigrid method for a periodic Poisson equation. Layers of equal z are divided; each operation exchanges the outermost ones with
 * the neighbours. Grids of 8^3 points and fewer every process has whole. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

enum { WHOLE = 8, MOST_LEVELS = 8, CHARGES = 10, CYCLES = 4 };

typedef struct level {
    int n, first, count; /* points in each direction; layers of this process */
    double *u, *r;       /* [count + 2][n + 2][n + 2] with the neighbours' layers and the periodic edges */
} level;

static size_t layer_size(const level *l)
{
    return (size_t)(l->n + 2) * (size_t)(l->n + 2);
}

static double *place(const level *l, const double *g, int x, int y, int z)
{
    return (double *)g + (size_t)z * layer_size(l) + (size_t)y * (size_t)(l->n + 2) + (size_t)x;
}

/* All layers of a level are divided as those of the greatest whole grid are. */
static void level_make(level *l, int n)
{
    int times = n / WHOLE, first = part_first(WHOLE, kernel_rank), end = part_first(WHOLE, kernel_rank + 1);
    l->n = n;
    l->first = n <= WHOLE ? 0 : first * times;
    l->count = n <= WHOLE ? n : (end - first) * times;
    l->u = zeros(layer_size(l) * (size_t)(l->count + 2), sizeof(double));
    l->r = zeros(layer_size(l) * (size_t)(l->count + 2), sizeof(double));
}

/* Fills the edges of g: periodic in x and y, from the neighbours in z. */
static void edges_fill(const level *l, double *g)
{
    int n = l->n, size = (int)layer_size(l), up = (kernel_rank + 1) % kernel_size, down = (kernel_rank + kernel_size - 1) % kernel_size;
    for (int z = 1; z <= l->count; z++) {
        for (int y = 1; y <= n; y++) {
            *place(l, g, 0, y, z) = *place(l, g, n, y, z);
            *place(l, g, n + 1, y, z) = *place(l, g, 1, y, z);
        }
        memcpy(place(l, g, 0, 0, z), place(l, g, 0, n, z), (size_t)(n + 2) * sizeof *g);
        memcpy(place(l, g, 0, n + 1, z), place(l, g, 0, 1, z), (size_t)(n + 2) * sizeof *g);
    }
    double *top = place(l, g, 0, 0, l->count), *above = place(l, g, 0, 0, l->count + 1), *bottom = place(l, g, 0, 0, 1);
    if (n <= WHOLE) {
        memcpy(g, top, (size_t)size * sizeof *g);
        memcpy(above, bottom, (size_t)size * sizeof *g);
        return;
    }
    MPI_Sendrecv(top, size, MPI_DOUBLE, up, 1, g, size, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(bottom, size, MPI_DOUBLE, down, 2, above, size, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* c[0] of a point, c[1] of the 6 points beside it, c[2] of the 12 that share an edge, c[3] of the 8 corners. */
static double weighted(const double *p, ptrdiff_t y, ptrdiff_t z, const double c[4])
{
    double beside = p[-1] + p[1] + p[-y] + p[y] + p[-z] + p[z];
    double edges = p[-y - 1] + p[-y + 1] + p[y - 1] + p[y + 1] + p[-z - 1] + p[-z + 1] + p[z - 1] + p[z + 1] + p[-z - y] + p[-z + y] + p[z - y] + p[z + y];
    double corners = p[-z - y - 1] + p[-z - y + 1] + p[-z + y - 1] + p[-z + y + 1] + p[z - y - 1] + p[z - y + 1] + p[z + y - 1] + p[z + y + 1];
    return c[0] * p[0] + c[1] * beside + c[2] * edges + c[3] * corners;
}

/* r = v - A u. */
static void residual(const level *l, const double *v)
{
    static const double a[4] = {-8.0 / 3, 0, 1.0 / 6, 1.0 / 12};
    for (int z = 1; z <= l->count; z++)
        for (int y = 1; y <= l->n; y++)
            for (int x = 1; x <= l->n; x++)
                *place(l, l->r, x, y, z) = *place(l, v, x, y, z) - weighted(place(l, l->u, x, y, z), l->n + 2, (ptrdiff_t)layer_size(l), a);
    edges_fill(l, l->r);
}

/* u += C r. */
static void smooth(const level *l)
{
    static const double c[4] = {-3.0 / 8, 1.0 / 32, -1.0 / 64, 0};
    for (int z = 1; z <= l->count; z++)
        for (int y = 1; y <= l->n; y++)
            for (int x = 1; x <= l->n; x++)
                *place(l, l->u, x, y, z) += weighted(place(l, l->r, x, y, z), l->n + 2, (ptrdiff_t)layer_size(l), c);
    edges_fill(l, l->u);
}

/* Every process gets all layers of the greatest whole grid. */
static void layers_gather(const level *l)
{
    int counts[8], firsts[8];
    for (int p = 0; p < kernel_size; p++) {
        firsts[p] = part_first(WHOLE, p) * (int)layer_size(l);
        counts[p] = part_first(WHOLE, p + 1) * (int)layer_size(l) - firsts[p];
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, place(l, l->r, 0, 0, 1), counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
}

/* The residual of the coarser level from that of the finer: point i lies at 2 i + 1, both from 0. */
static void restrict_to(const level *coarse, const level *fine)
{
    static const double half[4] = {1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16};
    int first = coarse->n < WHOLE ? 0 : fine->first / 2, count = coarse->n < WHOLE ? coarse->n : fine->count / 2;
    for (int z = first; z < first + count; z++)
        for (int y = 1; y <= coarse->n; y++)
            for (int x = 1; x <= coarse->n; x++)
                *place(coarse, coarse->r, x, y, z - coarse->first + 1) =
                    weighted(place(fine, fine->r, 2 * x, 2 * y, 2 * z + 2 - fine->first), fine->n + 2, (ptrdiff_t)layer_size(fine), half);
    if (coarse->n == WHOLE)
        layers_gather(coarse);
    edges_fill(coarse, coarse->r);
}

/* The finer u gets the coarser one's values added, between its points the means of two, four or eight. */
static void interpolate(const level *fine, const level *coarse)
{
    for (int z = fine->first; z < fine->first + fine->count; z++)
        for (int y = 0; y < fine->n; y++)
            for (int x = 0; x < fine->n; x++) {
                /* With edges counted a finer i lies beside (i + 1) / 2, and beside the next where i is even. */
                int cz = (z + 1) / 2 - coarse->first, cy = (y + 1) / 2, cx = (x + 1) / 2, mz = z % 2 == 0, my = y % 2 == 0, mx = x % 2 == 0;
                double sum = 0;
                for (int k = 0; k <= mz; k++)
                    for (int j = 0; j <= my; j++)
                        for (int i = 0; i <= mx; i++)
                            sum += *place(coarse, coarse->u, cx + i, cy + j, cz + k);
                *place(fine, fine->u, x + 1, y + 1, z - fine->first + 1) += sum / ((1 + mz) * (1 + my) * (1 + mx));
            }
    edges_fill(fine, fine->u);
}

/* levels[0] is the grid of 2^3 points, levels[top] that of the problem. */
static void cycle(const level *levels, int top, const double *v)
{
    for (int k = top; k > 0; k--)
        restrict_to(&levels[k - 1], &levels[k]);
    for (int k = 0; k < top; k++)
        memset(levels[k].u, 0, layer_size(&levels[k]) * (size_t)(levels[k].count + 2) * sizeof(double));
    smooth(&levels[0]);
    for (int k = 1; k <= top; k++) {
        const level *l = &levels[k];
        interpolate(l, &levels[k - 1]);
        residual(l, k == top ? v : l->r);
        smooth(l);
    }
    residual(&levels[top], v);
}

/* Charges of 1 at the ten places with the greatest random numbers, and of -1 at the ten with the smallest. */
static void charges_place(const level *l, double *v)
{
    double greatest[CHARGES], smallest[CHARGES];
    int high[CHARGES], low[CHARGES], points = l->n * l->n * l->n;
    uint64_t random = 314159265;
    for (int i = 0; i < CHARGES; i++) {
        greatest[i] = 0;
        smallest[i] = 1;
        high[i] = low[i] = 0;
    }
    for (int at = 0; at < points; at++) {
        double value = random_next(&random);
        if (value > greatest[CHARGES - 1]) {
            int i = CHARGES - 1;
            for (; i > 0 && greatest[i - 1] < value; i--) {
                greatest[i] = greatest[i - 1];
                high[i] = high[i - 1];
            }
            greatest[i] = value;
            high[i] = at;
        }
        if (value < smallest[CHARGES - 1]) {
            int i = CHARGES - 1;
            for (; i > 0 && smallest[i - 1] > value; i--) {
                smallest[i] = smallest[i - 1];
                low[i] = low[i - 1];
            }
            smallest[i] = value;
            low[i] = at;
        }
    }
    for (int i = 0; i < 2 * CHARGES; i++) {
        int at = i < CHARGES ? high[i] : low[i - CHARGES], x = at % l->n, y = at / l->n % l->n, z = at / l->n / l->n - l->first;
        if (z >= 0 && z < l->count)
            *place(l, v, x + 1, y + 1, z + 1) = i < CHARGES ? 1 : -1;
    }
}

/* The root of the mean square of r, whose parts are layers. */
static double norm(const level *l)
{
    double *parts = zeros((size_t)l->n, sizeof *parts);
    for (int z = 1; z <= l->count; z++)
        for (int y = 1; y <= l->n; y++)
            for (int x = 1; x <= l->n; x++)
                parts[l->first + z - 1] += *place(l, l->r, x, y, z) * *place(l, l->r, x, y, z);
    double sum = parts_sum(parts, l->n);
    free(parts);
    return sqrt(sum / l->n / l->n / l->n);
}

static bool multigrid_run(bool is_small, double *seconds, uint64_t *checksum)
{
    int n = is_small ? 32 : 128, top = -1;
    level levels[MOST_LEVELS];
    for (int points = 2; points <= n; points *= 2)
        level_make(&levels[++top], points);
    level *l = &levels[top];
    double *v = zeros(layer_size(l) * (size_t)(l->count + 2), sizeof *v);
    charges_place(l, v);
    double begin = common_time();
    residual(l, v);
    for (int i = 0; i < CYCLES; i++)
        cycle(levels, top, v);
    double found = norm(l);
    *seconds = common_time() - begin;
    checksum_add(checksum, found);
    free(v);
    for (int k = 0; k <= top; k++) {
        free(levels[k].u);
        free(levels[k].r);
    }
    return is_near(found, is_small ? 0.5307707005734e-4 : 0.6467329375339e-5); /* published for both */
}

const kernel kernel_multigrid = {"MG", multigrid_run};
