/* SPDX-License-Identifier: BSD-3-Clause */
/* universe_kernels small|full [NAME...]: runs the kernels. Rank 0 prints "NAME CHECKSUM SECONDS" for each; a wrong result ends the program with 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

int kernel_rank, kernel_size;

static const kernel *const all[] = {&kernel_random_pairs, &kernel_conjugate_gradients, &kernel_multigrid,
                                    &kernel_fourier_transform, &kernel_key_sort, &kernel_wavefront};

int part_first(int n, int rank)
{
    return (int)((int64_t)n * rank / kernel_size);
}

double parts_sum(double *parts, int n)
{
    double sum = 0;
    MPI_Allreduce(MPI_IN_PLACE, parts, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        sum += parts[i];
    return sum;
}

double common_time(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

void *zeros(size_t n, size_t size)
{
    void *found = calloc(n ? n : 1, size);
    if (!found)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return found;
}

static const uint64_t MULTIPLIER = 1220703125; /* 5^13 */
static const uint64_t MASK = (UINT64_C(1) << 46) - 1;

double random_next(uint64_t *x)
{
    *x = *x * MULTIPLIER & MASK;
    return ldexp((double)*x, -46);
}

uint64_t random_after(uint64_t x, uint64_t n)
{
    for (uint64_t power = MULTIPLIER; n; n /= 2, power *= power)
        if (n % 2)
            x *= power;
    return x & MASK;
}

void checksum_add(uint64_t *sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *sum = (*sum ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    *sum ^= *sum >> 32;
}

bool is_near(double value, double published)
{
    return fabs(value - published) <= 1e-8 * fabs(published);
}

static bool is_wanted(const char *name, char **names)
{
    bool found = !*names;
    for (; *names; names++)
        found = found || strcmp(*names, name) == 0;
    return found;
}

int main(int argc, char **argv)
{
    int wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &kernel_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &kernel_size);
    if (argc < 2 || kernel_size > 8 || (strcmp(argv[1], "small") && strcmp(argv[1], "full"))) {
        fprintf(stderr, "universe_kernels small|full [NAME...], on 1 to 8 processes\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (is_wanted(all[i]->name, argv + 2)) {
            double seconds = 0;
            uint64_t checksum = 0;
            bool is_right = all[i]->run(strcmp(argv[1], "small") == 0, &seconds, &checksum);
            wrong += !is_right;
            if (kernel_rank == 0)
                printf("%s %016llx %.6f%s\n", all[i]->name, (unsigned long long)checksum, seconds, is_right ? "" : " wrong");
        }
    MPI_Finalize();
    return wrong ? 1 : 0;
}
