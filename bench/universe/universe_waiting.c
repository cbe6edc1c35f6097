/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * universe_waiting spin|sleep|test ROUNDS: messages back and forth between rank 0 and the first rank of the second half of the world, which is another job.
 * The other processes wait inside MPI_Recv for a message of their own half, or sleep. test: the two receive by MPI_Irecv, and call MPI_Test until it has
 * come, so that they never sleep. Rank 0 prints "BYTES MICROSECONDS..." of half a round trip,
 * one number a round. bench/universe/waiting.py runs it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double ROUND_SECONDS = 0.1;
enum { GOES_ON = 0, LAST = 1, GREATEST = 1 << 20, LENGTHS = 2 };
static const int lengths[LENGTHS] = {8, GREATEST};
static int tests; /* whether a receive is one of MPI_Test */

static void receive(char *buf, int bytes, int other)
{
    MPI_Request request;
    int done = 0;
    if (!tests) {
        MPI_Recv(buf, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(buf, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, &request);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

/* Sends until the round's time is over, and says so in the last message. Returns microseconds of half a round trip. */
static double round_lead(char *buf, int bytes, int other)
{
    double begin = MPI_Wtime(), now = begin;
    for (int count = 1;; count++) {
        buf[0] = now - begin > ROUND_SECONDS ? LAST : GOES_ON;
        MPI_Send(buf, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
        receive(buf, bytes, other);
        now = MPI_Wtime();
        if (buf[0] == LAST)
            return 1e6 * (now - begin) / (2 * count);
    }
}

static void round_follow(char *buf, int bytes)
{
    do {
        receive(buf, bytes, 0);
        MPI_Send(buf, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    } while (buf[0] != LAST);
}

static void exchange(int rank, int half, int rounds)
{
    char *buf = calloc(1, GREATEST);
    if (!buf)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < LENGTHS; i++) {
        if (rank == 0)
            printf("%d", lengths[i]);
        for (int r = 0; r < rounds; r++)
            if (rank == 0)
                printf(" %.3f", round_lead(buf, lengths[i], half));
            else
                round_follow(buf, lengths[i]);
        if (rank == 0)
            printf("\n");
    }
    free(buf);
}

/* Until the first process of this half says that all is over. */
static void stand_by(int first, int sleeps)
{
    int over, has_come = !sleeps;
    while (!has_come) {
        usleep(20000);
        MPI_Iprobe(first, 1, MPI_COMM_WORLD, &has_come, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&over, 1, MPI_INT, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int half = size / 2, first = rank < half ? 0 : half, end = rank < half ? half : size;
    if (argc < 3 || size < 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    tests = strcmp(argv[1], "test") == 0;
    if (rank == first) {
        exchange(rank, half, atoi(argv[2]));
        for (int r = first + 1; r < end; r++)
            MPI_Send(&rank, 1, MPI_INT, r, 1, MPI_COMM_WORLD);
    } else {
        stand_by(first, strcmp(argv[1], "sleep") == 0);
    }
    MPI_Finalize();
    return 0;
}
