/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasts, sums for rank 0 and sums for all over MPI_COMM_WORLD, by a program that knows only MPI.
 *
 *   universe_collectives ROUNDS BYTES...
 *
 * All processes begin at a time that rank 0 says, by the clock of the machine, which they share; a round lasts until the last process has
 * returned. Rank 0 prints a line for each operation and size: the microseconds of every round.
 */
#include <mpi.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum { MOST_BYTES = 1 << 24 };

static int rank, size;
static double *in, *out;

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* All sleep until the time at which they begin, so that none takes a core from those that have not been told yet. */
static double agree_begin(void)
{
    double begin;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = seconds_now() + 5e-4 + 1e-4 * size;
    MPI_Bcast(&begin, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    struct timespec at = {.tv_sec = (time_t)begin, .tv_nsec = (long)((begin - (double)(time_t)begin) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
        ;
    return begin;
}

enum operation { BCAST, REDUCE, ALLREDUCE, OPERATIONS };
static const char *const names[] = {"bcast", "reduce", "allreduce"};

static double time_call(enum operation operation, int n)
{
    for (int i = 0; i < n; i += n > 1 ? n - 1 : 1) {
        in[i] = operation == BCAST ? 7 * (rank == 0) : rank + 1;
        out[i] = 0;
    }
    double begin = agree_begin();
    if (operation == REDUCE)
        MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    else if (operation == ALLREDUCE)
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Bcast(in, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double took = seconds_now() - begin, want = operation == BCAST ? 7 : size * (size + 1) / 2.0;
    const double *got = operation == BCAST ? in : out;
    if (operation == REDUCE && rank != 0)
        return took;
    if (got[0] != want || got[n - 1] != want) {
        fprintf(stderr, "rank %d: %d values: got %g and %g instead of %g\n", rank, n, got[0], got[n - 1], want);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return took;
}

/* warming: calls before, of which the first opens connections. */
static void measure(enum operation operation, int bytes, int rounds, int warming)
{
    double *took = malloc(2 * (size_t)rounds * sizeof *took), *last = took + rounds;
    for (int r = -warming; r < rounds; r++) {
        double t = time_call(operation, bytes / 8);
        if (r >= 0)
            took[r] = t;
    }
    MPI_Allreduce(took, last, rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s %d", names[operation], bytes);
        for (int r = 0; r < rounds; r++)
            printf(" %.2f", 1e6 * last[r]);
        printf("\n");
    }
    free(took);
}

int main(int argc, char **argv)
{
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* agree_begin: to the nanosecond */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 0;
    in = calloc(1, MOST_BYTES);
    out = calloc(1, MOST_BYTES);
    for (enum operation operation = BCAST; operation < OPERATIONS; operation++)
        for (int i = 2; i < argc && rounds > 0; i++) {
            int bytes = atoi(argv[i]);
            if (bytes < 8 || bytes > MOST_BYTES)
                MPI_Abort(MPI_COMM_WORLD, 2);
            /* as many as bench/collectives.c has */
            int is_short = bytes <= 1 << 12, is_long = bytes >= 1 << 18;
            measure(operation, bytes, is_short ? 4 * rounds : !is_long ? rounds : rounds < 20 ? (rounds + 1) / 2 : rounds / 4, is_short ? 6 : 1);
        }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
