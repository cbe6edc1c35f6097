/* SPDX-License-Identifier: BSD-3-Clause */
/* transport_mpi.<mpi> trip|stream|answered SIZE WINDOW SECONDS: an MPI inside one job, two ranks, a core each. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trips.h"

enum { WORDS = 1, STREAM = 2, LONGEST = 60 };

static int peer;
static MPI_Request req[MOST_WINDOW];

static void mpi_open(wire *w, int side)
{
    (void)w;
    peer = 1 - side;
}

static void mpi_send(wire *w, char *buf, size_t n)
{
    (void)w;
    MPI_Send(buf, (int)n, MPI_BYTE, peer, WORDS, MPI_COMM_WORLD);
}

static void mpi_recv(wire *w, char *buf, size_t n)
{
    (void)w;
    MPI_Recv(buf, (int)n, MPI_BYTE, peer, WORDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void mpi_push(wire *w, stream *s, long n)
{
    (void)w;
    for (long i = 0; i < n; i++) {
        int k = (int)(i % s->window);
        if (i >= s->window)
            MPI_Wait(&req[k], MPI_STATUS_IGNORE);
        MPI_Isend(s->slot[k], (int)s->size, MPI_BYTE, peer, STREAM, MPI_COMM_WORLD, &req[k]);
    }
    for (long i = n > s->window ? n - s->window : 0; i < n; i++)
        MPI_Wait(&req[i % s->window], MPI_STATUS_IGNORE);
}

static void post_receive(stream *s, int k)
{
    MPI_Irecv(s->slot[k], (int)s->size, MPI_BYTE, peer, STREAM, MPI_COMM_WORLD, &req[k]);
}

static void mpi_post(wire *w, stream *s, long n)
{
    (void)w;
    for (int i = 0; i < s->window && i < n; i++)
        post_receive(s, i);
}

static void mpi_pull(wire *w, stream *s, long n)
{
    (void)w;
    for (long i = 0; i < n; i++) {
        int k = (int)(i % s->window);
        MPI_Wait(&req[k], MPI_STATUS_IGNORE);
        if (i + s->window < n)
            post_receive(s, k);
    }
}

const wire_ops wire_mpi = {
    .name = "mpi",
    .open = mpi_open,
    .send = mpi_send,
    .recv = mpi_recv,
    .push = mpi_push,
    .post = mpi_post,
    .pull = mpi_pull,
};

int main(int argc, char **argv)
{
    int side, world;
    trip t = {0};
    double rate = 0;
    wire w = {.ops = &wire_mpi};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &side);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    if (argc != 5 || world != 2 || atoi(argv[3]) < 1 || atoi(argv[3]) > MOST_WINDOW) {
        fprintf(stderr, "usage: mpirun -n 2 %s trip|stream|answered SIZE WINDOW SECONDS\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET((size_t)side, &core);
    if (sched_setaffinity(0, sizeof core, &core))
        die("sched_setaffinity");
    alarm(LONGEST);
    w.ops->open(&w, side);
    size_t size = strtoul(argv[2], NULL, 10);
    double seconds = strtod(argv[4], NULL);
    if (!strcmp(argv[1], "trip"))
        measure_trip(&w, side, size, seconds, &t);
    else
        measure_stream(&w, side, size, atoi(argv[3]), !strcmp(argv[1], "answered"), seconds, &rate);
    if (!side)
        printf("median=%.5g mean=%.5g rate=%.6g\n", t.median, t.mean, rate);
    MPI_Finalize();
    return 0;
}
