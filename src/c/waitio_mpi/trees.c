/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast and reduction by the binomial trees of src/c/coll, and the calls that consist of these two. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "coll/combine.h"
#include "coll/schedule.h"
#include "waitio_mpi/typed.h"

typedef struct data {
    WAITIO_MPI_Comm comm;
    void *buf, *scratch; /* scratch is as large as buf, for reductions */
    int count;
    waitio__typed type;
    int op;
} data;

static size_t bytes_of(const data *d)
{
    return (size_t)d->count * d->type.size;
}

static int execute_schedule(const data *d, const h3ou__schedule *s)
{
    int code = H3OU__OK;
    for (int i = 0; i < s->n && !code; i++) {
        const h3ou__step *step = &s->step[i];
        bool is_reduce = step->kind == H3OU__STEP_REDUCE;
        code = waitio__typed_move(step->kind == H3OU__STEP_SEND, is_reduce ? d->scratch : d->buf, bytes_of(d),
                                  step->peer, d->comm);
        if (!code && is_reduce)
            h3ou__combine(d->buf, d->scratch, d->count, d->type.kind, d->op);
    }
    return code;
}

static int run_algorithm(const char *call, h3ou__algorithm *algorithm, const data *d, int root)
{
    h3ou__schedule s = {0};
    int rank, size, code = waitio__typed_place(call, d->comm, root, &rank, &size);
    if (!code)
        code = algorithm(size, rank, root, &s);
    if (!code && (code = execute_schedule(d, &s)) != H3OU__OK)
        h3ou__fail_in(code, "%s", call);
    h3ou__schedule_free(&s);
    return code;
}

static int describe_data(const char *call, int count, WAITIO_MPI_Datatype type, WAITIO_MPI_Comm comm, data *d)
{
    *d = (data){.comm = comm, .count = count};
    size_t bytes;
    int code = waitio__typed_bytes(call, count, type, &bytes);
    return code ? code : waitio__typed_find(call, type, &d->type);
}

static int check_operation(const char *call, WAITIO_MPI_Op op, data *d)
{
    d->op = op == WAITIO_MPI_SUM ? H3OU__SUM : op == WAITIO_MPI_MAX ? H3OU__MAX : H3OU__MIN;
    if (op != WAITIO_MPI_SUM && op != WAITIO_MPI_MAX && op != WAITIO_MPI_MIN)
        return h3ou__fail(H3OU__EARG, "%s: the operation %d is none of waitio_mpi.h", call, op);
    if (d->type.kind == H3OU__BYTE)
        return h3ou__fail(H3OU__EARG, "%s: characters and bytes cannot be reduced: use integers or reals", call);
    return H3OU__OK;
}

int waitio_mpi_bcast(void *buf, int count, WAITIO_MPI_Datatype type, int root, WAITIO_MPI_Comm comm)
{
    data d;
    int code = describe_data("waitio_mpi_bcast", count, type, comm, &d);
    d.buf = buf;
    return code ? code : run_algorithm("waitio_mpi_bcast", h3ou__bcast_binomial, &d, root);
}

static int reduce_to_root(const char *call, const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type,
                          WAITIO_MPI_Op op, int root, WAITIO_MPI_Comm comm)
{
    data d;
    int rank, code = describe_data(call, count, type, comm, &d);
    if (!code)
        code = check_operation(call, op, &d);
    if (code)
        return code;
    size_t bytes = bytes_of(&d);
    char *both = malloc(2 * bytes + 1);
    if (!both)
        return h3ou__fail(H3OU__ENOMEM, "%s: no memory for %d elements", call, count);
    if (bytes)
        memcpy(both, sendbuf, bytes);
    d.buf = both;
    d.scratch = both + bytes;
    code = run_algorithm(call, h3ou__reduce_binomial, &d, root);
    if (!code && !waitio_group_rank(comm, &rank) && rank == root && bytes)
        memcpy(recvbuf, both, bytes);
    free(both);
    return code;
}

int waitio_mpi_reduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type, WAITIO_MPI_Op op,
                      int root, WAITIO_MPI_Comm comm)
{
    return reduce_to_root("waitio_mpi_reduce", sendbuf, recvbuf, count, type, op, root, comm);
}

int waitio_mpi_allreduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type, WAITIO_MPI_Op op,
                         WAITIO_MPI_Comm comm)
{
    int code = reduce_to_root("waitio_mpi_allreduce", sendbuf, recvbuf, count, type, op, 0, comm);
    return code ? code : waitio_mpi_bcast(recvbuf, count, type, 0, comm);
}

int waitio_mpi_barrier(WAITIO_MPI_Comm comm)
{
    int mine = 0, all;
    return waitio_mpi_allreduce(&mine, &all, 1, WAITIO_MPI_INT, WAITIO_MPI_MAX, comm);
}
