/* SPDX-License-Identifier: BSD-3-Clause */
/* The C face of collective calls: communicators by number, and what is checked before a call. */
#include <stdlib.h>

#include "api/context.h"
#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"

enum { FIRST_MODEL = H3OU_COMM_LOCAL + 1, FIRST_FUNCTION = H3OU_OP_MAX + 1 };

/* A call that is being checked. */
typedef struct checked {
    h3ou__comm *comm;
    int size, rank;
    h3ou__reduction by;
    int64_t *displs, *more; /* that were not given, freed by close_call */
} checked;

int h3ou_comm_model(h3ou_ctx *ctx, const char *first, const char *second, int *comm)
{
    const char *const call = "h3ou_comm_model", *const name[2] = {first, second};
    int id[2], me, err = h3ou__ctx_check(ctx, call);
    for (int i = 0; i < 2 && !err; i++)
        if ((id[i] = h3ou__world_find(ctx->world, name[i])) < 0)
            err = h3ou__fail(H3OU__ENAME, "%s: no component '%s' was started", call, name[i]);
    if (err)
        return err;
    me = h3ou__world_me(ctx->world);
    if (id[0] == id[1] || (id[0] != me && id[1] != me))
        return h3ou__fail(H3OU__EARG, "%s(%s, %s) in component %s: one of the two must be this component, and the other one not", call,
                          first, second, ctx->name);
    *comm = FIRST_MODEL + id[0] * h3ou__world_components(ctx->world) + id[1];
    return H3OU_OK;
}

/* Finds a communicator; *out is NULL for Leader where this process is not in it. */
static int find_comm(h3ou_ctx *ctx, const char *call, int comm, h3ou__comm **out)
{
    int err = h3ou__ctx_check(ctx, call);
    if (err)
        return err;
    int n = h3ou__world_components(ctx->world), pair = comm - FIRST_MODEL;
    *out = NULL;
    switch (comm) {
    case H3OU_COMM_GLOBAL:
        return h3ou__world_couple(ctx->world, out);
    case H3OU_COMM_LEADER:
        *out = h3ou__world_leader(ctx->world);
        return H3OU_OK;
    case H3OU_COMM_LOCAL:
        *out = h3ou__world_local(ctx->world);
        return H3OU_OK;
    }
    if (pair < 0 || pair >= n * n)
        return h3ou__fail(H3OU__EARG, "%s: no communicator has the number %d: h3ou_comm_model returns those of two components", call,
                          comm);
    return h3ou__world_model(ctx->world, pair / n, pair % n, out);
}

int h3ou_comm_rank(h3ou_ctx *ctx, int comm, int *rank)
{
    h3ou__comm *c;
    int err = find_comm(ctx, "h3ou_comm_rank", comm, &c);
    if (!err)
        *rank = c ? h3ou__comm_rank(c) : -1;
    return err;
}

int h3ou_comm_size(h3ou_ctx *ctx, int comm, int *size)
{
    h3ou__comm *c;
    int err = find_comm(ctx, "h3ou_comm_size", comm, &c);
    if (!err)
        *size = c ? h3ou__comm_size(c) : h3ou__world_components(ctx->world);
    return err;
}

int h3ou_op_create(h3ou_ctx *ctx, h3ou_function *function, void *user, int commutes, int *op)
{
    int err = h3ou__ctx_check(ctx, "h3ou_op_create"), i = 0;
    if (err)
        return err;
    if (!function)
        return h3ou__fail(H3OU__EARG, "h3ou_op_create: the function is missing");
    while (i < ctx->nfunction && ctx->function[i].combine)
        i++;
    if (!h3ou__grow(&ctx->function, sizeof *ctx->function, &ctx->function_room, i + 1))
        return h3ou__no_memory("an operation");
    ctx->nfunction += i == ctx->nfunction;
    ctx->function[i] = (h3ou__reduction){.combine = function, .user = user, .commutes = commutes};
    *op = FIRST_FUNCTION + i;
    return H3OU_OK;
}

