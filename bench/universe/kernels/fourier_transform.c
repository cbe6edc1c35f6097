/* SPDX-License-Identifier: BSD-3-Clause */
/* FT: a diffusion equation on 64^3 points by three-dimensional Fourier transforms. Each process has layers of equal z, or, between the transforms along
 * y and z, layers of equal y: all of the grid goes through MPI_Alltoallv in each step. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

enum { N = 64, MOST_STEPS = 6 };

typedef double complex number;

static const double published[MOST_STEPS][2] = {
    {5.546087004964e2, 4.845363331978e2}, {5.546385409189e2, 4.865304269511e2}, {5.546148406171e2, 4.883910722336e2},
    {5.545423607415e2, 4.901273169046e2}, {5.544255039624e2, 4.917475857993e2}, {5.542683411902e2, 4.932597244941e2},
};

static number complex_of(double re, double im)
{
    return re + im * I;
}

static number roots[N]; /* exp(-2 pi i k / N) */

static void roots_make(void)
{
    for (int k = 0; k < N; k++)
        roots[k] = complex_of(cos(2 * M_PI * k / N), -sin(2 * M_PI * k / N));
}

/* Transforms one line in place: sign 1 forward, -1 back (not scaled). */
static void line_transform(number *line, int sign)
{
    for (int i = 1, j = 0; i < N; i++) {
        int bit = N / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j |= bit;
        if (i < j) {
            number kept = line[i];
            line[i] = line[j];
            line[j] = kept;
        }
    }
    for (int length = 2; length <= N; length *= 2)
        for (int at = 0; at < N; at += length)
            for (int k = 0; k < length / 2; k++) {
                number w = roots[k * (N / length)], a = line[at + k], b = line[at + k + length / 2];
                double re = creal(w), im = sign * cimag(w);
                b = complex_of(creal(b) * re - cimag(b) * im, creal(b) * im + cimag(b) * re);
                line[at + k] = a + b;
                line[at + k + length / 2] = a - b;
            }
}

static void lines_transform(number *lines, int n, int sign)
{
    for (int i = 0; i < n; i++)
        line_transform(lines + (size_t)i * N, sign);
}

/* Changes rows and columns of a layer. */
static void layer_turn(number *layer)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            number kept = layer[i * N + j];
            layer[i * N + j] = layer[j * N + i];
            layer[j * N + i] = kept;
        }
}

static void counts_of(int *counts, int *firsts)
{
    int first = part_first(N, kernel_rank), mine = part_first(N, kernel_rank + 1) - first, at = 0;
    for (int p = 0; p < kernel_size; p++) {
        counts[p] = mine * (part_first(N, p + 1) - part_first(N, p)) * N * 2;
        firsts[p] = at;
        at += counts[p];
    }
}

