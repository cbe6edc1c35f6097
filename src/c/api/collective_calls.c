/* SPDX-License-Identifier: BSD-3-Clause */
/* The C face of collective calls: communicators by number, and what is checked before a call. */
#include <stdlib.h>

#include "api/beside_call.h"
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
    h3ou_ctx *ctx;
    const char *call;
    int64_t width;
    bool is_local;  /* on Local: nothing comes from other components */
    bool is_left_out; /* in a replay: the record brings what the call would */
} checked;

int h3ou_comm_model(h3ou_ctx *ctx, const char *first, const char *second, int *comm)
{
    const char *const call = "h3ou_comm_model", *const name[2] = {first, second};
    int id[2], me, err = h3ou__ctx_check_wait(ctx, call);
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
    int err = h3ou__ctx_check_wait(ctx, call);
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

/* Ends a question about a communicator, whose answer in a replay is that of the recorded run. */
static int end_question(h3ou_ctx *ctx, const char *call, int comm, int err, int *answer)
{
    return err || comm == H3OU_COMM_LOCAL ? err : h3ou__beside_end_array(ctx, call, err, answer, 1, sizeof *answer);
}

int h3ou_comm_rank(h3ou_ctx *ctx, int comm, int *rank)
{
    h3ou__comm *c;
    int err = find_comm(ctx, "h3ou_comm_rank", comm, &c);
    if (!err)
        *rank = c ? h3ou__comm_rank(c) : -1;
    return end_question(ctx, "h3ou_comm_rank", comm, err, rank);
}

int h3ou_comm_size(h3ou_ctx *ctx, int comm, int *size)
{
    h3ou__comm *c;
    int err = find_comm(ctx, "h3ou_comm_size", comm, &c);
    if (!err)
        *size = c ? h3ou__comm_size(c) : h3ou__world_components(ctx->world);
    return end_question(ctx, "h3ou_comm_size", comm, err, size);
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
    out->ctx = ctx;
    out->call = call;
    out->width = h3ou__type_size(type);
    out->is_local = comm == H3OU_COMM_LOCAL;
    out->is_left_out = h3ou__is_replayed(ctx) && !out->is_local;
    out->size = out->is_left_out ? 0 : h3ou__comm_size(out->comm);
    out->rank = out->is_left_out ? -1 : h3ou__comm_rank(out->comm);
    return H3OU_OK;
}

/* Ends a call that brings n elements, none where does_get is false; in a replay as many as in the recorded run. */
static int close_call(const checked *k, int err, bool does_get, void *recv, int64_t n)
{
    const h3ou__brought b = {.to = recv, .n = does_get ? n : 0, .width = k->width};
    return err || k->is_local ? err : h3ou__beside_end(k->ctx, k->call, err, -1, &b);
}

/* The same for a call that brings parts. */
static int close_parts(checked *k, int err, bool does_get, void *recv, const int64_t counts[], const int64_t displs[])
{
    const h3ou__brought b = {.to = recv, .width = k->width, .counts = counts, .displs = displs, .parts = does_get ? k->size : 0};
    if (!err && !k->is_local)
        err = h3ou__beside_end(k->ctx, k->call, err, -1, &b);
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
    if (!err && !k.is_left_out)
        err = h3ou__barrier(k.comm);
    return close_call(&k, err, false, NULL, 0);
}

int h3ou_bcast(h3ou_ctx *ctx, int comm, int root, void *data, int64_t count, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_bcast", comm, count, type, &k);
    if (!err && !k.is_left_out)
        err = h3ou__bcast(k.comm, data, count, type, root);
    return close_call(&k, err, k.rank != root, data, count);
}

int h3ou_gather(h3ou_ctx *ctx, int comm, int root, const void *send, int64_t count, void *recv, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_gather", comm, count, type, &k);
    if (!err && !k.is_left_out)
        err = h3ou__gather(k.comm, send, count, recv, type, root);
    return close_call(&k, err, k.rank == root, recv, k.size * count);
}

int h3ou_gatherv(h3ou_ctx *ctx, int comm, int root, const void *send, int64_t count, void *recv, const int64_t counts[],
                 const int64_t displs[], int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_gatherv", comm, count, type, &k);
    if (!err && k.rank == root)
        err = find_parts(&k, "h3ou_gatherv", counts, &displs, &k.displs);
    if (!err && !k.is_left_out)
        err = h3ou__gatherv(k.comm, send, count, recv, counts, displs, type, root);
    return close_parts(&k, err, k.rank == root, recv, counts, displs);
}

int h3ou_scatter(h3ou_ctx *ctx, int comm, int root, const void *send, void *recv, int64_t count, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_scatter", comm, count, type, &k);
    if (!err && !k.is_left_out)
        err = h3ou__scatter(k.comm, send, recv, count, type, root);
    return close_call(&k, err, true, recv, count);
}

int h3ou_scatterv(h3ou_ctx *ctx, int comm, int root, const void *send, const int64_t counts[], const int64_t displs[], void *recv,
                  int64_t count, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_scatterv", comm, count, type, &k);
    if (!err && k.rank == root)
        err = find_parts(&k, "h3ou_scatterv", counts, &displs, &k.displs);
    if (!err && !k.is_left_out)
        err = h3ou__scatterv(k.comm, send, counts, displs, recv, count, type, root);
    free(k.displs);
    return close_call(&k, err, true, recv, count);
}

int h3ou_allgather(h3ou_ctx *ctx, int comm, const void *send, int64_t count, void *recv, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_allgather", comm, count, type, &k);
    if (!err && !k.is_left_out)
        err = h3ou__allgather(k.comm, send, count, recv, type);
    return close_call(&k, err, true, recv, k.size * count);
}

int h3ou_allgatherv(h3ou_ctx *ctx, int comm, const void *send, void *recv, const int64_t counts[], const int64_t displs[], int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_allgatherv", comm, 0, type, &k);
    if (!err && !k.is_left_out && (err = find_parts(&k, "h3ou_allgatherv", counts, &displs, &k.displs)) == H3OU_OK)
        err = h3ou__allgatherv(k.comm, send, recv, counts, displs, type);
    return close_parts(&k, err, true, recv, counts, displs);
}

int h3ou_alltoall(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_alltoall", comm, count, type, &k);
    if (!err && !k.is_left_out)
        err = h3ou__alltoall(k.comm, send, recv, count, type);
    return close_call(&k, err, true, recv, k.size * count);
}

int h3ou_alltoallv(h3ou_ctx *ctx, int comm, const void *send, const int64_t send_counts[], const int64_t send_displs[], void *recv,
                   const int64_t recv_counts[], const int64_t recv_displs[], int type)
{
    checked k;
    int err = open_call(ctx, "h3ou_alltoallv", comm, 0, type, &k);
    if (!err && !k.is_left_out && (err = find_parts(&k, "h3ou_alltoallv", send_counts, &send_displs, &k.displs)) == H3OU_OK &&
        (err = find_parts(&k, "h3ou_alltoallv", recv_counts, &recv_displs, &k.more)) == H3OU_OK)
        err = h3ou__alltoall_parts(k.comm, send, send_counts, send_displs, recv, recv_counts, recv_displs, type);
    return close_parts(&k, err, true, recv, recv_counts, recv_displs);
}

int h3ou_reduce(h3ou_ctx *ctx, int comm, int root, const void *send, void *recv, int64_t count, int type, int op)
{
    checked k;
    int err = open_call(ctx, "h3ou_reduce", comm, count, type, &k);
    if (!err)
        err = find_operation(ctx, "h3ou_reduce", type, op, &k);
    if (!err && !k.is_left_out)
        err = h3ou__reduce_by(k.comm, send, recv, count, type, &k.by, root);
    return close_call(&k, err, k.rank == root, recv, count);
}

int h3ou_allreduce(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type, int op)
{
    checked k;
    int err = open_call(ctx, "h3ou_allreduce", comm, count, type, &k);
    if (!err)
        err = find_operation(ctx, "h3ou_allreduce", type, op, &k);
    if (!err && !k.is_left_out)
        err = h3ou__allreduce_by(k.comm, send, recv, count, type, &k.by);
    return close_call(&k, err, true, recv, count);
}

int h3ou_reduce_scatter(h3ou_ctx *ctx, int comm, const void *send, void *recv, const int64_t counts[], int type, int op)
{
    checked k;
    const int64_t *displs = counts; /* not used: given, so that none are made */
    int err = open_call(ctx, "h3ou_reduce_scatter", comm, 0, type, &k);
    if (!err)
        err = find_operation(ctx, "h3ou_reduce_scatter", type, op, &k);
    if (!err && !k.is_left_out && (err = find_parts(&k, "h3ou_reduce_scatter", counts, &displs, &k.displs)) == H3OU_OK)
        err = h3ou__reduce_scatter(k.comm, send, recv, counts, type, &k.by);
    return close_call(&k, err, true, recv, err || k.is_left_out ? 0 : counts[k.rank]);
}

int h3ou_scan(h3ou_ctx *ctx, int comm, const void *send, void *recv, int64_t count, int type, int op)
{
    checked k;
    int err = open_call(ctx, "h3ou_scan", comm, count, type, &k);
    if (!err)
        err = find_operation(ctx, "h3ou_scan", type, op, &k);
    if (!err && !k.is_left_out)
        err = h3ou__scan(k.comm, send, recv, count, type, &k.by);
    return close_call(&k, err, true, recv, count);
}
