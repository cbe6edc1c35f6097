/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast, reductions and barrier: in the layers of layers.h, or between all members at once. */
#include <string.h>

#include "base/error.h"
#include "base/kept_memory.h"
#include "base/types.h"
#include "waitio/message/group.h"
#include "waitio_mpi/collective_call.h"
#include "waitio_mpi/host_part.h"
#include "waitio_mpi/operation.h"
#include "waitio_mpi/typed.h"

typedef struct tree {
    const char *name; /* of the call of MPI */
    WAITIO_MPI_Comm comm;
    int count;
    waitio__typed type;
    WAITIO_MPI_Op op;
    waitio__layers layers;
    uint32_t number; /* of the call on the communicator */
} tree;

static int64_t bytes_of(const tree *t)
{
    return (int64_t)t->count * t->type.size;
}

/* Describes a call; the caller ends it with waitio__layers_free, also after an error. */
static int tree_begin(tree *t, const char *name, int count, WAITIO_MPI_Datatype type, int root, WAITIO_MPI_Comm comm)
{
    int rank, size;
    size_t bytes;
    *t = (tree){.name = name, .comm = comm, .count = count};
    int code = waitio__typed_bytes(name, count, type, &bytes);
    if (!code)
        code = waitio__typed_find(name, type, &t->type);
    if (!code)
        code = waitio__typed_place(name, comm, root, &rank, &size);
    if (!code)
        code = waitio__layers_make(comm, root, &t->layers);
    if (!code)
        t->number = comm->nschedule++;
    return code;
}

/* Performs an operation by a schedule between the members of a link. */
static int run_schedule(const tree *t, int operation, waitio__group_link link, int size, int me, int root,
                        const void *input, void *output)
{
    h3ou__coll_data data = {
        .input = input, .output = output, .combine = waitio__operation_combine, .type = t->type.element, .op = t->op};
    h3ou__call call = {
        .operation = operation, .size = size, .me = me, .root = root, .element = t->type.size, .count = t->count};
    link.group = t->comm;
    link.unit = t->type.unit;
    link.mpi = t->layers.mpi;
    link.inside = t->layers.inside;
    return waitio__collective_execute(t->layers.algorithm, &call, &data, &link, t->number);
}

static int run_among_heads(const tree *t, int operation, const void *input, void *output)
{
    const waitio__layers *l = &t->layers;
    if (l->me != l->head || l->nblock == 1)
        return H3OU__OK;
    return run_schedule(t, operation, (waitio__group_link){.ranks = l->heads}, l->nblock, l->block, l->root_block,
                        input, output);
}

/* Sets *type and *op to what the job's MPI calls them; returns false if it has no such. */
static bool is_known_to_mpi(const tree *t, int *type, int *op)
{
    static const int types[WAITIO__ELEMENTS] = {[WAITIO__INT32] = H3OU__INT32,
                                                [WAITIO__INT64] = H3OU__INT64,
                                                [WAITIO__FLOAT] = H3OU__FLOAT,
                                                [WAITIO__DOUBLE] = H3OU__DOUBLE};
    *type = types[t->type.element];
    *op = t->op == WAITIO_MPI_SUM ? H3OU__SUM : t->op == WAITIO_MPI_MAX ? H3OU__MAX : H3OU__MIN;
    return *type != H3OU__BYTE && (t->op == WAITIO_MPI_SUM || t->op == WAITIO_MPI_MAX || t->op == WAITIO_MPI_MIN);
}

/* Starts an operation of the block by its MPI; *is_known is false if the MPI cannot do it. */
static int start_by_mpi(const tree *t, int operation, const void *input, void *output, h3ou__mpi_req *req,
                        bool *is_known)
{
    const waitio__layers *l = &t->layers;
    int type, op;
    *is_known = true;
    if (operation == H3OU__COLL_BARRIER)
        return l->mpi->ibarrier(l->inside, req);
    if (operation == H3OU__COLL_BCAST)
        return l->mpi->ibcast(l->inside, output, bytes_of(t), H3OU__BYTE, l->head, req);
    *is_known = is_known_to_mpi(t, &type, &op);
    if (!*is_known)
        return H3OU__OK;
    return operation == H3OU__COLL_REDUCE ? l->mpi->ireduce(l->inside, input, output, t->count, type, op, l->head, req)
                                          : l->mpi->iallreduce(l->inside, input, output, t->count, type, op, req);
}

static void combine_in_host(const void *user, void *to, const void *from, int64_t count)
{
    const tree *t = user;
    waitio__operation_combine(&(h3ou__coll_data){.type = t->type.element, .op = t->op}, to, from, count, true);
}

/* Performs an operation of the block in memory of its hosts. */
static int run_in_hosts(const tree *t, int operation, const void *input, void *output)
{
    const waitio__layers *l = &t->layers;
    bool is_bcast = operation == H3OU__COLL_BCAST, is_reduce = operation == H3OU__COLL_REDUCE;
    h3ou__host_call call = {.kind = is_bcast ? H3OU__HOST_BCAST : is_reduce ? H3OU__HOST_REDUCE : H3OU__HOST_ALLREDUCE,
                            .root = is_bcast || is_reduce ? l->head : 0,
                            .in = is_bcast ? output : input,
                            .out = output,
                            .count = t->count,
                            .element = t->type.size,
                            .label = is_bcast ? 0 : (t->type.element * 16 + (int)t->op) & 255,
                            .combine = combine_in_host,
                            .user = t};
    h3ou__coll_data values = {.element = t->type.size, .combine = waitio__operation_combine, .type = t->type.element, .op = t->op};
    return waitio__host_part_run(l, &call, &values, t->name);
}