static int find_function(const h3ou_ctx *ctx, int op)
{
    int i = op - FIRST_FUNCTION;
    return i >= 0 && i < ctx->nfunction && ctx->function[i].combine ? i : -1;
}

int h3ou_op_free(h3ou_ctx *ctx, int op)
{
    int err = h3ou__ctx_check(ctx, "h3ou_op_free");
    if (err)
        return err;
    int i = find_function(ctx, op);
    if (i < 0)
        return h3ou__fail(H3OU__EARG, "h3ou_op_free: %d is no operation of h3ou_op_create", op);
    ctx->function[i].combine = NULL;
    return H3OU_OK;
}

static int open_call(h3ou_ctx *ctx, const char *call, int comm, int64_t count, int type, checked *out)
{
    *out = (checked){0};
    int err = find_comm(ctx, call, comm, &out->comm);
    if (err)
        return err;
    if (!out->comm)
        return h3ou__fail(H3OU__EARG, "%s on Leader: this process is not rank 0 of component %s", call, ctx->name);
    if (type < 0 || type >= H3OU__TYPES)
        return h3ou__fail(H3OU__EARG, "%s: %d is no enum h3ou_type", call, type);
    if (count < 0)
        return h3ou__fail(H3OU__EARG, "%s: the number of elements is %lld", call, (long long)count);
    out->size = h3ou__comm_size(out->comm);
    out->rank = h3ou__comm_rank(out->comm);
    return H3OU_OK;
}

static int close_call(checked *k, int err)
{
    free(k->displs);
    free(k->more);
    return err;
}

static int find_operation(const h3ou_ctx *ctx, const char *call, int type, int op, checked *k)
{
    int i = find_function(ctx, op);
    k->by = i >= 0 ? ctx->function[i] : (h3ou__reduction){.op = op};
    if (i < 0 && (op < 0 || op >= H3OU__OPS))
        return h3ou__fail(H3OU__EARG, "%s: %d is neither an enum h3ou_op nor an operation of h3ou_op_create", call, op);
    if (i < 0 && type == H3OU_TYPE_BYTE)
        return h3ou__fail(H3OU__EARG, "%s: bytes have no sum, minimum or maximum: make an operation of a function by h3ou_op_create",
                          call);
    return H3OU_OK;
}

/* Checks the sizes of parts, and sets *displs to where they begin: as given, or to memory that *own points to afterwards. */
static int find_parts(const checked *k, const char *call, const int64_t counts[], const int64_t **displs, int64_t **own)
{
    int64_t at = 0;
    if (!counts)
        return h3ou__fail(H3OU__EARG, "%s: the numbers of elements are missing", call);
    if (!*displs && !(*own = malloc(sizeof **own * (size_t)k->size)))
        return h3ou__no_memory("a collective");
    for (int i = 0; i < k->size; i++) {
        if (counts[i] < 0)
            return h3ou__fail(H3OU__EARG, "%s: the number of elements of rank %d is %lld", call, i, (long long)counts[i]);
        if (*own)
            (*own)[i] = at;
        at += counts[i];
    }
    *displs = *own ? *own : *displs;
    return H3OU_OK;
}

int h3ou_barrier(h3ou_ctx *ctx, int comm)
{
    checked k;
    int err = open_call(ctx, "h3ou_barrier", comm, 0, 0, &k);
    return err ? err : h3ou__barrier(k.comm);
}

int h3ou_bcast(h3ou_ctx *ctx, int comm, int root, void *data, int64_t count, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_bcast", comm, count, type, &k);
    return err ? err : h3ou__bcast(k.comm, data, count, type, root);
}

int h3ou_gather(h3ou_ctx *ctx, int comm, int root, const void *send, int64_t count, void *recv, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_gather", comm, count, type, &k);
    return err ? err : h3ou__gather(k.comm, send, count, recv, type, root);
}

int h3ou_gatherv(h3ou_ctx *ctx, int comm, int root, const void *send, int64_t count, void *recv, const int64_t counts[],
                 const int64_t displs[], int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_gatherv", comm, count, type, &k);
    if (!err && k.rank == root)
        err = find_parts(&k, "h3ou_gatherv", counts, &displs, &k.displs);
    return close_call(&k, err ? err : h3ou__gatherv(k.comm, send, count, recv, counts, displs, type, root));
}

