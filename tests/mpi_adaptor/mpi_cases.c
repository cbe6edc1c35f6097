/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_cases [--threads] [--seconds] [CASE...|-CASE...]: runs all cases of MPI calls, or those whose names begin so, or without those, and prints
 * "ok CASE" or "FAIL CASE" for each; the exit code is 1 if a check failed on any process. --threads: calls of several threads at once are allowed. `mpi_cases --abort CODE`: rank 1 aborts the job.
 * `mpi_cases --child`: started by a case. */
#include "mpi_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int my_rank, left, right, barriers_counted;

static int failures;
static const char *running = "start";

bool case_check(bool is_true, const char *file, int line, const char *text)
{
    const char *slash = strrchr(file, '/');
    if (!is_true) {
        failures++;
        printf("rank %d: %s: %s:%d: %s\n", my_rank, running, slash ? slash + 1 : file, line, text);
    }
    return is_true;
}

bool case_equal(long long got, long long expected, const char *file, int line, const char *text)
{
    char more[512];
    snprintf(more, sizeof more, "%s: got %lld, expected %lld", text, got, expected);
    return case_check(got == expected, file, line, more);
}

bool case_call(int code, const char *file, int line, const char *text)
{
    char more[MPI_MAX_ERROR_STRING + 512], error[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, error, &length);
    snprintf(more, sizeof more, "%s: code %d: %s", text, code, error);
    return case_check(false, file, line, more);
}

bool case_class(int code, int expected, const char *file, int line, const char *text)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    return case_equal(class, expected, file, line, text);
}

/* The program's own MPI_Barrier, as a tool for profiling has it. Calls in this program and in libraries come here. */
int MPI_Barrier(MPI_Comm comm)
{
    barriers_counted++;
    return PMPI_Barrier(comm);
}

static bool is_wanted(const char *name, char **wanted)
{
    bool all = true;
    for (char **w = wanted; *w; w++) {
        bool without = **w == '-';
        if (strncmp(name, *w + without, strlen(*w + without)) == 0)
            return !without;
        all = all && without;
    }
    return all;
}

/* Returns whether the case failed on any process. */
static int run_case(const mpi_case *c, MPI_Comm agree, bool with_seconds)
{
    int all = 0;
    double begin = MPI_Wtime();
    failures = 0;
    running = c->name;
    c->run();
    fflush(stdout);
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, agree);
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
        spawn_cases, tool_cases, environment_cases, thread_cases};
    int failed = 0, ran = 0;
    MPI_Comm agree;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &agree));
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const mpi_case *c = tables[t]; c->name; c++)
            if (is_wanted(c->name, wanted)) {
                failed += run_case(c, agree, with_seconds);
                ran++;
            }
    CALL(MPI_Comm_free(&agree));
    if (my_rank == 0)
        printf("%d cases, %d failed\n", ran, failed);
    return failed || !ran;
}

static bool is_word(const char *word, const char *expected)
{
    return word && strcmp(word, expected) == 0;
}

/* Runs what the words ask for; returns the exit code. */
static int run_words(char **words, int size)
{
    if (is_word(*words, "--child")) {
        spawn_child();
        return failures != 0;
    }
    if (size != PROCESSES) {
        printf("mpi_cases: %d processes; start %d\n", size, PROCESSES);
        return 2;
    }
    if (is_word(*words, "--abort") && words[1]) {
        if (my_rank == 1)
            MPI_Abort(MPI_COMM_WORLD, atoi(words[1]));
        MPI_Barrier(MPI_COMM_WORLD);
        return 0;
    }
    bool with_seconds = is_word(*words, "--seconds");
    return run_all(words + with_seconds, with_seconds);
}

int main(int argc, char **argv)
{
    int provided = -1, size = 0, flag = 1;
    CALL(MPI_Initialized(&flag));
    CHECK(!flag);
    char **words = argv + (argc > 0);
    bool with_threads = is_word(*words, "--threads");
    if (MPI_Init_thread(&argc, &argv, with_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
        return 2;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &my_rank));
    CALL(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    left = (my_rank + size - 1) % size;
    right = (my_rank + 1) % size;
    int code = failures ? 1 : run_words(argv + 1 + with_threads, size);
    MPI_Finalize();
    MPI_Finalized(&flag);
    return flag ? code : 1;
}
