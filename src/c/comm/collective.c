/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives, block by block: the job's MPI inside a block, messages King to King between blocks by a schedule of
 * src/c/coll (WaitIO-Socket paper, section 5 and figure 7).
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "coll/select.h"
#include "comm/block_link.h"
#include "comm/world.h"

enum { TAG_BCAST = H3OU__TAG_COLLECTIVE, TAG_REDUCE, TAG_GATHER, TAG_SCATTER, TAG_FORWARD };

static const char *const what[] = {"broadcast", "reduction", "gather", "scatter"};

/* Returns whether all members are in one block of several processes, so that one MPI call does the whole collective. */
static bool is_inside_one_job(const h3ou__comm *c)
{
    return c->nblock == 1 && c->inside;
}

static int check_root(const h3ou__comm *c, const char *call, int root)
{
    if (root < 0 || root >= c->size)
        return h3ou__fail(H3OU__EARG, "%s: rank %d, the root, is not in a communicator of %d processes", call, root,
                          c->size);
    return H3OU__OK;
}

static int transfer_message(h3ou__comm *c, bool is_send, int peer, int tag, void *buf, int64_t count, int type,
                            const char *text)
{
    h3ou__req req;
    if (!is_send)
        return h3ou__recv(c, peer, tag, buf, count, type, text, &req);
    int err = h3ou__isend(c, peer, tag, buf, count, type, text, &req);
    return err ? err : h3ou__waitall(c->world, 1, &req);
}

/* Executes a schedule among the Kings, to its end: the messages of the next one with this tag come later. */
static int run_among_kings(h3ou__comm *c, h3ou__call *call, const void *input, void *output, int type, int op)
{
    h3ou__schedule s;
    int tag = call->operation == H3OU__COLL_BCAST ? TAG_BCAST : TAG_REDUCE;
    const char *name = "", *text = what[tag - TAG_BCAST];
    call->size = c->nblock;
    call->me = c->block;
    call->element = h3ou__type_size(type);
    int err = h3ou__coll_build(call, &s, &name);
    if (err)
        return err;
    h3ou__log(H3OU__LOG_LOUD, "collective", "call=%s algorithm=%s kings=%d", text, name, c->nblock);
    h3ou__block_link link = {c, type, text};
    h3ou__coll_data data = {
        .input = input, .output = output, .element = call->element, .combine = h3ou__coll_combine, .type = type, .op = op};
    return h3ou__coll_execute(&s, &data, &h3ou__block_link_ops, &link, tag);
}

static int inside_bcast(h3ou__comm *c, void *buf, int64_t count, int type, int root)
{
    h3ou__mpi_req req;
    if (!c->inside)
        return H3OU__OK;
    int err = c->world->mpi->ibcast(c->inside, buf, count, type, root, &req);
    return err ? err : h3ou__wait_mpi(c->world, &req, "broadcast");
}

/* Broadcasts inside the root's block, so that its King has the data, then from King to King, then inside the other
 * blocks. */
int h3ou__bcast(h3ou__comm *c, void *buf, int64_t count, int type, int root)
{
    int root_inside, err = check_root(c, "bcast", root);
    if (err)
        return err;
    int root_block = h3ou__comm_block_of(c, root, &root_inside);
    if (c->block == root_block)
        err = inside_bcast(c, buf, count, type, root_inside);
    if (!err && c->nblock > 1 && c->block_rank == 0)
        err = run_among_kings(c, &(h3ou__call){.operation = H3OU__COLL_BCAST, .root = root_block, .count = count}, NULL, buf,
                              type, 0);
    if (!err && c->block != root_block)
        err = inside_bcast(c, buf, count, type, 0);
    return err;
}

/* Reduces to the King of each block, and then to the King of the root's block. both: for two messages of `bytes`. Sets
 * *result to the one which then holds the result, on that King. */
static int reduce_to_king(h3ou__comm *c, const void *send, char *both, size_t bytes, char **result, int64_t count, int type,
                          int op, int root_block)
{
    int err = H3OU__OK;
    *result = both;
    if (c->inside) {
        h3ou__mpi_req req;
        err = c->world->mpi->ireduce(c->inside, send, both, count, type, op, 0, &req);
        if (!err)
            err = h3ou__wait_mpi(c->world, &req, "reduction");
    } else if (bytes) {
        memcpy(both, send, bytes);
    }
    if (err || c->nblock == 1 || c->block_rank != 0)
        return err;
    *result = both + bytes;
    h3ou__call call = {
        .operation = H3OU__COLL_REDUCE, .root = root_block, .count = count, .order = H3OU__ORDER_SERIAL};
    return run_among_kings(c, &call, both, *result, type, op);
}

