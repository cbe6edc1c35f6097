/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/harness/mpi/wire_mpi.h"

#include <sched.h>

#include "base/error.h"

enum { WORDS = 1, STREAM = 2 };

static int peer;
static MPI_Request request[WIRE_WINDOW_MOST];

/* MPI's errors end the job, as MPI does unless told otherwise; a code is looked at in case that it does not. */
static int check_call(int code)
{
    return code == MPI_SUCCESS ? H3OU__OK : h3ou__fail(H3OU__EMPI, "a call of MPI returned %d", code);
}

int wire_mpi_wait(const wire *w, MPI_Request *req)
{
    int done = 0, code = MPI_SUCCESS;
    if (w->wait != WIRE_YIELD)
        return check_call(MPI_Wait(req, MPI_STATUS_IGNORE));
    while ((code = MPI_Test(req, &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done)
        sched_yield();
    return check_call(code);
}

static int open_wire(wire *w, int side)
{
    int rank, code = MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)w;
    peer = side ? rank - 1 : rank + 1;
    return check_call(code);
}

static int send_message(wire *w, char *buf, size_t n)
{
    MPI_Request req;
    if (w->wait != WIRE_YIELD)
        return check_call(MPI_Send(buf, (int)n, MPI_BYTE, peer, WORDS, MPI_COMM_WORLD));
    int code = check_call(MPI_Isend(buf, (int)n, MPI_BYTE, peer, WORDS, MPI_COMM_WORLD, &req));
    return code ? code : wire_mpi_wait(w, &req);
}

static int receive_message(wire *w, char *buf, size_t n)
{
    MPI_Request req;
    if (w->wait != WIRE_YIELD)
        return check_call(MPI_Recv(buf, (int)n, MPI_BYTE, peer, WORDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    int code = check_call(MPI_Irecv(buf, (int)n, MPI_BYTE, peer, WORDS, MPI_COMM_WORLD, &req));
    return code ? code : wire_mpi_wait(w, &req);
}

static int push_stream(wire *w, wire_stream *s, long n)
{
    int code = H3OU__OK;
    for (long i = 0; i < n && !code; i++) {
        int k = (int)(i % s->window);
        if (i >= s->window)
            code = wire_mpi_wait(w, &request[k]);
        if (!code)
            code = check_call(MPI_Isend(s->slot[k], (int)s->size, MPI_BYTE, peer, STREAM, MPI_COMM_WORLD, &request[k]));
    }
    for (long i = n > s->window ? n - s->window : 0; i < n && !code; i++)
        code = wire_mpi_wait(w, &request[i % s->window]);
    return code;
}

static int post_receive(wire_stream *s, int k)
{
    return check_call(MPI_Irecv(s->slot[k], (int)s->size, MPI_BYTE, peer, STREAM, MPI_COMM_WORLD, &request[k]));
}

static int post_stream(wire *w, wire_stream *s, long n)
{
    int code = H3OU__OK;
    (void)w;
    for (int i = 0; i < s->window && i < n && !code; i++)
        code = post_receive(s, i);
    return code;
}

static int pull_stream(wire *w, wire_stream *s, long n)
{
    int code = H3OU__OK;
    for (long i = 0; i < n && !code; i++) {
        int k = (int)(i % s->window);
        code = wire_mpi_wait(w, &request[k]);
        if (!code && i + s->window < n)
            code = post_receive(s, k);
    }
    return code;
}

const wire_ops wire_mpi = {
    .name = "mpi",
    .open = open_wire,
    .send = send_message,
    .recv = receive_message,
    .push = push_stream,
    .post = post_stream,
    .pull = pull_stream,
};
