/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/host_part.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/kept_memory.h"
#include "coll/select.h"
#include "os/os_clock.h"
#include "os/pause.h"
#include "waitio/message/instance.h"
#include "waitio_mpi/hosts_link.h"
#include "waitio_mpi/job_hosts.h"

static const double NAP = 0.005; /* seconds after which a process that waits for others of its host looks around */

/* Yields or sleeps, and looks at the MPI, which may have messages of the program to move, and at WaitIO. */
static int pause_part(const waitio__layers *l, h3ou__pause *pause, uint32_t heard)
{
    int is_there;
    int64_t bytes;
    h3ou__host_block *b = l->hosts->block;
    if (h3ou__pause_next_crowded(pause, h3ou__host_block_must_sleep(b) ? 0.0 : 1e-6 * H3OU__YIELD_MEMORY) == 0.0)
        return H3OU__OK;
    if (h3ou__host_block_sleep(b, heard, NAP))
        return H3OU__OK;
    int err = l->mpi->iprobe(l->inside, H3OU__ANY_SOURCE, 0, &is_there, &bytes);
    return err ? err : waitio_progress(0.0);
}

/* Fails because patience has ended, and names the ranks that have not begun the call. */
static int fail_late(const waitio__layers *l, const char *what, double patience)
{
    enum { MOST_NAMED = 8 };
    char who[200] = "";
    int late = 0;
    for (int i = 0; i < l->hosts->map.nmember; i++) {
        size_t used = strlen(who);
        if (!h3ou__host_block_is_here(l->hosts->block, i) && late++ < MOST_NAMED)
            snprintf(who + used, sizeof who - used, "%s%d", used ? ", " : "", l->first + l->hosts->map.member[i]);
    }
    if (!late)
        return h3ou__fail(H3OU__ETIMEOUT, "%s: the processes of this job did not complete it within %.0f s (WAITIO_PATIENCE)", what,
                          patience);
    return h3ou__fail(H3OU__ETIMEOUT, "%s: of this job's processes %d did not come within %.0f s (WAITIO_PATIENCE): rank %s%s", what,
                      late, patience, who, late > MOST_NAMED ? ", ..." : "");
}

/* Makes a call among the processes of this host to its end. */
static int run_here(const waitio__layers *l, h3ou__host_call *call, const char *what)
{
    h3ou__pause pause;
    const waitio__instance *in = waitio__instance_current();
    double patience = in ? in->patience : 0;
    h3ou__host_block *b = l->hosts->block;
    h3ou__host_call_start(b, call);
    for (h3ou__pause_begin(&pause);;) {
        bool done, moved = false;
        uint32_t heard = h3ou__host_block_heard(b);
        int err = h3ou__host_call_test(b, call, &done, &moved);
        if (err || done)
            return err ? h3ou__fail_in(err, "%s", what) : H3OU__OK;
        if (moved)
            h3ou__pause_begin(&pause);
        else if (h3ou__now() - pause.began > patience)
            return fail_late(l, what, patience);
        else if ((err = pause_part(l, &pause, heard)) != H3OU__OK)
            return err;
    }
}

/* Makes a part of a call among the processes of this host. kind, root: of the part; in, out: its buffers. */
static int run_part(const waitio__layers *l, const h3ou__host_call *call, int kind, int root, const void *in, void *out, const char *what)
{
    h3ou__host_call part = *call;
    part.kind = kind;
    part.root = root;
    part.in = in;
    part.out = out;
    return l->hosts->map.nmember > 1 ? run_here(l, &part, what) : H3OU__OK;
}

/* The part between hosts of the process that takes part there for its host: the root, else the first one. */
static int run_between(const waitio__layers *l, const h3ou__host_call *call, const void *in, const h3ou__coll_data *values, const char *what)
{
    static const int operation[] = {[H3OU__HOST_BCAST] = H3OU__COLL_BCAST,
                                    [H3OU__HOST_REDUCE] = H3OU__COLL_REDUCE,
                                    [H3OU__HOST_ALLREDUCE] = H3OU__COLL_ALLREDUCE};
    const h3ou__host_map *map = &l->hosts->map;
    h3ou__coll_data data = *values;
    h3ou__call between = {.operation = operation[call->kind],
                          .size = map->nhost,
                          .me = map->mine,
                          .root = h3ou__host_map_find(map, call->root),
                          .element = call->element,
                          .count = call->count};
    waitio__hosts_link link = {.layers = l, .root = call->root, .root_host = between.root, .what = what};
    h3ou__schedule s;
    data.input = in;
    data.output = call->out;
    int err = h3ou__coll_build(&between, &s, NULL);
    return err ? err : h3ou__coll_execute(&s, &data, &waitio__hosts_link_ops, &link, 0);
}

/* Over several hosts: inside each, between them, and again inside. */
static int run_spread(const waitio__layers *l, const h3ou__host_call *call, const h3ou__coll_data *values, const char *what)
{
    const h3ou__host_map *map = &l->hosts->map;
    size_t bytes = (size_t)(call->count * call->element);
    bool is_reduction = call->kind != H3OU__HOST_BCAST;
    int place = h3ou__host_map_place(map, call->root), err = H3OU__OK;
    place = place < 0 ? 0 : place;
    char *sum = is_reduction && map->me == place && map->nmember > 1 ? h3ou__kept_memory_take(bytes + 1) : NULL;
    if (is_reduction && map->me == place && map->nmember > 1 && !sum)
        return h3ou__no_memory("%s", what);
    if (is_reduction)
        err = run_part(l, call, H3OU__HOST_REDUCE, place, call->in, sum, what);
    if (!err && map->me == place)
        err = run_between(l, call, sum ? sum : call->in, values, what);
    h3ou__kept_memory_give(sum);
    return err || call->kind == H3OU__HOST_REDUCE ? err : run_part(l, call, H3OU__HOST_BCAST, place, call->out, call->out, what);
}

int waitio__host_part_run(const waitio__layers *l, h3ou__host_call *call, const h3ou__coll_data *values, const char *what)
{
    if (l->hosts->block)
        h3ou__host_block_begin(l->hosts->block);
    return l->hosts->map.nhost == 1 ? run_here(l, call, what) : run_spread(l, call, values, what);
}
