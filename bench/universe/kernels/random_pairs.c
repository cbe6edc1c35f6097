/* SPDX-License-Identifier: BSD-3-Clause */
/* EP: pairs of normal deviates from uniform ones, counted by the square rings they fall in. Processes meet once, at the end. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

enum { BLOCK_BITS = 16, RINGS = 10 };

static void block_count(uint64_t x, double *sum_x, double *sum_y, uint64_t *counts)
{
    for (int i = 0; i < 1 << BLOCK_BITS; i++) {
        double a = 2 * random_next(&x) - 1, b = 2 * random_next(&x) - 1, t = a * a + b * b;
        if (t > 1)
            continue;
        double factor = sqrt(-2 * log(t) / t), greater = fmax(fabs(a * factor), fabs(b * factor));
        counts[(int)greater]++;
        *sum_x += a * factor;
        *sum_y += b * factor;
    }
}

static bool is_right(bool is_small, double x, double y, const uint64_t *counts, int blocks)
{
    double accepted = 0, pairs = ldexp(blocks, BLOCK_BITS);
    for (int i = 0; i < RINGS; i++)
        accepted += (double)counts[i];
    if (fabs(accepted / pairs - atan(1)) > 2 / sqrt(pairs) || fabs(x) + fabs(y) > 10 * sqrt(pairs))
        return false;
    return is_small || (is_near(x, -3.247834652034740e3) && is_near(y, -6.958407078382297e3)); /* published for 2^24 pairs */
}

static bool random_pairs_run(bool is_small, double *seconds, uint64_t *checksum)
{
    int blocks = 1 << ((is_small ? 19 : 24) - BLOCK_BITS);
    double *x = zeros((size_t)blocks, sizeof *x), *y = zeros((size_t)blocks, sizeof *y);
    uint64_t counts[RINGS] = {0};
    double begin = common_time();
    for (int b = part_first(blocks, kernel_rank); b < part_first(blocks, kernel_rank + 1); b++)
        block_count(random_after(271828183, (uint64_t)b << (BLOCK_BITS + 1)), &x[b], &y[b], counts);
    double sum_x = parts_sum(x, blocks), sum_y = parts_sum(y, blocks);
    MPI_Allreduce(MPI_IN_PLACE, counts, RINGS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    *seconds = common_time() - begin;
    checksum_add(checksum, sum_x);
    checksum_add(checksum, sum_y);
    for (int i = 0; i < RINGS; i++)
        checksum_add(checksum, (double)counts[i]);
    free(x);
    free(y);
    return is_right(is_small, sum_x, sum_y, counts, blocks);
}

const kernel kernel_random_pairs = {"EP", random_pairs_run};
