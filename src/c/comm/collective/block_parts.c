/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/collective/block_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/part/awaited_call.h"
#include "comm/part/host_agreement.h"
#include "comm/part/schedule_call.h"

/* A gather to the King of the root's block, or a scatter from it. Counts in elements. */
typedef struct passage {
    h3ou__comm *c;
    bool is_scatter;
    int type, root_block;
    void *mine;
    int64_t each;         /* elements of each part, where counts are NULL */
    int64_t my_count;
    const int64_t *inside; /* [members of my block] at a King; NULL: each */
    const int64_t *counts; /* [all members] at the King of the root's block; NULL: each */
    char *block;           /* at a King: the parts of its block */
    char *all;             /* at the King of the root's block: all parts */
} passage;

static const char *text_of(const passage *p)
{
    return p->is_scatter ? "scatter" : "gather";
}

static int64_t sum_counts(const int64_t counts[], int64_t each, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += counts ? counts[i] : each;
    return sum;
}

/* The part of MPI. n: members of my block. */
static int pass_inside(const passage *p, int n)
{
    const h3ou__mpi_ops *mpi = p->c->world->mpi;
    h3ou__mpi_req req;
    int64_t at = 0;
    bool is_king = p->c->block_rank == 0;
    int *count = malloc(sizeof *count * 2 * (size_t)n), *displ = count ? count + n : NULL;
    if (!count)
        return h3ou__no_memory("a collective");
    for (int i = 0; i < n && is_king; i++) {
        int64_t part = p->inside ? p->inside[i] : p->each;
        if (at + part > INT_MAX) {
            free(count);
            return h3ou__fail(H3OU__EARG, "%s: more than %d elements for the processes of a job: make several calls", text_of(p),
                              INT_MAX);
        }
        count[i] = (int)part;
        displ[i] = (int)at;
        at += part;
    }
    int err = p->is_scatter
                  ? mpi->iscatterv(p->c->inside, p->block, count, displ, p->mine, p->my_count, p->type, 0, &req)
                  : mpi->igatherv(p->c->inside, p->mine, p->my_count, p->block, count, displ, p->type, 0, &req);
    if (!err)
        err = h3ou__await_inside(p->c, text_of(p), &req);
    free(count);
    return err;
}

/* Lists the elements of each block. */
static void list_blocks(const passage *p, int64_t count[])
{
    for (int b = 0; b < p->c->nblock; b++)
        count[b] = sum_counts(p->counts ? p->counts + h3ou__comm_king(p->c, b) : NULL, p->each, h3ou__comm_block_size(p->c, b));
}

/* The part of the Kings. elements: of my block. */
static int pass_kings(const passage *p, int64_t elements)
{
    h3ou__comm *c = p->c;
    h3ou__schedule_call s = {.comm = c,
                             .what = text_of(p),
                             .type = p->type,
                             .among = H3OU__AMONG_KINGS,
                             .call = {.operation = p->is_scatter ? H3OU__COLL_SCATTER : H3OU__COLL_GATHER,
                                      .root = p->root_block,
                                      .count = elements,
                                      .is_vector = true},
                             .data = {.input = p->is_scatter ? p->all : p->block, .output = p->is_scatter ? p->block : p->all}};
    int64_t *count = malloc(sizeof *count * (size_t)c->nblock);
    if (!count)
        return h3ou__no_memory("a collective");
    if (c->block == p->root_block) {
        list_blocks(p, count);
        s.call.counts = count;
    }
    int err = h3ou__schedule_call_run(&s);
    free(count);
    return err;
}

