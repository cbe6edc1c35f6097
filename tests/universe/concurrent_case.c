/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_THREAD_MULTIPLE: threads that send and receive at the same time, by all kinds of calls, inside a job and between jobs. */
#include "universe_case.h"

#include <pthread.h>
#include <stdint.h>

enum { THREADS = 3, MESSAGES = 60, LONG = 20000, TURNS = 12, MANY = 100000 };

/* Each thread has a tag of its own for each message, and exchanges messages with both neighbours and with the process opposite. */
static void *talk(void *number)
{
    int thread = (int)(intptr_t)number, opposite = world_size - 1 - my_rank, wrong = 0;
    static int out[THREADS][LONG], in[THREADS][2][LONG];
    for (int i = 0; i < MESSAGES; i++) {
        int tag = 1000 + 10 * i + thread, n = i % 10 ? i % 7 + 1 : LONG, other = i % 2 ? opposite : right, from = i % 2 ? opposite : left;
        MPI_Request request[2];
        MPI_Status status[2];
        for (int k = 0; k < n; k++)
            out[thread][k] = 1000 * my_rank + 10 * thread + i + k;
        if (i % 3 == 0) {
            CALL(MPI_Irecv(in[thread][0], LONG, MPI_INT, from, tag, MPI_COMM_WORLD, &request[0]));
            CALL(MPI_Isend(out[thread], n, MPI_INT, other, tag, MPI_COMM_WORLD, &request[1]));
            CALL(MPI_Waitall(2, request, status));
        } else if (i % 3 == 1) {
            CALL(MPI_Irecv(in[thread][0], LONG, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request[0]));
            CALL(MPI_Ssend(out[thread], n, MPI_INT, other, tag, MPI_COMM_WORLD));
            CALL(MPI_Wait(&request[0], &status[0]));
        } else {
            CALL(MPI_Sendrecv(out[thread], n, MPI_INT, other, tag, in[thread][0], LONG, MPI_INT, from, tag, MPI_COMM_WORLD, &status[0]));
        }
        int got = -1;
        CALL(MPI_Get_count(&status[0], MPI_INT, &got));
        int source = status[0].MPI_SOURCE;
        wrong += got != n;
        wrong += i % 3 != 1 && source != from;
        for (int k = 0; k < got; k++)
            wrong += in[thread][0][k] != 1000 * source + 10 * thread + i + k;
    }
    return (void *)(intptr_t)wrong;
}

CASE_THREADS(concurrent_messages)
{
    pthread_t thread[THREADS];
    int provided = -1;
    CALL(MPI_Query_thread(&provided));
    EQUAL(provided, MPI_THREAD_MULTIPLE);
    for (intptr_t t = 0; t < THREADS; t++)
        EQUAL(pthread_create(&thread[t], NULL, talk, (void *)t), 0);
    for (int t = 0; t < THREADS; t++) {
        void *wrong = NULL;
        pthread_join(thread[t], &wrong);
        EQUAL((intptr_t)wrong, 0);
    }
}

static MPI_Comm ring;

/* Looks along the ring in one direction; returns how often the neighbours were not those. */
static void *look_along(void *direction)
{
    enum { LOOKS = 50000 };
    int by = (int)(intptr_t)direction, wrong = 0;
    int from = (my_rank + world_size - by) % world_size, to = (my_rank + world_size + by) % world_size;
    for (int i = 0; i < LOOKS; i++) {
        int source = -1, destination = -1, coord = -1;
        CALL(MPI_Cart_shift(ring, 0, by, &source, &destination));
        CALL(MPI_Cart_coords(ring, my_rank, 1, &coord));
        wrong += source != from || destination != to || coord != my_rank;
    }
    return (void *)(intptr_t)wrong;
}

CASE_THREADS(concurrent_shifts)
{
    pthread_t thread[2];
    int closed = 1;
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 1, &world_size, &closed, 0, &ring));
    for (intptr_t t = 0; t < 2; t++)
        EQUAL(pthread_create(&thread[t], NULL, look_along, (void *)(t ? -1 : (intptr_t)1)), 0);
    for (int t = 0; t < 2; t++) {
        void *wrong = NULL;
        pthread_join(thread[t], &wrong);
        EQUAL((intptr_t)wrong, 0);
    }
    CALL(MPI_Comm_free(&ring));
}

typedef struct {
    MPI_Comm comm;
    int thread;
} collective;

/* Calls that block and calls that do not, on a communicator of the thread's own. */
static void *collect(void *given)
{
    const collective *c = given;
    static int in[THREADS][MANY], out[THREADS][MANY], started[THREADS], passed[THREADS];
    int *mine = in[c->thread], *all = out[c->thread], wrong = 0, ranks = world_size * (world_size - 1) / 2;
    for (int turn = 0; turn < TURNS; turn++) {
        int root = (turn + c->thread) % world_size, n = turn % 4 ? 50 + turn : MANY, one = my_rank + turn;
        MPI_Request request[2];
        for (int i = 0; i < n; i++)
            mine[i] = my_rank + i % 100 + turn;
        passed[c->thread] = my_rank == root ? 7 * turn + c->thread : -1;
        CALL(MPI_Iallreduce(&one, &started[c->thread], 1, MPI_INT, MPI_SUM, c->comm, &request[0]));
        CALL(MPI_Ibcast(&passed[c->thread], 1, MPI_INT, root, c->comm, &request[1]));
        CALL(MPI_Allreduce(mine, all, n, MPI_INT, MPI_SUM, c->comm));
        CALL(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        for (int i = 0; i < n; i++)
            wrong += all[i] != ranks + world_size * (i % 100 + turn);
        wrong += started[c->thread] != ranks + world_size * turn;
        wrong += passed[c->thread] != 7 * turn + c->thread;
        CALL(MPI_Bcast(mine, n, MPI_INT, root, c->comm));
        for (int i = 0; i < n; i++)
            wrong += mine[i] != root + i % 100 + turn;
        CALL(MPI_Barrier(c->comm));
    }
    return (void *)(intptr_t)wrong;
}

/* At the same time as messages. */
CASE_THREADS(concurrent_collectives)
{
    pthread_t thread[THREADS];
    collective given[THREADS];
    for (int t = 1; t < THREADS; t++) {
        given[t].thread = t;
        CALL(MPI_Comm_dup(MPI_COMM_WORLD, &given[t].comm));
    }
    EQUAL(pthread_create(&thread[0], NULL, talk, NULL), 0);
    for (int t = 1; t < THREADS; t++)
        EQUAL(pthread_create(&thread[t], NULL, collect, &given[t]), 0);
    for (int t = 0; t < THREADS; t++) {
        void *wrong = NULL;
        pthread_join(thread[t], &wrong);
        EQUAL((intptr_t)wrong, 0);
    }
    for (int t = 1; t < THREADS; t++)
        CALL(MPI_Comm_free(&given[t].comm));
}
