/* SPDX-License-Identifier: BSD-3-Clause */
/* call_cost: on two processes, the time of calls of MPI, one line "CALL NANOSECONDS" each (the least of ROUNDS), and of messages of 1 MiB. It calls
 * nothing of h3ou: bench/mpi_adaptor.py runs it with its own MPI and by the adaptor. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 15, REPEATS = 20000, MESSAGE = 1 << 20, MESSAGES = 64 };

static int rank;
static char *big;
static MPI_Comm duplicate;
static MPI_Datatype pair_of_ints;

static void comm_rank(void)
{
    int r;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
}

static void comm_rank_created(void)
{
    int r;
    MPI_Comm_rank(duplicate, &r);
}

static void type_size(void)
{
    int size;
    MPI_Type_size(MPI_DOUBLE, &size);
}

static void type_size_created(void)
{
    int size;
    MPI_Type_size(pair_of_ints, &size);
}

static void isend_wait(void)
{
    char byte = 0;
    MPI_Request request;
    MPI_Isend(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void to_itself(void)
{
    char from = 0, to;
    MPI_Request requests[2];
    MPI_Irecv(&to, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&from, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* MESSAGES messages from rank 0 to rank 1, and an answer. */
static void stream(void)
{
    for (int i = 0; i < MESSAGES; i++) {
        if (rank == 0)
            MPI_Send(big, MESSAGE, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(big, MESSAGE, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        MPI_Recv(big, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(big, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
}

static void measure(const char *name, void (*call)(void), int repeats, int each)
{
    double least = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = MPI_Wtime();
        for (int i = 0; i < repeats; i++)
            call();
        double took = (MPI_Wtime() - start) / repeats / each * 1e9;
        if (round == 0 || took < least)
            least = took;
    }
    if (rank == 0)
        printf("%s %.3f\n", name, least);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    MPI_Type_contiguous(2, MPI_INT, &pair_of_ints);
    MPI_Type_commit(&pair_of_ints);
    big = calloc(1, MESSAGE);
    if (rank == 0) {
        measure("Comm_rank", comm_rank, REPEATS, 1);
        measure("Comm_rank_created", comm_rank_created, REPEATS, 1);
        measure("Type_size", type_size, REPEATS, 1);
        measure("Type_size_created", type_size_created, REPEATS, 1);
        measure("Isend_Wait", isend_wait, REPEATS, 1);
        measure("Irecv_Isend_Waitall", to_itself, REPEATS / 4, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    measure("message_of_1_MiB", stream, 1, MESSAGES);
    free(big);
    MPI_Type_free(&pair_of_ints);
    MPI_Comm_free(&duplicate);
    return MPI_Finalize() != MPI_SUCCESS;
}
