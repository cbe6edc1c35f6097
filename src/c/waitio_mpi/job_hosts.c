/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/job_hosts.h"

#include <stdlib.h>

#include "base/env.h"
#include "base/error.h"
#include "base/grow.h"

static const char WHAT[] = "the memory of a job's processes";

/* Of the job, whose processes are those of one communicator of its MPI. */
static struct {
    bool is_settled, is_shared;
    h3ou__mpi_comm comm;
    waitio__job_hosts hosts;
} found;

static int gather(const waitio__layers *l, const int64_t *mine, int64_t n, int64_t all[])
{
    h3ou__mpi_req req;
    int err = l->mpi->iallgather(l->inside, mine, n, all, H3OU__INT64, &req);
    return err ? err : waitio__layers_wait(l, &req, WHAT);
}

/* Gathers on which host each process is, and makes the map; it is empty where one does not know, or may not share memory. */
static int find_hosts(const waitio__layers *l, int64_t all[], h3ou__host_map *map)
{
    int64_t may = 1, mine;
    int err = h3ou__env_int("H3OU_SHARED_MEMORY", 0, 1, 1, &may);
    mine = !err && may ? h3ou__host_number() : -1;
    int late = gather(l, &mine, 1, all);
    for (int i = 0; i < l->size && !err && !late; i++)
        if (all[i] < 0)
            return H3OU__OK;
    return err || late ? (err ? err : late) : h3ou__host_map_make(all, l->size, l->me, map);
}

/* Makes the memory of this host, where it has several processes, and finds out whether each process has what it needs. all: memory for the
 * offers of the job. */
static int share_memory(const waitio__layers *l, int64_t all[], waitio__job_hosts *hosts, bool *is_shared)
{
    const h3ou__host_map *map = &hosts->map;
    int64_t offer[H3OU__HOST_OFFER] = {0, 0, -1};
    int32_t mine, everyone = 0;
    h3ou__mpi_req req;
    if (map->me == 0 && map->nmember > 1)
        h3ou__host_block_offer(map->nmember, offer);
    int err = gather(l, offer, H3OU__HOST_OFFER, all);
    if (!err && map->nmember > 1)
        hosts->block = h3ou__host_block_open(all + (int64_t)H3OU__HOST_OFFER * map->member[0], map->nmember, map->me, true);
    mine = map->nmember == 1 || hosts->block;
    if (!err && (err = l->mpi->iallreduce(l->inside, &mine, &everyone, 1, H3OU__INT32, H3OU__MIN, &req)) == H3OU__OK)
        err = waitio__layers_wait(l, &req, WHAT);
    h3ou__host_block_close_offer(offer);
    *is_shared = !err && everyone;
    return err;
}

static void free_hosts(waitio__job_hosts *hosts)
{
    h3ou__host_block_free(hosts->block);
    h3ou__host_map_free(&hosts->map);
    *hosts = (waitio__job_hosts){0};
}

int waitio__job_hosts_find(const waitio__layers *l, const waitio__job_hosts **out)
{
    int err = H3OU__OK;
    if (!found.is_settled || found.comm != l->inside) {
        int64_t *all = malloc(sizeof *all * H3OU__HOST_OFFER * (size_t)l->size);
        if (!all)
            return h3ou__no_memory("%s", WHAT);
        free_hosts(&found.hosts);
        found.comm = l->inside;
        found.is_shared = false;
        err = find_hosts(l, all, &found.hosts.map);
        if (!err && found.hosts.map.nhost > 0 && found.hosts.map.nhost < l->size)
            err = share_memory(l, all, &found.hosts, &found.is_shared);
        if (!found.is_shared)
            free_hosts(&found.hosts);
        free(all);
        found.is_settled = !err;
    }
    *out = found.is_shared ? &found.hosts : NULL;
    return err;
}