/* Sets *memory, which the caller frees, and *result, which is a part of it. */
static int reduce_anywhere(h3ou__comm *c, const void *send, char **memory, char **result, int64_t count, int type, int op,
                           int root_block)
{
    size_t bytes = (size_t)(count * h3ou__type_size(type));
    *memory = malloc(2 * bytes + 1);
    return *memory ? reduce_to_king(c, send, *memory, bytes, result, count, type, op, root_block)
                   : h3ou__no_memory("a collective");
}

int h3ou__reduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op, int root)
{
    int root_inside, err = check_root(c, "reduce", root);
    if (err)
        return err;
    char *memory = NULL, *result = NULL;
    int root_block = h3ou__comm_block_of(c, root, &root_inside), king = h3ou__comm_king(c, root_block);
    err = reduce_anywhere(c, send, &memory, &result, count, type, op, root_block);
    if (!err && c->rank == king && king != root)
        err = transfer_message(c, true, root, TAG_FORWARD, result, count, type, "reduction");
    if (!err && c->rank == root && king == root && count)
        memcpy(recv, result, (size_t)(count * h3ou__type_size(type)));
    if (!err && c->rank == root && king != root)
        err = transfer_message(c, false, king, TAG_FORWARD, recv, count, type, "reduction");
    free(memory);
    return err;
}

int h3ou__allreduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op)
{
    if (is_inside_one_job(c)) {
        h3ou__mpi_req req;
        int err = c->world->mpi->iallreduce(c->inside, send, recv, count, type, op, &req);
        return err ? err : h3ou__wait_mpi(c->world, &req, "reduction");
    }
    char *memory = NULL, *result = NULL;
    int err = reduce_anywhere(c, send, &memory, &result, count, type, op, 0);
    if (!err && c->rank == 0 && count)
        memcpy(recv, result, (size_t)(count * h3ou__type_size(type)));
    free(memory);
    return err ? err : h3ou__bcast(c, recv, count, type, 0);
}

int h3ou__barrier(h3ou__comm *c)
{
    int32_t one = 1, all;
    return h3ou__allreduce(c, &one, &all, 1, H3OU__INT32, H3OU__MAX);
}

/* Gather and scatter over several blocks are one message between the root and each member, which is enough, because the
 * paper's tables have these calls for Leader and Local only. A member's share of the root's array: */
typedef struct share {
    int64_t count, at; /* elements */
} share;

static share share_of(const int64_t counts[], const int64_t displs[], int64_t count, int rank)
{
    return counts ? (share){counts[rank], displs[rank]} : (share){count, count * rank};
}

static int root_with_all(h3ou__comm *c, bool is_scatter, void *all, const int64_t counts[], const int64_t displs[],
                         int64_t count, void *mine, int64_t my_count, int type, int root)
{
    size_t size = (size_t)h3ou__type_size(type);
    int tag = is_scatter ? TAG_SCATTER : TAG_GATHER, n = 0, err = H3OU__OK;
    if (c->rank != root)
        return transfer_message(c, !is_scatter, root, tag, mine, my_count, type, what[tag - TAG_BCAST]);
    h3ou__req *req = calloc((size_t)c->size, sizeof *req);
    if (!req)
        return h3ou__no_memory("a collective");
    for (int rank = 0; rank < c->size && !err; rank++) {
        share s = share_of(counts, displs, count, rank);
        char *part = (char *)all + (size_t)s.at * size;
        if (rank == root) {
            if (s.count && part != mine)
                memcpy(is_scatter ? mine : part, is_scatter ? part : mine, (size_t)s.count * size);
        } else {
            err = is_scatter ? h3ou__isend(c, rank, tag, part, s.count, type, "scatter", &req[n])
                             : h3ou__irecv(c, rank, tag, part, s.count, type, "gather", &req[n]);
            n += !err;
        }
    }
    if (!err)
        err = h3ou__waitall(c->world, n, req);
    free(req);
    return err;
}

int h3ou__gather(h3ou__comm *c, const void *send, int64_t count, void *recv, int type, int root)
{
    int err = check_root(c, "gather", root);
    if (err)
        return err;
    if (!is_inside_one_job(c))
        return root_with_all(c, false, recv, NULL, NULL, count, (void *)(uintptr_t)send, count, type, root);
    h3ou__mpi_req req;
    err = c->world->mpi->igather(c->inside, send, count, recv, type, root, &req);
    return err ? err : h3ou__wait_mpi(c->world, &req, "gather");
}

int h3ou__scatter(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int root)
{
    int err = check_root(c, "scatter", root);
    if (err)
        return err;
    if (!is_inside_one_job(c))
        return root_with_all(c, true, (void *)(uintptr_t)send, NULL, NULL, count, recv, count, type, root);
    h3ou__mpi_req req;
    err = c->world->mpi->iscatter(c->inside, send, recv, count, type, root, &req);
    return err ? err : h3ou__wait_mpi(c->world, &req, "scatter");
}