/* Performs an operation in the block of this process, with its head as root. */
static int run_inside(const tree *t, int operation, const void *input, void *output)
{
    const waitio__layers *l = &t->layers;
    bool is_known = false;
    if (l->hosts)
        return run_in_hosts(t, operation, input, output);
    if (l->mpi) {
        h3ou__mpi_req req;
        int code = start_by_mpi(t, operation, input, output, &req, &is_known);
        if (code || is_known)
            return code ? code : waitio__layers_wait(l, &req, t->name);
    }
    return run_schedule(t, operation, (waitio__group_link){.first = l->first}, l->size, l->me, l->head, input, output);
}

int waitio_mpi_bcast(void *buf, int count, WAITIO_MPI_Datatype type, int root, WAITIO_MPI_Comm comm)
{
    tree t;
    int code = tree_begin(&t, "waitio_mpi_bcast", count, type, root, comm);
    if (!code)
        code = run_among_heads(&t, H3OU__COLL_BCAST, NULL, buf);
    if (!code && t.layers.size > 1)
        code = run_inside(&t, H3OU__COLL_BCAST, NULL, buf);
    waitio__layers_free(&t.layers);
    return code;
}

/* A reduction over several blocks. result: of the head of this block, `operation` among heads. */
static int reduce_layers(const tree *t, int operation, const void *sendbuf, void *result)
{
    const waitio__layers *l = &t->layers;
    if (l->size == 1)
        return run_among_heads(t, operation, sendbuf, result);
    void *part = l->me == l->head ? h3ou__kept_memory_take((size_t)bytes_of(t) + 1) : NULL;
    if (l->me == l->head && !part)
        return h3ou__fail(H3OU__ENOMEM, "%s: no memory for %d elements", t->name, t->count);
    int code = run_inside(t, H3OU__COLL_REDUCE, sendbuf, part);
    if (!code)
        code = run_among_heads(t, operation, part, result);
    h3ou__kept_memory_give(part);
    return code;
}

static int reduce_tree(const tree *t, int operation, const void *sendbuf, void *recvbuf)
{
    if (t->layers.nblock == 1)
        return run_inside(t, operation, sendbuf, recvbuf);
    int code = reduce_layers(t, operation, sendbuf, recvbuf);
    bool is_for_all = operation == H3OU__COLL_ALLREDUCE && t->layers.size > 1;
    return code || !is_for_all ? code : run_inside(t, H3OU__COLL_BCAST, NULL, recvbuf);
}

/* A reduction to one or to all. The schedules need two buffers, where programs may give one twice. */
static int reduce_values(tree *t, int operation, const void *sendbuf, void *recvbuf, WAITIO_MPI_Op op)
{
    t->op = op;
    int code = waitio__operation_check(t->name, op, t->type.element);
    if (code || sendbuf != recvbuf || !t->count)
        return code ? code : reduce_tree(t, operation, sendbuf, recvbuf);
    void *copy = h3ou__kept_memory_take((size_t)bytes_of(t));
    if (!copy)
        return h3ou__fail(H3OU__ENOMEM, "%s: no memory for %d elements", t->name, t->count);
    memcpy(copy, sendbuf, (size_t)bytes_of(t));
    code = reduce_tree(t, operation, copy, recvbuf);
    h3ou__kept_memory_give(copy);
    return code;
}

int waitio_mpi_reduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type, WAITIO_MPI_Op op,
                      int root, WAITIO_MPI_Comm comm)
{
    tree t;
    int code = tree_begin(&t, "waitio_mpi_reduce", count, type, root, comm);
    if (!code)
        code = reduce_values(&t, H3OU__COLL_REDUCE, sendbuf, recvbuf, op);
    waitio__layers_free(&t.layers);
    return code;
}

int waitio_mpi_allreduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type, WAITIO_MPI_Op op,
                         WAITIO_MPI_Comm comm)
{
    tree t;
    int code = tree_begin(&t, "waitio_mpi_allreduce", count, type, 0, comm);
    if (!code)
        code = reduce_values(&t, H3OU__COLL_ALLREDUCE, sendbuf, recvbuf, op);
    waitio__layers_free(&t.layers);
    return code;
}

int waitio_mpi_barrier(WAITIO_MPI_Comm comm)
{
    tree t;
    int code = tree_begin(&t, "waitio_mpi_barrier", 0, WAITIO_MPI_BYTE, 0, comm);
    /* In memory the first call need only tell the head that all are here, and the second one the others. */
    bool has_two = !code && t.layers.hosts && t.layers.nblock > 1;
    if (!code)
        code = run_inside(&t, has_two ? H3OU__COLL_REDUCE : H3OU__COLL_BARRIER, NULL, NULL);
    if (!code && t.layers.nblock > 1) {
        code = run_among_heads(&t, H3OU__COLL_BARRIER, NULL, NULL);
        if (!code)
            code = run_inside(&t, has_two ? H3OU__COLL_BCAST : H3OU__COLL_BARRIER, NULL, NULL);
    }
    waitio__layers_free(&t.layers);
    return code;
}
