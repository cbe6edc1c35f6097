/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather and Alltoall. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/part/awaited_call.h"
#include "comm/collective/collective.h"
#include "comm/part/host_agreement.h"
#include "comm/part/schedule_call.h"

/* An allgather on one member: by the MPI to the King of each block, by a schedule between the Kings, and by the MPI to all. */
typedef struct all_parts {
    h3ou__comm *c;
    const void *mine;
    int64_t my_count, total; /* elements */
    int type;
    const int64_t *counts; /* [size]; NULL: my_count each */
    char *packed;          /* all parts, in the order of ranks */
    char *block;           /* at a King: the parts of its block */
    int *part, *place;     /* [members of my block] of igatherv */
    int64_t *block_counts; /* [nblock] */
} all_parts;

static const char ALLGATHER[] = "allgather", ALLTOALL[] = "alltoall";

/* Gathers the parts of my block at its King. */
static int gather_inside(const all_parts *p)
{
    h3ou__mpi_req req;
    const h3ou__comm *c = p->c;
    if (!c->inside) {
        if (p->my_count)
            memcpy(p->block, p->mine, (size_t)(p->my_count * h3ou__type_size(p->type)));
        return H3OU__OK;
    }
    int err = c->world->mpi->igatherv(c->inside, p->mine, p->my_count, p->block, p->part, p->place, p->type, 0, &req);
    return err ? err : h3ou__await_inside(c, ALLGATHER, &req);
}

static int gather_among_kings(const all_parts *p)
{
    h3ou__schedule_call s = {.comm = p->c,
                             .what = ALLGATHER,
                             .type = p->type,
                             .among = H3OU__AMONG_KINGS,
                             .call = {.operation = H3OU__COLL_ALLGATHER,
                                      .count = p->total / p->c->nblock,
                                      .is_vector = true,
                                      .counts = p->block_counts},
                             .data = {.input = p->block, .output = p->packed}};
    return h3ou__schedule_call_run(&s);
}

static int bcast_inside(const all_parts *p)
{
    h3ou__mpi_req req;
    const h3ou__comm *c = p->c;
    if (!c->inside)
        return H3OU__OK;
    int err = c->world->mpi->ibcast(c->inside, p->packed, p->total, p->type, 0, &req);
    return err ? err : h3ou__await_inside(c, ALLGATHER, &req);
}

/* Lists the elements of each block, and of each member of mine. */
static int list_parts(all_parts *p)
{
    const h3ou__comm *c = p->c;
    int members = h3ou__comm_block_size(c, c->block);
    p->part = malloc(sizeof *p->part * 2 * (size_t)members);
    p->block_counts = calloc((size_t)c->nblock, sizeof *p->block_counts);
    if (!p->part || !p->block_counts)
        return h3ou__no_memory("a collective");
    p->place = p->part + members;
    for (int block = 0, rank = 0; block < c->nblock; block++)
        for (int i = 0; i < h3ou__comm_block_size(c, block); i++, rank++) {
            int64_t count = p->counts ? p->counts[rank] : p->my_count;
            if (block == c->block) {
                p->part[i] = (int)count;
                p->place[i] = (int)p->block_counts[block];
            }
            p->block_counts[block] += count;
            p->total += count;
        }
    if (p->total > INT_MAX)
        return h3ou__fail(H3OU__EARG, "%s: more than %d elements: make several calls", ALLGATHER, INT_MAX);
    return H3OU__OK;
}

static int gather_packed(all_parts *p)
{
    const h3ou__comm *c = p->c;
    bool is_king = c->block_rank == 0, is_one = c->nblock == 1;
    size_t size = (size_t)h3ou__type_size(p->type);
    int err = h3ou__host_begin(p->c, ALLGATHER);
    if (!err)
        err = list_parts(p);
    char *memory = NULL;
    if (!err && is_king && !is_one && !(memory = malloc((size_t)p->block_counts[c->block] * size + 1)))
        err = h3ou__no_memory("a collective");
    p->block = is_one ? p->packed : memory;
    if (!err)
        err = gather_inside(p);
    if (!err && is_king && !is_one)
        err = gather_among_kings(p);
    if (!err)
        err = bcast_inside(p);
    free(memory);
    free(p->part);
    free(p->block_counts);
    return err;
}

int h3ou__allgather(h3ou__comm *c, const void *send, int64_t count, void *recv, int type)
{
    all_parts p = {.c = c, .mine = send, .my_count = count, .type = type, .packed = recv};
    return gather_packed(&p);
}

int h3ou__allgatherv(h3ou__comm *c, const void *send, void *recv, const int64_t counts[], const int64_t displs[], int type)
{
    size_t size = (size_t)h3ou__type_size(type);
    int64_t total = 0;
    for (int i = 0; i < c->size; i++)
        total += counts[i];
    char *packed = malloc((size_t)total * size + 1), *from = packed;
    if (!packed)
        return h3ou__no_memory("a collective");
    all_parts p = {.c = c, .mine = send, .my_count = counts[c->rank], .type = type, .counts = counts, .packed = packed};
    int err = gather_packed(&p);
    for (int i = 0; i < c->size && !err; i++) {
        size_t bytes = (size_t)counts[i] * size;
        if (bytes)
            memcpy((char *)recv + (size_t)displs[i] * size, from, bytes);
        from += bytes;
    }
    free(packed);
    return err;
}

/* A schedule of all members: each has something else for each other one, which Kings could only copy. */
static int exchange_all(h3ou__comm *c, const void *send, void *recv, int type, const h3ou__call *call)
{
    h3ou__schedule_call s = {.comm = c,
                             .what = ALLTOALL,
                             .type = type,
                             .among = H3OU__AMONG_MEMBERS,
                             .call = *call,
                             .data = {.input = send, .output = recv}};
    int err = h3ou__host_begin(c, ALLTOALL);
    return err ? err : h3ou__schedule_call_run(&s);
}

int h3ou__alltoall(h3ou__comm *c, const void *send, void *recv, int64_t count, int type)
{
    h3ou__mpi_req req;
    if (c->nblock > 1 || !c->inside)
        return exchange_all(c, send, recv, type, &(h3ou__call){.operation = H3OU__COLL_ALLTOALL, .count = count});
    int err = h3ou__host_begin(c, ALLTOALL);
    if (!err)
        err = c->world->mpi->ialltoall(c->inside, send, count, recv, type, &req);
    return err ? err : h3ou__await_inside(c, ALLTOALL, &req);
}

int h3ou__alltoall_parts(h3ou__comm *c, const void *send, const int64_t scounts[], const int64_t sdispls[], void *recv,
                         const int64_t rcounts[], const int64_t rdispls[], int type)
{
    h3ou__call call = {.operation = H3OU__COLL_ALLTOALL,
                       .is_vector = true,
                       .counts = rcounts,
                       .displs = rdispls,
                       .send_counts = scounts,
                       .send_displs = sdispls};
    return exchange_all(c, send, recv, type, &call);
}