/* [a][b][x], my a and all b, becomes [b][x][a] with my b and all a, or back if is_back. sent: room for as much. */
static void exchange(number *grid, number *sent, bool is_back)
{
    int counts[8], firsts[8], mine = part_first(N, kernel_rank + 1) - part_first(N, kernel_rank);
    counts_of(counts, firsts);
    number *at = sent;
    for (int p = 0; p < kernel_size && !is_back; p++)
        for (int b = part_first(N, p); b < part_first(N, p + 1); b++)
            for (int a = 0; a < mine; a++, at += N)
                memcpy(at, grid + ((size_t)a * N + (size_t)b) * N, N * sizeof *at);
    for (int p = 0; p < kernel_size && is_back; p++)
        for (int b = 0; b < mine; b++)
            for (int a = part_first(N, p); a < part_first(N, p + 1); a++)
                for (int x = 0; x < N; x++)
                    *at++ = grid[((size_t)b * N + (size_t)x) * N + (size_t)a];
    number *come = zeros((size_t)mine * N * N, sizeof *come);
    MPI_Alltoallv(sent, counts, firsts, MPI_DOUBLE, come, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
    at = come;
    for (int p = 0; p < kernel_size && !is_back; p++)
        for (int b = 0; b < mine; b++)
            for (int a = part_first(N, p); a < part_first(N, p + 1); a++)
                for (int x = 0; x < N; x++)
                    grid[((size_t)b * N + (size_t)x) * N + (size_t)a] = *at++;
    for (int p = 0; p < kernel_size && is_back; p++)
        for (int b = part_first(N, p); b < part_first(N, p + 1); b++)
            for (int a = 0; a < mine; a++, at += N)
                memcpy(grid + ((size_t)a * N + (size_t)b) * N, at, N * sizeof *at);
    free(come);
}

/* Transforms along x and y, of layers of equal z. */
static void layers_transform(number *grid, int layers, int sign)
{
    for (int z = 0; z < layers; z++) {
        number *layer = grid + (size_t)z * N * N;
        lines_transform(layer, N, sign);
        layer_turn(layer);
        lines_transform(layer, N, sign);
        layer_turn(layer);
    }
}

/* Multiplies each wave by what a step of time makes of it. */
static void waves_damp(number *waves, int first, int mine)
{
    for (int y = 0; y < mine; y++)
        for (int x = 0; x < N; x++)
            for (int z = 0; z < N; z++) {
                int kx = (x + N / 2) % N - N / 2, ky = (first + y + N / 2) % N - N / 2, kz = (z + N / 2) % N - N / 2;
                waves[((size_t)y * N + (size_t)x) * N + (size_t)z] *= exp(-4e-6 * M_PI * M_PI * (kx * kx + ky * ky + kz * kz));
            }
}

/* The sum of 1024 values of the grid that the specification names, each layer's by the process that has it. */
static void grid_sum(const number *grid, int first, int mine, double found[2])
{
    double re[N] = {0}, im[N] = {0};
    for (int j = 1; j <= 1024; j++) {
        int x = j % N, y = 3 * j % N, z = 5 * j % N;
        if (z >= first && z < first + mine) {
            re[z] += creal(grid[((size_t)(z - first) * N + (size_t)y) * N + (size_t)x]);
            im[z] += cimag(grid[((size_t)(z - first) * N + (size_t)y) * N + (size_t)x]);
        }
    }
    found[0] = parts_sum(re, N) / (N * N * N);
    found[1] = parts_sum(im, N) / (N * N * N);
}

static bool fourier_transform_run(bool is_small, double *seconds, uint64_t *checksum)
{
    int first = part_first(N, kernel_rank), mine = part_first(N, kernel_rank + 1) - first;
    size_t points = (size_t)mine * N * N;
    number *waves = zeros(points, sizeof *waves), *grid = zeros(points, sizeof *grid), *sent = zeros(points, sizeof *sent);
    uint64_t x = random_after(314159265, (uint64_t)first * N * N * 2);
    for (size_t i = 0; i < points; i++) {
        double re = random_next(&x), im = random_next(&x);
        waves[i] = complex_of(re, im);
    }
    bool is_right = true;
    roots_make();
    double begin = common_time();
    layers_transform(waves, mine, 1);
    exchange(waves, sent, false);
    lines_transform(waves, mine * N, 1);
    for (int step = 0; step < (is_small ? 1 : MOST_STEPS); step++) {
        double sum[2];
        waves_damp(waves, first, mine);
        memcpy(grid, waves, points * sizeof *grid);
        lines_transform(grid, mine * N, -1);
        exchange(grid, sent, true);
        layers_transform(grid, mine, -1);
        grid_sum(grid, first, mine, sum);
        is_right = is_right && is_near(sum[0], published[step][0]) && is_near(sum[1], published[step][1]);
        checksum_add(checksum, sum[0]);
        checksum_add(checksum, sum[1]);
    }
    *seconds = common_time() - begin;
    free(waves);
    free(grid);
    free(sent);
    return is_right;
}

const kernel kernel_fourier_transform = {"FT", fourier_transform_run};