/* Performs a gather or a scatter. block: NULL, or set at a King to the parts of its block, which the caller frees. */
static int pass_parts(passage *p, char **block)
{
    const h3ou__comm *c = p->c;
    bool is_king = c->block_rank == 0;
    int err = H3OU__OK, n = h3ou__comm_block_size(c, c->block);
    int64_t elements = is_king ? sum_counts(p->inside, p->each, n) : 0;
    char *memory = is_king ? malloc((size_t)(elements * h3ou__type_size(p->type)) + 1) : NULL;
    if (is_king && !memory)
        return h3ou__no_memory("a collective");
    p->block = memory;
    if (!c->inside)
        p->block = p->mine;
    if (c->inside && !p->is_scatter)
        err = pass_inside(p, n);
    if (!err && is_king)
        err = pass_kings(p, elements);
    if (!err && c->inside && p->is_scatter)
        err = pass_inside(p, n);
    if (!err && block && is_king && !c->inside)
        memcpy(memory, p->mine, (size_t)(elements * h3ou__type_size(p->type)));
    if (block && !err)
        *block = memory;
    else
        free(memory);
    return err;
}

/* What the King of the root's block and the root hold of a call. */
typedef struct depot {
    bool is_root, is_king; /* I am the root; I am the King of its block */
    int king;
    int64_t *counts; /* [size] of all parts, where they differ */
    char *packed;    /* all parts in the order of ranks */
    bool is_own;     /* packed was allocated */
} depot;

static depot open_depot(const h3ou__block_parts *p, int *root_block)
{
    int inside;
    *root_block = h3ou__comm_block_of(p->c, p->root, &inside);
    depot d = {.king = h3ou__comm_king(p->c, *root_block), .is_root = p->c->rank == p->root};
    d.is_king = p->c->rank == d.king;
    return d;
}

static void close_depot(depot *d)
{
    free(d->counts);
    if (d->is_own)
        free(d->packed);
}

/* Allocates room for all parts, or takes the root's array where they stand there as on their way. */
static int place_packed(const h3ou__block_parts *p, depot *d)
{
    if (!d->is_root && !d->is_king)
        return H3OU__OK;
    int64_t elements = sum_counts(d->counts, p->my_count, p->c->size);
    d->is_own = p->is_vector || !d->is_root;
    d->packed = d->is_own ? malloc((size_t)(elements * h3ou__type_size(p->type)) + 1) : p->all;
    return d->packed ? H3OU__OK : h3ou__no_memory("a collective");
}

/* At the root, copies parts of different sizes between its array and the order of ranks. */
static void copy_parts(const h3ou__block_parts *p, const depot *d, bool is_scatter)
{
    size_t size = (size_t)h3ou__type_size(p->type);
    char *packed = d->packed;
    for (int rank = 0; rank < p->c->size && p->is_vector && d->is_root; rank++) {
        size_t bytes = (size_t)p->counts[rank] * size;
        char *part = (char *)p->all + (size_t)p->displs[rank] * size;
        if (bytes)
            memcpy(is_scatter ? packed : part, is_scatter ? part : packed, bytes);
        packed += bytes;
    }
}

/* The root compares what the members send with what it awaits. */
static int check_counts(const h3ou__block_parts *p, const depot *d)
{
    char member[128];
    for (int rank = 0; rank < p->c->size && d->is_root; rank++)
        if (d->counts[rank] != p->counts[rank])
            return h3ou__fail(H3OU__ETRUNC, "gather: %s sends %lld elements, but the root awaits %lld of it",
                              h3ou__comm_member(p->c, rank, member, sizeof member), (long long)d->counts[rank],
                              (long long)p->counts[rank]);
    return H3OU__OK;
}

/* Collects the numbers of elements: those of its block at each King, in *inside, and all at the root and its King. */
static int collect_counts(const h3ou__block_parts *p, int root_block, depot *d, char **inside)
{
    int64_t mine = p->my_count;
    passage counting = {
        .c = p->c, .type = H3OU__INT64, .root_block = root_block, .mine = &mine, .each = 1, .my_count = 1};
    if ((d->is_root || d->is_king) && !(d->counts = malloc(sizeof *d->counts * (size_t)p->c->size)))
        return h3ou__no_memory("a collective");
    counting.all = (char *)d->counts;
    int err = pass_parts(&counting, inside);
    if (!err && d->is_root != d->is_king)
        err = h3ou__await_hop(p->c, "gather", d->is_king, d->is_king ? p->root : d->king, d->counts, p->c->size, H3OU__INT64);
    return err ? err : check_counts(p, d);
}

