/* SPDX-License-Identifier: BSD-3-Clause */
/* universe_cases [--threads] [--seconds] [CASE...|-CASE...]: runs all cases, or those whose names begin so, or without those. Every process prints
 * "rank R of N: C cases, F failed", and its exit code is 1 if one failed. H3OU_CASE_JOBS, which the driver sets: the number of processes of each job. */
#include "universe_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int my_rank, world_size, left, right, jobs = 1;

static universe_case *first;

void case_add(universe_case *c)
{
    universe_case **at = &first;
    while (*at && strcmp((*at)->name, c->name) < 0)
        at = &(*at)->next;
    c->next = *at;
    *at = c;
}

int job_of(int rank)
{
    const char *at = getenv("H3OU_CASE_JOBS");
    int job = 0, begin = 0;
    while (at) {
        begin += atoi(at);
        if (rank < begin)
            break;
        at = strchr(at, '+');
        at = at ? at + 1 : NULL;
        job++;
    }
    return job;
}

/* Waits until every process has ended the case. */
static void end_case(void)
{
    enum { TAG = 32000 };
    for (int to = 1; my_rank == 0 && to < world_size; to++)
        MPI_Recv(NULL, 0, MPI_INT, to, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int to = 1; my_rank == 0 && to < world_size; to++)
        MPI_Send(NULL, 0, MPI_INT, to, TAG, MPI_COMM_WORLD);
    if (my_rank)
        MPI_Sendrecv(NULL, 0, MPI_INT, 0, TAG, NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int run_all(char **wanted, bool with_threads, bool with_seconds)
{
    int failed = 0, ran = 0;
    for (const universe_case *c = first; c; c = c->next) {
        if (c->needs_threads != with_threads || !case_is_wanted(c->name, wanted))
            continue;
        double begin = MPI_Wtime();
        case_begin(c->name);
        c->run();
        fflush(stdout);
        failed += case_failures() != 0;
        ran++;
        end_case();
        if (with_seconds && my_rank == 0)
            printf("%s %.3f s\n", c->name, MPI_Wtime() - begin);
    }
    printf("rank %d of %d: %d cases, %d failed\n", my_rank, world_size, ran, failed);
    fflush(stdout);
    return failed || !ran;
}

int main(int argc, char **argv)
{
    int provided = -1;
    char **words = argv + (argc > 0);
    bool with_threads = case_is_word(*words, "--threads");
    words += with_threads;
    bool with_seconds = case_is_word(*words, "--seconds");
    if (MPI_Init_thread(&argc, &argv, with_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
        return 2;
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &my_rank));
    CALL(MPI_Comm_size(MPI_COMM_WORLD, &world_size));
    left = (my_rank + world_size - 1) % world_size;
    right = (my_rank + 1) % world_size;
    jobs = job_of(world_size - 1) + 1;
    int code = case_failures() ? 1 : run_all(words + with_seconds, with_threads, with_seconds);
    MPI_Finalize();
    return code;
}