int h3ou_scatter(h3ou_ctx *ctx, int comm, int root, const void *send, void *recv, int64_t count, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_scatter", comm, count, type, &k);
    return err ? err : h3ou__scatter(k.comm, send, recv, count, type, root);
}

int h3ou_scatterv(h3ou_ctx *ctx, int comm, int root, const void *send, const int64_t counts[], const int64_t displs[], void *recv,
                  int64_t count, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_scatterv", comm, count, type, &k);
    if (!err && k.rank == root)
        err = find_parts(&k, "h3ou_scatterv", counts, &displs, &k.displs);
    return close_call(&k, err ? err : h3ou__scatterv(k.comm, send, counts, displs, recv, count, type, root));
}

int h3ou_allgather(h3ou_ctx *ctx, int comm, const void *send, int64_t count, void *recv, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_allgather", comm, count, type, &k);
    return err ? err : h3ou__allgather(k.comm, send, count, recv, type);
}

int h3ou_allgatherv(h3ou_ctx *ctx, int comm, const void *send, void *recv, const int64_t counts[], const int64_t displs[], int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_allgatherv", comm, 0, type, &k);
    if (!err)
        err = find_parts(&k, "h3ou_allgatherv", counts, &displs, &k.displs);
    return close_call(&k, err ? err : h3ou__allgatherv(k.comm, send, recv, counts, displs, type));
}

int h3ou_alltoall(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_alltoall", comm, count, type, &k);
    return err ? err : h3ou__alltoall(k.comm, send, recv, count, type);
}

int h3ou_alltoallv(h3ou_ctx *ctx, int comm, const void *send, const int64_t send_counts[], const int64_t send_displs[], void *recv,
                   const int64_t recv_counts[], const int64_t recv_displs[], int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_alltoallv", comm, 0, type, &k);
    if (!err)
        err = find_parts(&k, "h3ou_alltoallv", send_counts, &send_displs, &k.displs);
    if (!err)
        err = find_parts(&k, "h3ou_alltoallv", recv_counts, &recv_displs, &k.more);
    return close_call(&k, err ? err
                              : h3ou__alltoall_parts(k.comm, send, send_counts, send_displs, recv, recv_counts, recv_displs, type));
}

int h3ou_reduce(h3ou_ctx *ctx, int comm, int root, const void *send, void *recv, int64_t count, int type, int op)
{
    checked k;
    int err = open_call(ctx, "h3ou_reduce", comm, count, type, &k);
    if (!err)
        err = find_operation(ctx, "h3ou_reduce", type, op, &k);
    return err ? err : h3ou__reduce_by(k.comm, send, recv, count, type, &k.by, root);
}

int h3ou_allreduce(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type, int op)
{
    checked k;
    int err = open_call(ctx, "h3ou_allreduce", comm, count, type, &k);
    if (!err)
        err = find_operation(ctx, "h3ou_allreduce", type, op, &k);
    return err ? err : h3ou__allreduce_by(k.comm, send, recv, count, type, &k.by);
}

int h3ou_reduce_scatter(h3ou_ctx *ctx, int comm, const void *send, void *recv, const int64_t counts[], int type, int op)
{
    checked k;
    const int64_t *displs = counts; /* not used: given, so that none are made */
    int err = open_call(ctx, "h3ou_reduce_scatter", comm, 0, type, &k);
    if (!err)
        err = find_parts(&k, "h3ou_reduce_scatter", counts, &displs, &k.displs);
    if (!err)
        err = find_operation(ctx, "h3ou_reduce_scatter", type, op, &k);
    return err ? err : h3ou__reduce_scatter(k.comm, send, recv, counts, type, &k.by);
}

int h3ou_scan(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type, int op)
{
    checked k;
    int err = open_call(ctx, "h3ou_scan", comm, count, type, &k);
    if (!err)
        err = find_operation(ctx, "h3ou_scan", type, op, &k);
    return err ? err : h3ou__scan(k.comm, send, recv, count, type, &k.by);
}
