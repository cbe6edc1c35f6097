/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels after the problems that the NAS Parallel Benchmarks specify on paper (NAS report RNR-94-007): MPI programs without h3ou. The bits of
 * each result are those of one process, on any number of processes from 1 to 8: sums are made of parts that no decomposition divides, in their order.
 */
#ifndef BENCH_UNIVERSE_KERNEL_H
#define BENCH_UNIVERSE_KERNEL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct kernel {
    const char *name;
    /* Runs the kernel, small or in its full size, and returns whether its result is right, the same on every process. Collective. seconds: without
     * setting up and checking. checksum: of the result's bits. */
    bool (*run)(bool is_small, double *seconds, uint64_t *checksum);
} kernel;

extern const kernel kernel_random_pairs, kernel_conjugate_gradients, kernel_multigrid, kernel_fourier_transform, kernel_key_sort, kernel_wavefront;
extern int kernel_rank, kernel_size;

/* [part_first(n, p), part_first(n, p + 1)): what process p has of n things. */
int part_first(int n, int rank);
/* The sum of n parts, each not 0 on one process alone, in their order: the same bits on any number of processes. Collective. */
double parts_sum(double *parts, int n);
/* The time at which all processes have come here. Collective. */
double common_time(void);
/* malloc() of n values of 0, which ends the program when there is no memory. */
void *zeros(size_t n, size_t size);

/* The generator x' = 5^13 x mod 2^46 of the specification; the value is in (0, 1). */
double random_next(uint64_t *x);
/* Returns what n steps make of x. */
uint64_t random_after(uint64_t x, uint64_t n);

/* Mixes the bits of a number into a checksum, which begins as 0. */
void checksum_add(uint64_t *sum, double value);
/* Whether value is the published one, to the digits that the specification asks for. */
bool is_near(double value, double published);

#endif
