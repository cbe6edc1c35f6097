/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers that call MPI, as a program's may: in calls that block and in others, on a communicator over all processes. */
#include "universe_case.h"

#include <stdlib.h>

static int handled, handled_class, exchanged;

/* Sends itself a message on MPI_COMM_WORLD: an error handler is called outside of any lock. */
static void handle(MPI_Comm *comm, int *code, ...)
{
    int rank = -1, sent = 40 + handled, got = -1;
    MPI_Comm_rank(*comm, &rank);
    MPI_Error_class(*code, &handled_class);
    MPI_Sendrecv(&sent, 1, MPI_INT, my_rank, 77, &got, 1, MPI_INT, my_rank, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    handled++;
    exchanged += got == sent && rank == my_rank;
}

static int copy_fails(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)state, (void)in, (void)out;
    *flag = 0;
    return MPI_ERR_OTHER;
}

static int copied, deleted;

static int copy_counts(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)state;
    *(void **)out = in;
    *flag = 1;
    copied++;
    return MPI_SUCCESS;
}

static int delete_counts(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    deleted++;
    return MPI_SUCCESS;
}

static MPI_Comm open_comm(MPI_Errhandler *handler)
{
    MPI_Comm comm;
    handled = exchanged = 0;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Comm_create_errhandler(handle, handler));
    CALL(MPI_Comm_set_errhandler(comm, *handler));
    return comm;
}

static void fail_calls(void)
{
    MPI_Errhandler handler;
    MPI_Comm comm = open_comm(&handler);
    MPI_Request request = MPI_REQUEST_NULL;
    int value = 1;
    FAILS(MPI_ERR_ROOT, MPI_Bcast(&value, 1, MPI_INT, world_size, comm));
    EQUAL(handled_class, MPI_ERR_ROOT);
    FAILS(MPI_ERR_ROOT, MPI_Ibcast(&value, 1, MPI_INT, world_size, comm, &request));
    if (jobs > 1) /* MPICH 4.0.2 does not check it */
        FAILS(MPI_ERR_COUNT, MPI_Allreduce(&value, &handled_class, -1, MPI_INT, MPI_SUM, comm));
    FAILS(MPI_ERR_TYPE, MPI_Iallgather(&value, 1, MPI_DATATYPE_NULL, &handled_class, 1, MPI_INT, comm, &request));
    EQUAL(handled, jobs > 1 ? 4 : 3);
    EQUAL(exchanged, handled);
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Comm_free(&comm));
}

CASE(handler_calls)
{
    fail_calls();
}

CASE_THREADS(handler_threads)
{
    if (jobs > 1) /* MPICH 4.0.2 calls a handler with its own lock */
        fail_calls();
}

/* Attributes that were copied before the one that failed are deleted again. */
CASE(handler_idup)
{
    MPI_Errhandler handler;
    MPI_Comm comm = open_comm(&handler), copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    int keys[2];
    if (jobs > 1) { /* an MPI may leave what it has begun */
        copied = deleted = 0;
        CALL(MPI_Comm_create_keyval(copy_fails, MPI_COMM_NULL_DELETE_FN, &keys[0], NULL));
        CALL(MPI_Comm_create_keyval(copy_counts, delete_counts, &keys[1], NULL));
        CALL(MPI_Comm_set_attr(comm, keys[0], NULL));
        CALL(MPI_Comm_set_attr(comm, keys[1], NULL)); /* copied first */
        FAILS(MPI_ERR_OTHER, MPI_Comm_idup(comm, &copy, &request));
        EQUAL(copied, 1);
        EQUAL(deleted, 1);
        EQUAL(handled, 1);
        EQUAL(exchanged, 1);
        FAILS(MPI_ERR_OTHER, MPI_Comm_dup(comm, &copy));
        EQUAL(deleted, 2);
        for (int i = 0; i < 2; i++) {
            CALL(MPI_Comm_delete_attr(comm, keys[i]));
            CALL(MPI_Comm_free_keyval(&keys[i]));
        }
    }
    CALL(MPI_Comm_idup(comm, &copy, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Barrier(copy));
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Errhandler_free(&handler));
    CALL(MPI_Comm_free(&comm));
}

/* Messages of a communicator have arrived when it is disconnected, though nobody has completed their requests. Inside a job
 * the requests are the job's MPI's. */
CASE(handler_disconnect)
{
    enum { LONG = 300000 };
    MPI_Comm comm;
    MPI_Request request[2];
    MPI_Status status[2];
    int *out = malloc(LONG * sizeof *out), *in = calloc(LONG, sizeof *in), wrong = 0, got = 0;
    bool waits = job_of(left) != job_of(my_rank);
    for (int i = 0; i < LONG; i++)
        out[i] = my_rank + i;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Irecv(in, LONG, MPI_INT, left, 5, comm, &request[0]));
    CALL(MPI_Isend(out, LONG, MPI_INT, right, 5, comm, &request[1]));
    if (jobs > 1)
        CALL(MPI_Comm_disconnect(&comm));
    for (int i = 0; i < LONG && waits; i++)
        wrong += in[i] != left + i;
    EQUAL(wrong, 0);
    CALL(MPI_Waitall(2, request, status));
    if (jobs == 1)
        CALL(MPI_Comm_disconnect(&comm));
    CHECK(comm == MPI_COMM_NULL);
    CALL(MPI_Get_count(&status[0], MPI_INT, &got));
    EQUAL(got, LONG);
    EQUAL(status[0].MPI_SOURCE, left);
    for (int i = 0; i < LONG; i++)
        wrong += in[i] != left + i;
    EQUAL(wrong, 0);
    free(out);
    free(in);
}
