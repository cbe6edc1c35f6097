/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_cases [--threads] [--seconds] [CASE...|-CASE...]: runs all cases of MPI calls, or those whose names begin so, or without those, and prints
 * "ok CASE" or "FAIL CASE" for each; the exit code is 1 if a check failed on any process. --threads: calls of several threads at once are allowed. `mpi_cases --ending HOW`: the program ends so (ending_case.c).
 * `mpi_cases --child NUMBER`: started by a case. */
#include "mpi_case.h"

#include <stdio.h>

int my_rank, left, right, barriers_counted;

/* The program's own MPI_Barrier, as a tool for profiling has it. Calls in this program and in libraries come here. */
int MPI_Barrier(MPI_Comm comm)
{
    barriers_counted++;
    return PMPI_Barrier(comm);
}

/* Returns whether the case failed on any process. */
static int run_case(const mpi_case *c, MPI_Comm agree, bool with_seconds)
{
    int failed, all = 0;
    double begin = MPI_Wtime();
    case_begin(c->name);
    c->run();
    fflush(stdout);
    failed = case_failures();
    PMPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, agree);
    if (my_rank == 0 && with_seconds)
        printf("%s %s %.3f s\n", all ? "FAIL" : "ok", c->name, MPI_Wtime() - begin);
    else if (my_rank == 0)
        printf("%s %s\n", all ? "FAIL" : "ok", c->name);
    fflush(stdout);
    return all != 0;
}

static int run_all(char **wanted, bool with_seconds)
{
    static const mpi_case *const tables[] = {
        message_cases, request_cases, collective_cases, started_collective_cases, neighbour_cases, type_cases, pack_cases,
        communicator_cases, topology_cases, attribute_cases, info_cases, error_cases, op_cases, window_cases, file_cases,
        spawn_cases, tool_cases, environment_cases, thread_cases, persistent_cases, removed_cases, partitioned_cases, session_cases, large_cases};
    int failed = 0, ran = 0;
    MPI_Comm agree;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &agree));
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const mpi_case *c = tables[t]; c->name; c++)
            if (case_is_wanted(c->name, wanted)) {
                failed += run_case(c, agree, with_seconds);
                ran++;
            }
    CALL(MPI_Comm_free(&agree));
    if (my_rank == 0)
        printf("%d cases, %d failed\n", ran, failed);
    return failed || !ran;
}

/* Runs what the words ask for; returns the exit code. */
static int run_words(char **words, int size)
{
    MPI_Comm parent = MPI_COMM_NULL;
    CALL(MPI_Comm_get_parent(&parent));
    if (case_is_word(*words, "--child") || parent != MPI_COMM_NULL) {
        spawn_child(*words ? words[1] : NULL);
        return case_failures() != 0;
    }
    if (size != PROCESSES) {
        printf("mpi_cases: %d processes; start %d\n", size, PROCESSES);
        return 2;
    }
    bool with_seconds = case_is_word(*words, "--seconds");
    return run_all(words + with_seconds, with_seconds);
}

int main(int argc, char **argv)
{
    int provided = -1, size = 0, flag = 1;
    CALL(MPI_Initialized(&flag));
    CHECK(!flag);
    char **words = argv + (argc > 0);
    if (case_is_word(*words, "--ending") && words[1])
        return ending_run(words[1]);
    bool with_threads = case_is_word(*words, "--threads");
    if (MPI_Init_thread(&argc, &argv, with_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
        return 2;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &my_rank));
    CALL(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    left = (my_rank + size - 1) % size;
    right = (my_rank + 1) % size;
    int code = case_failures() ? 1 : run_words(argv + 1 + with_threads, size);
    MPI_Finalize();
    MPI_Finalized(&flag);
    return flag ? code : 1;
}
