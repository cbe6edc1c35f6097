/* SPDX-License-Identifier: BSD-3-Clause */
/* ends WAY [WAIT]: a world that ends in a certain way. WAY is what the last rank does: abort, kill, exit, fatal, late; none; wait: it waits, too; sent: all
 * exit with 0 after messages. WAIT is what the others do
 * meanwhile: inside (they wait for a message that never comes, inside their own MPI), across (for one of the last rank), first sum (they make the first
 * collective call), sum (after another one), compute; level 0 to level 3: they call MPI_Init_thread with this level, and compute. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUES = 3 << 18, SECONDS = 3600 };

static int rank, size;

static void wait_for(const char *how)
{
    int value = 0;
    if (strcmp(how, "inside") == 0) {
        MPI_Comm self;
        MPI_Comm_dup(MPI_COMM_SELF, &self);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, self, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "across") == 0) {
        MPI_Recv(&value, 1, MPI_INT, size - 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "sum") == 0 || strcmp(how, "first sum") == 0) {
        int all;
        MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    } else {
        sleep(SECONDS);
    }
}

/* The last rank has long messages and a short one on their way when it calls MPI_Finalize; the first receives them late. */
static void deliver_late(void)
{
    static int values[VALUES];
    static char buffer[sizeof values + MPI_BSEND_OVERHEAD];
    if (rank == size - 1) {
        MPI_Request request;
        void *at;
        int bytes;
        for (int i = 0; i < VALUES; i++)
            values[i] = i;
        MPI_Buffer_attach(buffer, sizeof buffer);
        MPI_Bsend(values, VALUES, MPI_INT, 0, 1, MPI_COMM_WORLD);
        memset(values, 0, sizeof values);
        MPI_Isend(values, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Buffer_detach(&at, &bytes);
    } else if (rank == 0) {
        sleep(1);
        MPI_Recv(values, VALUES, MPI_INT, size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        long long sum = 0;
        for (int i = 0; i < VALUES; i++)
            sum += values[i];
        MPI_Recv(values, 1, MPI_INT, size - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("sum %lld\n", sum - (long long)VALUES * (VALUES - 1) / 2 + values[0]);
    }
}

/* Each rank sends to the next and the one after it, and takes what comes. */
static int pass_on(void)
{
    int wrong = 0;
    for (int step = 1; step <= 2; step++) {
        int to = (rank + step) % size, from = (rank + size - step) % size, value = -1;
        MPI_Sendrecv(&rank, 1, MPI_INT, to, step, &value, 1, MPI_INT, from, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong += value != from;
    }
    MPI_Request request;
    MPI_Isend(&rank, 1, MPI_INT, (rank + 2) % size, 3, MPI_COMM_WORLD, &request); /* nobody receives it */
    return wrong;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "none", *how = argc > 2 ? argv[2] : "inside";
    const int level[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    int provided;
    if (strncmp(how, "level ", 6) == 0)
        MPI_Init_thread(&argc, &argv, level[(how[6] - '0') & 3], &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("rank %d of %d\n", rank, size);
    fflush(stdout);
    if (strcmp(how, "sum") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "late") == 0) {
        deliver_late();
    } else if (strcmp(way, "all exit") == 0) {
        return 0;
    } else if (strcmp(way, "sent") == 0) {
        return pass_on();
    } else if (strcmp(way, "none") != 0) {
        if (rank != size - 1 || strcmp(way, "wait") == 0)
            wait_for(how);
        sleep(1);
        if (strcmp(way, "abort") == 0)
            MPI_Abort(MPI_COMM_WORLD, 7);
        if (strcmp(way, "kill") == 0)
            raise(SIGKILL);
        if (strcmp(way, "fatal") == 0)
            MPI_Send(&rank, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
        exit(0);
    }
    MPI_Finalize();
    printf("rank %d ended\n", rank);
    return 0;
}
