/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that are not in hybrid.c: by the job's MPI inside a job. */
#include "comm/collective/collective.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/heap.h"
#include "comm/collective/block_parts.h"
#include "comm/part/awaited_call.h"
#include "comm/part/collective_tag.h"
#include "comm/part/host_agreement.h"
#include "comm/part/schedule_call.h"

/* Returns whether all members are in one block of several processes, so that one MPI call does the whole collective. */
static bool is_inside_one_job(const h3ou__comm *c)
{
    return c->nblock == 1 && c->inside;
}

int h3ou__check_root(const h3ou__comm *c, const char *call, int root)
{
    if (root < 0 || root >= c->size)
        return h3ou__fail(H3OU__EARG, "%s: rank %d, the root, is not in a communicator of %d processes", call, root,
                          c->size);
    return H3OU__OK;
}

int h3ou__barrier(h3ou__comm *c)
{
    int32_t one = 1, all;
    return h3ou__allreduce(c, &one, &all, 1, H3OU__INT32, H3OU__MAX);
}

/* Where each block is one process, as on Leader, gather and scatter are one message between the root and each member. */
static int pass_members(h3ou__comm *c, bool is_scatter, bool is_vector, void *all, const int64_t counts[], const int64_t displs[],
                        void *mine, int64_t count, int type, int root)
{
    h3ou__schedule_call s = {.comm = c,
                             .what = is_scatter ? "scatter" : "gather",
                             .type = type,
                             .among = H3OU__AMONG_MEMBERS,
                             .call = {.operation = is_scatter ? H3OU__COLL_SCATTER : H3OU__COLL_GATHER,
                                      .root = root,
                                      .count = count,
                                      .is_vector = is_vector,
                                      .counts = counts,
                                      .displs = displs},
                             .data = {.input = is_scatter ? all : mine, .output = is_scatter ? mine : all}};
    return h3ou__schedule_call_run(&s);
}

/* Gather or scatter over several blocks. */
static int pass_blocks(h3ou__comm *c, bool is_scatter, bool is_vector, void *all, const int64_t counts[],
                       const int64_t displs[], void *mine, int64_t count, int type, int root)
{
    if (c->nblock == c->size)
        return pass_members(c, is_scatter, is_vector, all, counts, displs, mine, count, type, root);
    h3ou__block_parts p = {.c = c,
                           .type = type,
                           .root = root,
                           .is_vector = is_vector,
                           .all = all,
                           .counts = counts,
                           .displs = displs,
                           .mine = mine,
                           .my_count = count};
    return is_scatter ? h3ou__block_parts_scatter(&p) : h3ou__block_parts_gather(&p);
}

int h3ou__gather(h3ou__comm *c, const void *send, int64_t count, void *recv, int type, int root)
{
    int err = h3ou__check_root(c, "gather", root);
    if (err)
        return err;
    if (!is_inside_one_job(c))
        return pass_blocks(c, false, false, recv, NULL, NULL, (void *)(uintptr_t)send, count, type, root);
    h3ou__mpi_req req;
    if ((err = h3ou__host_begin(c, "gather")) == H3OU__OK)
        err = c->world->mpi->igather(c->inside, send, count, recv, type, root, &req);
    return err ? err : h3ou__await_inside(c, "gather", &req);
}

int h3ou__scatter(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int root)
{
    int err = h3ou__check_root(c, "scatter", root);
    if (err)
        return err;
    if (!is_inside_one_job(c))
        return pass_blocks(c, true, false, (void *)(uintptr_t)send, NULL, NULL, recv, count, type, root);
    h3ou__mpi_req req;
    if ((err = h3ou__host_begin(c, "scatter")) == H3OU__OK)
        err = c->world->mpi->iscatter(c->inside, send, recv, count, type, root, &req);
    return err ? err : h3ou__await_inside(c, "scatter", &req);
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
    const char *what = is_scatter ? "scatter" : "gather";
    int none = 0, *n = is_root ? to_ints(counts, c->size) : &none, *at = is_root ? to_ints(displs, c->size) : &none;
    int err = n && at ? h3ou__host_begin(c, what) : H3OU__EARG;
    if (!err)
        err = is_scatter ? mpi->iscatterv(c->inside, all, n, at, mine, count, type, root, &req)
                         : mpi->igatherv(c->inside, mine, count, all, n, at, type, root, &req);
    if (!err)
        err = h3ou__await_inside(c, what, &req);
    if (is_root) {
        free(n);
        free(at);
    }
    return err;
}

int h3ou__gatherv(h3ou__comm *c, const void *send, int64_t count, void *recv, const int64_t counts[],
                  const int64_t displs[], int type, int root)
{
    int err = h3ou__check_root(c, "gatherv", root);
    void *mine = (void *)(uintptr_t)send;
    if (err)
        return err;
    return !is_inside_one_job(c) ? pass_blocks(c, false, true, recv, counts, displs, mine, count, type, root)
                                 : vector_inside(c, false, recv, counts, displs, mine, count, type, root);
}

int h3ou__scatterv(h3ou__comm *c, const void *send, const int64_t counts[], const int64_t displs[], void *recv,
                   int64_t count, int type, int root)
{
    int err = h3ou__check_root(c, "scatterv", root);
    void *all = (void *)(uintptr_t)send;
    if (err)
        return err;
    return !is_inside_one_job(c) ? pass_blocks(c, true, true, all, counts, displs, recv, count, type, root)
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

static const char EXCHANGE[] = "exchange inside a component";

static int exchange_vectors(const h3ou__comm *c, const void *send, const int64_t scounts[], int type, void **recv,
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
    *recv = h3ou__heap_array(displs[2 * n - 1] + rcounts[n - 1], (size_t)h3ou__type_size(type));
    if (!sc || !sd || !rc || !rd || !*recv)
        err = h3ou__no_memory("a collective");
    if (!err && (err = c->world->mpi->ialltoallv(c->inside, send, sc, sd, *recv, rc, rd, type, &req)) == H3OU__OK)
        err = h3ou__await_inside(c, EXCHANGE, &req);
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
    int err = h3ou__host_begin(local, EXCHANGE);
    if (!err)
        err = local->world->mpi->ialltoall(local->inside, scounts, 1, rcounts, H3OU__INT64, &req);
    if (!err)
        err = h3ou__await_inside(local, EXCHANGE, &req);
    return err ? err : exchange_vectors(local, send, scounts, type, recv, rcounts);
}
