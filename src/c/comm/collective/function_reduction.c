/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions by a function of the program, which no MPI knows: by schedules inside each block, between the Kings, and,
 * for an allreduce, by a broadcast of the MPI inside each block.
 */
#include "comm/collective/function_reduction.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/part/awaited_call.h"
#include "comm/collective/collective.h"
#include "comm/part/collective_tag.h"
#include "comm/part/host_agreement.h"
#include "comm/part/schedule_call.h"

/* Combines as the schedules ask: to = to op from, or to = from op to. A function leaves its result in its second operand. */
static void combine_by_function(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left)
{
    const h3ou__function_fold *f = data->user;
    size_t bytes = (size_t)n * (size_t)data->element;
    if (is_left || f->by->commutes) {
        f->by->combine(from, to, n, data->type, f->by->user);
        return;
    }
    memcpy(f->second, from, bytes);
    f->by->combine(to, f->second, n, data->type, f->by->user);
    memcpy(to, f->second, bytes);
}

int h3ou__function_fold_open(const h3ou__reduction *by, int64_t count, int type, h3ou__function_fold *out)
{
    out->by = by;
    out->second = by->commutes ? NULL : malloc((size_t)count * (size_t)h3ou__type_size(type) + 1);
    return out->second || by->commutes ? H3OU__OK : h3ou__no_memory("a collective");
}

h3ou__coll_data h3ou__function_fold_data(h3ou__function_fold *f, const void *input, void *output, int type)
{
    return (h3ou__coll_data){.input = input, .output = output, .combine = combine_by_function, .type = type, .user = f};
}

/* A reduction on one member. */
typedef struct reduction {
    h3ou__comm *c;
    int64_t count;
    int type;
    size_t bytes;
    h3ou__function_fold fold;
    char *result; /* what the broadcast inside a block passes on */
} reduction;

static const char WHAT[] = "reduction";

/* Reduces among the members of my block, or the Kings; the result is at `root` of them, or, of an allreduce, at all. */
static int reduce_among(reduction *r, int among, int operation, int root, const void *input, void *output)
{
    h3ou__schedule_call s = {.comm = r->c,
                             .what = WHAT,
                             .type = r->type,
                             .among = among,
                             .call = {.operation = operation,
                                      .root = root,
                                      .count = r->count,
                                      .order = r->fold.by->commutes ? H3OU__ORDER_ANY : H3OU__ORDER_RANKS,
                                      .must_keep = true},
                             .data = h3ou__function_fold_data(&r->fold, input, output, r->type)};
    return h3ou__schedule_call_run(&s);
}

static int bcast_inside(const reduction *r)
{
    h3ou__mpi_req req;
    const h3ou__comm *c = r->c;
    int err = c->world->mpi->ibcast(c->inside, r->result, r->count, r->type, 0, &req);
    return err ? err : h3ou__await_inside(c, WHAT, &req);
}

/* Leaves the result of my block at its King, in partial, and the result of all blocks at the Kings that get it, in result. */
static int reduce_blocks(reduction *r, int operation, int root_block, const void *send, char *partial, char *result)
{
    int err = H3OU__OK;
    if (r->c->inside)
        err = reduce_among(r, H3OU__AMONG_BLOCK, H3OU__COLL_REDUCE, 0, send, partial);
    else if (r->bytes)
        memcpy(partial, send, r->bytes);
    return err || r->c->block_rank != 0 ? err : reduce_among(r, H3OU__AMONG_KINGS, operation, root_block, partial, result);
}

/* Takes the result from the King of the root's block to the root. */
static int forward_result(const reduction *r, int king, int root, char *recv)
{
    int rank = r->c->rank;
    if (king == root || (rank != king && rank != root))
        return H3OU__OK;
    return h3ou__await_hop(r->c, WHAT, rank == king, rank == king ? root : king, rank == king ? r->result : recv, r->count, r->type);
}

static int open_reduction(h3ou__comm *c, int64_t count, int type, const h3ou__reduction *by, reduction *out)
{
    *out = (reduction){.c = c, .count = count, .type = type, .bytes = (size_t)(count * h3ou__type_size(type))};
    int err = h3ou__host_begin(c, WHAT);
    return err ? err : h3ou__function_fold_open(by, count, type, &out->fold);
}

int h3ou__reduce_by(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, const h3ou__reduction *by, int root)
{
    reduction r;
    int root_inside, err = h3ou__check_root(c, "reduce", root);
    if (!by->combine || err)
        return err ? err : h3ou__reduce(c, send, recv, count, type, by->op, root);
    if ((err = open_reduction(c, count, type, by, &r)) != H3OU__OK)
        return err;
    int root_block = h3ou__comm_block_of(c, root, &root_inside);
    char *memory = malloc(2 * r.bytes + 1);
    if (!memory)
        err = h3ou__no_memory("a collective");
    r.result = c->rank == root ? recv : memory + r.bytes;
    if (!err)
        err = reduce_blocks(&r, H3OU__COLL_REDUCE, root_block, send, memory, r.result);
    if (!err)
        err = forward_result(&r, h3ou__comm_king(c, root_block), root, recv);
    free(memory);
    free(r.fold.second);
    return err;
}

int h3ou__allreduce_by(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, const h3ou__reduction *by)
{
    reduction r;
    if (!by->combine)
        return h3ou__allreduce(c, send, recv, count, type, by->op);
    int err = open_reduction(c, count, type, by, &r);
    if (err)
        return err;
    char *memory = malloc(r.bytes + 1);
    if (!memory)
        err = h3ou__no_memory("a collective");
    r.result = recv;
    if (!err)
        err = reduce_blocks(&r, H3OU__COLL_ALLREDUCE, 0, send, memory, recv);
    if (!err && c->inside)
        err = bcast_inside(&r);
    free(memory);
    free(r.fold.second);
    return err;
}
