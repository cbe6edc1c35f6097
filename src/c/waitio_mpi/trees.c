/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast, reductions and barrier. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/types.h"
#include "waitio_mpi/collective_call.h"
#include "waitio_mpi/typed.h"

typedef struct data {
    WAITIO_MPI_Comm comm;
    int count;
    waitio__typed type;
    int op;
} data;

static int run_call(const char *name, h3ou__call *call, const data *d, const void *input, void *output)
{
    h3ou__coll_data buffers = {
        .input = input, .output = output, .combine = h3ou__coll_combine, .type = d->type.kind, .op = d->op};
    call->count = d->count;
    call->element = (int)d->type.size;
    return waitio__collective_run(name, call, &buffers, d->comm);
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
    h3ou__call call = {.operation = H3OU__COLL_BCAST, .root = root};
    return code ? code : run_call("waitio_mpi_bcast", &call, &d, NULL, buf);
}

/* A reduction to one or to all. The schedules need two buffers, where programs may give one twice. */
static int reduce_values(const char *name, h3ou__call *call, const void *sendbuf, void *recvbuf, int count,
                         WAITIO_MPI_Datatype type, WAITIO_MPI_Op op, WAITIO_MPI_Comm comm)
{
    data d;
    int code = describe_data(name, count, type, comm, &d);
    if (!code)
        code = check_operation(name, op, &d);
    if (code || sendbuf != recvbuf || !count)
        return code ? code : run_call(name, call, &d, sendbuf, recvbuf);
    size_t bytes = (size_t)count * d.type.size;
    void *copy = malloc(bytes);
    if (!copy)
        return h3ou__fail(H3OU__ENOMEM, "%s: no memory for %d elements", name, count);
    memcpy(copy, sendbuf, bytes);
    code = run_call(name, call, &d, copy, recvbuf);
    free(copy);
    return code;
}

int waitio_mpi_reduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type, WAITIO_MPI_Op op,
                      int root, WAITIO_MPI_Comm comm)
{
    h3ou__call call = {.operation = H3OU__COLL_REDUCE, .root = root};
    return reduce_values("waitio_mpi_reduce", &call, sendbuf, recvbuf, count, type, op, comm);
}

int waitio_mpi_allreduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type, WAITIO_MPI_Op op,
                         WAITIO_MPI_Comm comm)
{
    h3ou__call call = {.operation = H3OU__COLL_ALLREDUCE};
    return reduce_values("waitio_mpi_allreduce", &call, sendbuf, recvbuf, count, type, op, comm);
}

int waitio_mpi_barrier(WAITIO_MPI_Comm comm)
{
    data d = {.comm = comm, .type = {.size = 1}};
    h3ou__call call = {.operation = H3OU__COLL_BARRIER};
    return run_call("waitio_mpi_barrier", &call, &d, NULL, NULL);
}
