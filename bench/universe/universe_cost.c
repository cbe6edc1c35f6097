/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * universe_cost between|bare: times of messages between jobs, one line "BYTES NANOSECONDS..." each, of ROUNDS rounds.
 * between: half round trips between the first and the last rank by MPI_COMM_WORLD. bare: the same by WaitIO between two jobs, without a world.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waitio.h"

enum { ROUNDS = 15, MOST = 1 << 20 };
static const int length[] = {8, 1024, 16384, 131072, MOST};

static int rank, size;
static char *out, *in;

static void by_mpi(int other, int bytes, int tag)
{
    if (rank == 0) {
        MPI_Send(out, bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in, bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, bytes, MPI_BYTE, other, tag, MPI_COMM_WORLD);
    }
}

static waitio_group_t group;

static void check(int err)
{
    if (err) {
        fprintf(stderr, "universe_cost: %s\n", waitio_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void waitio_one(int is_send, int other, int bytes, int tag)
{
    waitio_req_t request;
    check(is_send ? waitio_isend(group, other, out, (size_t)bytes, tag, &request) : waitio_irecv(group, other, in, (size_t)bytes, tag, &request));
    check(waitio_wait(&request));
}

static void by_waitio(int other, int bytes, int tag)
{
    waitio_one(rank == 0, other, bytes, tag);
    waitio_one(rank != 0, other, bytes, tag);
}

static double nanoseconds(void (*call)(int, int, int), int other, int bytes, int repeats)
{
    for (int i = 0; i < repeats / 10; i++)
        call(other, bytes, 1);
    double start = MPI_Wtime();
    for (int i = 0; i < repeats; i++)
        call(other, bytes, 1);
    return (MPI_Wtime() - start) / repeats * 1e9;
}

static void print(const char *name, const double *value)
{
    printf("%s", name);
    for (int i = 0; i < ROUNDS; i++)
        printf(" %.1f", value[i]);
    printf("\n");
}

static void measure_between(void (*call)(int, int, int))
{
    int other = rank == 0 ? size - 1 : 0;
    for (size_t l = 0; l < sizeof length / sizeof *length; l++) {
        double value[ROUNDS];
        char name[16];
        for (int round = 0; round < ROUNDS; round++)
            value[round] = nanoseconds(call, other, length[l], length[l] > 20000 ? 40 : 500) / 2;
        snprintf(name, sizeof name, "%d", length[l]);
        if (rank == 0)
            print(name, value);
    }
}

static void measure_bare(void)
{
    int order[2] = {0, 1}, first[] = {0, -1}, *list[] = {first, first};
    check(waitio_init(60));
    check(waitio_pb_rank(&rank));
    check(waitio_pb_size(&size));
    group = waitio_create_group_wranks(1, list, order);
    measure_between(by_waitio);
    waitio_group_free(group);
    check(waitio_finalize());
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    out = calloc(1, MOST);
    in = calloc(1, MOST);
    if (strcmp(word, "bare") == 0)
        measure_bare();
    else
        measure_between(by_mpi);
    MPI_Barrier(MPI_COMM_WORLD);
    free(out);
    free(in);
    return MPI_Finalize() != MPI_SUCCESS;
}
