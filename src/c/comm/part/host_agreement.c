/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/part/host_agreement.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/env.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/part/collective_tag.h"
#include "comm/part/staged_call.h"

typedef struct agreement {
    h3ou__comm *c;
    int size;
    int64_t my_host, *host; /* [size] of all */
    int64_t offer[H3OU__HOST_OFFER];
    int32_t mine, all; /* whether this process, and each one, has the memory that it needs */
} agreement;

static const char MEMORY[] = "the memory of a host's processes";

static int start_hosts(void *user, int64_t k, h3ou__inside_call *call)
{
    agreement *a = user;
    (void)k;
    *call = (h3ou__inside_call){0};
    return a->c->world->mpi->iallgather(a->c->inside, &a->my_host, 1, a->host, H3OU__INT64, &call->req);
}

static int start_vote(void *user, int64_t k, h3ou__inside_call *call)
{
    agreement *a = user;
    (void)k;
    return h3ou__inside_allreduce(a->c, &a->mine, &a->all, 1, H3OU__INT32, H3OU__MIN, call);
}

/* Passes the offer of my host's first process to the others there. */
static int pass_offer(agreement *a, const h3ou__host_map *map)
{
    h3ou__comm *c = a->c;
    int n = map->me == 0 ? map->nmember - 1 : 1, king = h3ou__comm_king(c, c->block), err = H3OU__OK;
    h3ou__req *req = malloc(sizeof *req * (size_t)n);
    if (!req)
        return h3ou__no_memory(MEMORY);
    if (map->me == 0)
        h3ou__host_block_offer(map->nmember, a->offer);
    for (int i = 0; i < n && !err; i++)
        err = map->me == 0 ? h3ou__isend(c, king + map->member[i + 1], H3OU__TAG_MEMORY, a->offer, H3OU__HOST_OFFER, H3OU__INT64,
                                         MEMORY, &req[i])
                           : h3ou__irecv(c, king + map->member[0], H3OU__TAG_MEMORY, a->offer, H3OU__HOST_OFFER, H3OU__INT64, MEMORY,
                                         &req[i]);
    if (!err)
        err = h3ou__waitall(c->world, n, req);
    free(req);
    return err;
}

/* Makes the memory of my host, where there are several processes, and finds out whether all have theirs. */
static int share_memory(agreement *a, h3ou__staged_call *call, h3ou__host_place *place)
{
    const h3ou__host_map *map = &place->map;
    h3ou__host_block *block = NULL;
    int err = map->nmember > 1 ? pass_offer(a, map) : H3OU__OK;
    if (!err && map->nmember > 1)
        block = h3ou__host_block_open(a->offer, map->nmember, map->me, true);
    a->mine = map->nmember == 1 || block;
    call->before = start_vote;
    if (!err)
        err = h3ou__staged_call_run(call);
    if (map->me == 0)
        h3ou__host_block_close_offer(a->offer);
    if (err || !a->all) {
        h3ou__host_block_free(block);
        block = NULL;
    }
    place->block = block;
    return err;
}

/* Returns whether my host has more processes than cores for them. Without the memory nobody knows on which cores the
 * others may run: all that the host has count then. */
static bool is_crowded(const h3ou__host_place *place)
{
    return place->block ? h3ou__host_block_is_crowded(place->block)
                        : place->map.nmember > sysconf(_SC_NPROCESSORS_ONLN);
}

/* Returns whether each process knows on which host it is, and is allowed to share its memory. */
static bool are_hosts_known(const agreement *a)
{
    bool are = true;
    for (int i = 0; i < a->size; i++)
        are = are && a->host[i] >= 0;
    return are;
}

/* Says how the calls inside of the block are made: in the log, and in a label of the time line that no activity has. */
static void note_host(const agreement *a, int nhost)
{
    char text[96], name[H3OU__COMM_NAME];
    snprintf(text, sizeof text, "processes=%d shared=%d hosts=%d", a->size, a->all, nhost);
    h3ou__log(H3OU__LOG_LOUD, "host_block", "%s", text);
    if (!a->c->world->timeline)
        return;
    snprintf(text, sizeof text, "host_block processes=%d shared=%d hosts=%d", a->size, a->all, nhost);
    h3ou__timeline_label(a->c->world->timeline, text, h3ou__comm_name(a->c, name, sizeof name));
}

/* Finds out which members are on which host. Some of them must share one, else their MPI makes the calls. */
static int agree(agreement *a, const char *what)
{
    h3ou__comm *c = a->c;
    int64_t may = 1;
    h3ou__host_map map = {0};
    int err = h3ou__env_int("H3OU_SHARED_MEMORY", 0, 1, 1, &may);
    if (err)
        return err;
    a->my_host = may ? h3ou__host_number() : -1;
    h3ou__staged_call call = {.comm = c, .what = what, .user = a, .nsegment = 1, .before = start_hosts};
    err = h3ou__staged_call_run(&call);
    if (!err && are_hosts_known(a))
        err = h3ou__host_map_make(a->host, a->size, c->block_rank, &map);
    c->host->map = map;
    if (!err && map.nhost > 0 && map.nhost < a->size)
        err = share_memory(a, &call, c->host);
    c->host->is_settled = !err;
    c->host->is_shared = !err && a->all;
    c->host->is_crowded = !err && is_crowded(c->host);
    if (!err && c->block_rank == 0)
        note_host(a, map.nhost);
    return err;
}

int h3ou__host_begin(h3ou__comm *c, const char *what)
{
    int err = H3OU__OK;
    if (c->inside && !c->host->is_settled) {
        agreement a = {.c = c, .offer = {0, 0, -1}, .size = h3ou__comm_block_size(c, c->block)};
        if (a.size < 2) { /* its MPI only copies */
            c->host->is_settled = true;
            return H3OU__OK;
        }
        a.host = malloc(sizeof *a.host * (size_t)a.size);
        err = a.host ? agree(&a, what) : h3ou__no_memory(MEMORY);
        free(a.host);
    }
    if (!err && c->inside && c->host->block)
        h3ou__host_block_begin(c->host->block);
    return err;
}
