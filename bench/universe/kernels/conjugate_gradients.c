/* SPDX-License-Identifier: BSD-3-Clause */
/* CG: the smallest eigenvalue of a sparse symmetric matrix of random pattern, by inverse iteration, each step of which solves a system by 25 steps
 * of conjugate gradients: for each of these the whole vector is gathered, and two sums are made. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

enum { SUM_BLOCKS = 24, PAIRS = 32, ENTRIES = 2 * PAIRS, STEPS = 25 };

typedef struct matrix {
    int n, first, count; /* rows: all, and mine */
    int *columns;        /* [count * ENTRIES] */
    double *values, *diagonal;
    int counts[8], firsts[8]; /* rows of each process */
} matrix;

/* A number in (-1, 1) that depends on the pair of rows alone. */
static double entry(uint64_t i, uint64_t j, uint64_t n)
{
    uint64_t x = (i < j ? i * n + j : j * n + i) * UINT64_C(0xbf58476d1ce4e5b9) + 1;
    x = (x ^ x >> 29) * UINT64_C(0x94d049bb133111eb);
    return ldexp((double)((x ^ x >> 32) >> 11), -52) - 1;
}

static int block_first(int n, int block)
{
    return (int)((int64_t)n * block / SUM_BLOCKS);
}

/* Row i has entries at i + d and i - d for 32 distances d, one in each 64th of half the rows. */
static void matrix_make(matrix *m, int n)
{
    uint64_t x = 314159265;
    m->n = n;
    for (int p = 0; p < kernel_size; p++) {
        m->firsts[p] = block_first(n, part_first(SUM_BLOCKS, p));
        m->counts[p] = block_first(n, part_first(SUM_BLOCKS, p + 1)) - m->firsts[p];
    }
    m->first = m->firsts[kernel_rank];
    m->count = m->counts[kernel_rank];
    m->columns = zeros((size_t)m->count * ENTRIES, sizeof *m->columns);
    m->values = zeros((size_t)m->count * ENTRIES, sizeof *m->values);
    m->diagonal = zeros((size_t)m->count, sizeof *m->diagonal);
    for (int k = 0; k < PAIRS; k++) {
        int distance = (int)((k + random_next(&x)) * (n / 2 - PAIRS) / PAIRS) + 1 + k;
        for (int r = 0; r < m->count; r++)
            for (int side = 0; side < 2; side++) {
                int i = m->first + r, j = (i + (side ? n - distance : distance)) % n;
                double value = entry((uint64_t)i, (uint64_t)j, (uint64_t)n);
                m->columns[r * ENTRIES + 2 * k + side] = j;
                m->values[r * ENTRIES + 2 * k + side] = value;
                m->diagonal[r] += fabs(value);
            }
    }
    for (int r = 0; r < m->count; r++)
        m->diagonal[r] += 0.1;
}

static void matrix_free(matrix *m)
{
    free(m->columns);
    free(m->values);
    free(m->diagonal);
}

/* to = A from, for my rows. all: [n] gathers from. */
static void multiply(const matrix *m, const double *from, double *all, double *to)
{
    MPI_Allgatherv(from, m->count, MPI_DOUBLE, all, m->counts, m->firsts, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int r = 0; r < m->count; r++) {
        const int *columns = m->columns + (size_t)r * ENTRIES;
        const double *values = m->values + (size_t)r * ENTRIES;
        double sum = m->diagonal[r] * from[r];
        for (int k = 0; k < ENTRIES; k++)
            sum += values[k] * all[columns[k]];
        to[r] = sum;
    }
}

static double product(const matrix *m, const double *a, const double *b)
{
    double parts[SUM_BLOCKS] = {0};
    for (int block = part_first(SUM_BLOCKS, kernel_rank); block < part_first(SUM_BLOCKS, kernel_rank + 1); block++)
        for (int i = block_first(m->n, block) - m->first; i < block_first(m->n, block + 1) - m->first; i++)
            parts[block] += a[i] * b[i];
    return parts_sum(parts, SUM_BLOCKS);
}

/* Solves A z = x; returns the norm of x - A z. work: [4] vectors, the last one for all rows. */
static double solve(const matrix *m, const double *x, double *z, double *const *work)
{
    double *r = work[0], *p = work[1], *q = work[2], *all = work[3];
    for (int i = 0; i < m->count; i++) {
        z[i] = 0;
        r[i] = p[i] = x[i];
    }
    double rho = product(m, r, r);
    for (int step = 0; step < STEPS; step++) {
        multiply(m, p, all, q);
        double alpha = rho / product(m, p, q), before = rho;
        for (int i = 0; i < m->count; i++) {
            z[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rho = product(m, r, r);
        for (int i = 0; i < m->count; i++)
            p[i] = r[i] + rho / before * p[i];
    }
    multiply(m, z, all, q);
    for (int i = 0; i < m->count; i++)
        r[i] = x[i] - q[i];
    return sqrt(product(m, r, r));
}

static bool conjugate_gradients_run(bool is_small, double *seconds, uint64_t *checksum)
{
    matrix m;
    matrix_make(&m, is_small ? 1400 : 14000);
    double *x = zeros((size_t)m.count, sizeof *x), *z = zeros((size_t)m.count, sizeof *z), *work[4];
    for (int i = 0; i < 4; i++)
        work[i] = zeros((size_t)(i < 3 ? m.count : m.n), sizeof(double));
    for (int i = 0; i < m.count; i++)
        x[i] = 1 / sqrt(m.n);
    bool is_right = true;
    double begin = common_time();
    for (int turn = 0; turn < 2; turn++) {
        double residual = solve(&m, x, z, work), eigenvalue = 1 / product(&m, x, z), norm = sqrt(product(&m, z, z));
        for (int i = 0; i < m.count; i++)
            x[i] = z[i] / norm;
        is_right = is_right && residual < 1e-9 && eigenvalue > 0.1;
        checksum_add(checksum, eigenvalue);
    }
    *seconds = common_time() - begin;
    for (int i = 0; i < 4; i++)
        free(work[i]);
    free(x);
    free(z);
    matrix_free(&m);
    return is_right;
}

const kernel kernel_conjugate_gradients = {"CG", conjugate_gradients_run};
