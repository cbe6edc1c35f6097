/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasts and sums for all over MPI_COMM_WORLD, by a program that knows only MPI.
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

static double time_call(int is_sum, int n)
{
    for (int i = 0; i < n; i += n > 1 ? n - 1 : 1) {
        in[i] = is_sum ? rank + 1 : 7 * (rank == 0);
        out[i] = 0;
    }
    double begin = agree_begin();
    if (is_sum)
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Bcast(in, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double took = seconds_now() - begin, want = is_sum ? size * (size + 1) / 2.0 : 7;
    const double *got = is_sum ? out : in;
    if (got[0] != want || got[n - 1] != want) {
        fprintf(stderr, "rank %d: %d values: got %g and %g instead of %g\n", rank, n, got[0], got[n - 1], want);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return took;
}

static void measure(int is_sum, int bytes, int rounds)
{
    double *took = malloc(2 * (size_t)rounds * sizeof *took), *last = took + rounds;
    time_call(is_sum, bytes / 8); /* opens connections */
    for (int r = 0; r < rounds; r++)
        took[r] = time_call(is_sum, bytes / 8);
    MPI_Allreduce(took, last, rounds, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s %d", is_sum ? "allreduce" : "bcast", bytes);
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
    for (int is_sum = 0; is_sum < 2; is_sum++)
        for (int i = 2; i < argc && rounds > 0; i++) {
            int bytes = atoi(argv[i]);
            if (bytes < 8 || bytes > MOST_BYTES)
                MPI_Abort(MPI_COMM_WORLD, 2);
            measure(is_sum, bytes, bytes >= 1 << 18 ? (rounds + 3) / 4 : rounds);
        }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