/* Returns the passage of the parts through blocks and Kings. inside: the numbers of elements of its block at a King. */
static passage passage_of(const h3ou__block_parts *p, const depot *d, int root_block, char *inside, bool is_scatter)
{
    return (passage){.c = p->c,
                     .is_scatter = is_scatter,
                     .type = p->type,
                     .root_block = root_block,
                     .mine = p->mine,
                     .each = p->my_count,
                     .my_count = p->my_count,
                     .inside = (int64_t *)(void *)inside,
                     .counts = d->counts,
                     .all = d->packed};
}

/* Sends all parts from the King of its block to the root, or the other way, where these are two processes. */
static int hop_packed(const h3ou__block_parts *p, const depot *d, bool is_scatter)
{
    bool sends = is_scatter ? d->is_root : d->is_king;
    if (d->is_root == d->is_king)
        return H3OU__OK;
    return h3ou__await_hop(p->c, is_scatter ? "scatter" : "gather", sends, d->is_root ? d->king : p->root, d->packed,
                           sum_counts(d->counts, p->my_count, p->c->size), p->type);
}

int h3ou__block_parts_gather(const h3ou__block_parts *p)
{
    int root_block;
    char *inside = NULL;
    depot d = open_depot(p, &root_block);
    int err = h3ou__host_begin(p->c, "gather");
    if (!err && p->is_vector)
        err = collect_counts(p, root_block, &d, &inside);
    if (!err)
        err = place_packed(p, &d);
    if (!err) {
        passage data = passage_of(p, &d, root_block, inside, false);
        err = pass_parts(&data, NULL);
    }
    if (!err)
        err = hop_packed(p, &d, false);
    if (!err)
        copy_parts(p, &d, false);
    free(inside);
    close_depot(&d);
    return err;
}

/* Takes the numbers of elements from the root to its King, and those of its block to each King, in *inside. */
static int spread_counts(const h3ou__block_parts *p, int root_block, depot *d, char **inside)
{
    int64_t mine;
    int err = H3OU__OK;
    passage counting = {.c = p->c,
                        .is_scatter = true,
                        .type = H3OU__INT64,
                        .root_block = root_block,
                        .mine = &mine,
                        .each = 1,
                        .my_count = 1};
    if ((d->is_root || d->is_king) && !(d->counts = malloc(sizeof *d->counts * (size_t)p->c->size)))
        return h3ou__no_memory("a collective");
    if (d->is_root)
        memcpy(d->counts, p->counts, sizeof *d->counts * (size_t)p->c->size);
    if (d->is_root != d->is_king)
        err = h3ou__await_hop(p->c, "scatter", d->is_root, d->is_root ? d->king : p->root, d->counts, p->c->size, H3OU__INT64);
    counting.all = (char *)d->counts;
    if (!err)
        err = pass_parts(&counting, inside);
    if (err || mine == p->my_count)
        return err;
    return h3ou__fail(H3OU__ETRUNC, "scatter: the root sends %lld elements to this process, which awaits %lld", (long long)mine,
                      (long long)p->my_count);
}

int h3ou__block_parts_scatter(const h3ou__block_parts *p)
{
    int root_block;
    char *inside = NULL;
    depot d = open_depot(p, &root_block);
    int err = h3ou__host_begin(p->c, "scatter");
    if (!err && p->is_vector)
        err = spread_counts(p, root_block, &d, &inside);
    if (!err)
        err = place_packed(p, &d);
    if (!err)
        copy_parts(p, &d, true);
    if (!err)
        err = hop_packed(p, &d, true);
    if (!err) {
        passage data = passage_of(p, &d, root_block, inside, true);
        err = pass_parts(&data, NULL);
    }
    free(inside);
    close_depot(&d);
    return err;
}