/* Returns a copy as MPI's int; fails and returns NULL when a number does not fit. */
static int *to_ints(const int64_t from[], int n)
{
    int *to = malloc(sizeof *to * (size_t)(n + 1));
    for (int i = 0; to && i < n; i++) {
        if (from[i] < 0 || from[i] > INT_MAX) {
            h3ou__fail(H3OU__EARG, "%lld elements in one part of a collective: at most %d are possible",
                       (long long)from[i], INT_MAX);
            free(to);
            return NULL;
        }
        to[i] = (int)from[i];
    }
    return to;
}

static int vector_inside(h3ou__comm *c, bool is_scatter, void *all, const int64_t counts[], const int64_t displs[],
                         void *mine, int64_t count, int type, int root)
{
    h3ou__mpi_req req;
    const h3ou__mpi_ops *mpi = c->world->mpi;
    bool is_root = c->rank == root;
    int none = 0, *n = is_root ? to_ints(counts, c->size) : &none, *at = is_root ? to_ints(displs, c->size) : &none,
        err;
    if (!n || !at)
        err = H3OU__EARG;
    else
        err = is_scatter ? mpi->iscatterv(c->inside, all, n, at, mine, count, type, root, &req)
                         : mpi->igatherv(c->inside, mine, count, all, n, at, type, root, &req);
    if (!err)
        err = h3ou__wait_mpi(c->world, &req, is_scatter ? "scatter" : "gather");
    if (is_root) {
        free(n);
        free(at);
    }
    return err;
}

int h3ou__gatherv(h3ou__comm *c, const void *send, int64_t count, void *recv, const int64_t counts[],
                  const int64_t displs[], int type, int root)
{
    int err = check_root(c, "gatherv", root);
    void *mine = (void *)(uintptr_t)send;
    if (err)
        return err;
    return !is_inside_one_job(c) ? root_with_all(c, false, recv, counts, displs, 0, mine, count, type, root)
                                 : vector_inside(c, false, recv, counts, displs, mine, count, type, root);
}

int h3ou__scatterv(h3ou__comm *c, const void *send, const int64_t counts[], const int64_t displs[], void *recv,
                   int64_t count, int type, int root)
{
    int err = check_root(c, "scatterv", root);
    void *all = (void *)(uintptr_t)send;
    if (err)
        return err;
    return !is_inside_one_job(c) ? root_with_all(c, true, all, counts, displs, 0, recv, count, type, root)
                                 : vector_inside(c, true, all, counts, displs, recv, count, type, root);
}

static int sum_displacements(const int64_t counts[], int n, int64_t displs[])
{
    int64_t at = 0;
    for (int i = 0; i < n; i++) {
        displs[i] = at;
        at += counts[i];
    }
    return at <= INT_MAX ? H3OU__OK
                         : h3ou__fail(H3OU__EARG,
                                      "%lld elements in one collective: at most %d are possible; a smaller "
                                      "H3OU_PLAN_CHUNK makes more rounds of fewer",
                                      (long long)at, INT_MAX);
}

static int exchange_vectors(h3ou__comm *c, const void *send, const int64_t scounts[], int type, void **recv,
                            const int64_t rcounts[])
{
    int n = c->size;
    h3ou__mpi_req req;
    int64_t *displs = malloc(sizeof *displs * (size_t)(2 * n));
    int err = displs ? sum_displacements(scounts, n, displs) : h3ou__no_memory("a collective");
    if (!err)
        err = sum_displacements(rcounts, n, displs + n);
    if (err) {
        free(displs);
        return err;
    }
    int *sc = to_ints(scounts, n), *sd = to_ints(displs, n), *rc = to_ints(rcounts, n), *rd = to_ints(displs + n, n);
    *recv = malloc((size_t)(displs[2 * n - 1] + rcounts[n - 1]) * (size_t)h3ou__type_size(type) + 1);
    if (!sc || !sd || !rc || !rd || !*recv)
        err = h3ou__no_memory("a collective");
    if (!err && (err = c->world->mpi->ialltoallv(c->inside, send, sc, sd, *recv, rc, rd, type, &req)) == H3OU__OK)
        err = h3ou__wait_mpi(c->world, &req, "exchange inside a component");
    if (err) {
        free(*recv);
        *recv = NULL;
    }
    free(sc);
    free(sd);
    free(rc);
    free(rd);
    free(displs);
    return err;
}

int h3ou__alltoallv(h3ou__comm *local, const void *send, const int64_t scounts[], int type, void **recv,
                    int64_t rcounts[])
{
    h3ou__mpi_req req;
    *recv = NULL;
    if (local->nblock != 1)
        return h3ou__fail(H3OU__EARG, "alltoallv is for one component");
    int err = local->world->mpi->ialltoall(local->inside, scounts, 1, rcounts, H3OU__INT64, &req);
    if (!err)
        err = h3ou__wait_mpi(local->world, &req, "exchange inside a component");
    return err ? err : exchange_vectors(local, send, scounts, type, recv, rcounts);
}
