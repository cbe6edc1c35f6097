/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cases for one MPI_COMM_WORLD over several jobs. The program knows nothing of jobs: the same cases run natively. Every process checks
 * what it got; a failed check is printed with the call, and the case goes on, because the other processes wait for its messages.
 *
 * Between two cases every process sends rank 0 a message of MPI_COMM_WORLD, so rank 0 must not receive there from any source with any tag.
 */
#ifndef H3OU_TEST_UNIVERSE_CASE_H
#define H3OU_TEST_UNIVERSE_CASE_H
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "tests/lib/case_check.h"

typedef struct universe_case universe_case;
struct universe_case {
    const char *name;
    bool needs_threads; /* MPI_THREAD_MULTIPLE: runs with --threads only, and the others without */
    void (*run)(void);
    universe_case *next;
};

extern int my_rank, world_size, left, right; /* in MPI_COMM_WORLD; the neighbours on a ring */
/* How many jobs there are, and the number of the job of a rank; natively there is one. */
extern int jobs;
int job_of(int rank);

void case_add(universe_case *c);
/* Defines a case: CASE(name) { ... }. Cases run in the order of their names. */
#define CASE_WITH(name, threads)                                                                                                           \
    static void name(void);                                                                                                                \
    __attribute__((constructor)) static void add_##name(void)                                                                              \
    {                                                                                                                                      \
        static universe_case one = {#name, threads, name, NULL};                                                                           \
        case_add(&one);                                                                                                                    \
    }                                                                                                                                      \
    static void name(void)
#define CASE(name)         CASE_WITH(name, false)
#define CASE_THREADS(name) CASE_WITH(name, true)

#endif
