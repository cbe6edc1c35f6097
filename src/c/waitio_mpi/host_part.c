/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/host_part.h"

#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "os/os_clock.h"
#include "os/pause.h"
#include "waitio/message/instance.h"
#include "waitio_mpi/layers.h"

static const double NAP = 0.005; /* seconds after which a process that waits for others of its host looks around */

/* Of the processes of the job, which are those of one communicator of its MPI. */
static struct {
    bool is_settled;
    h3ou__mpi_comm comm;
    h3ou__host_block *block; /* NULL: they share no memory */
} found;

static int agree(const waitio__layers *l, h3ou__host_block **out)
{
    static const char what[] = "the memory of a job's processes";
    int64_t may = 1, offer[H3OU__HOST_OFFER] = {0, 0, -1};
    int32_t mine, all = 0;
    h3ou__mpi_req req;
    int err = h3ou__env_int("H3OU_SHARED_MEMORY", 0, 1, 1, &may);
    if (!err && l->me == 0 && may)
        h3ou__host_block_offer(l->size, offer);
    if (!err && (err = l->mpi->ibcast(l->inside, offer, H3OU__HOST_OFFER, H3OU__INT64, 0, &req)) == H3OU__OK)
        err = waitio__layers_wait(l, &req, what);
    *out = err ? NULL : h3ou__host_block_open(offer, l->size, l->me, may);
    mine = *out != NULL;
    if (!err && (err = l->mpi->iallreduce(l->inside, &mine, &all, 1, H3OU__INT32, H3OU__MIN, &req)) == H3OU__OK)
        err = waitio__layers_wait(l, &req, what);
    if (l->me == 0)
        h3ou__host_block_close_offer(offer);
    if (err || !all) {
        h3ou__host_block_free(*out);
        *out = NULL;
    }
    return err;
}

int waitio__host_part_find(const waitio__layers *l, h3ou__host_block **out)
{
    int err = H3OU__OK;
    if (!found.is_settled || found.comm != l->inside) {
        h3ou__host_block_free(found.block);
        found.comm = l->inside;
        err = agree(l, &found.block);
        found.is_settled = !err;
    }
    *out = found.block;
    return err;
}

/* Yields or sleeps, and looks at the MPI, which may have messages of the program to move, and at WaitIO. */
static int pause_part(const waitio__layers *l, h3ou__pause *pause, uint32_t heard)
{
    int is_there;
    int64_t bytes;
    if (h3ou__pause_next_crowded(pause, 1e-6 * H3OU__YIELD_MEMORY) == 0.0)
        return H3OU__OK;
    if (h3ou__host_block_sleep(l->host, heard, NAP))
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
    for (int i = 0; i < l->size; i++) {
        size_t used = strlen(who);
        if (!h3ou__host_block_is_here(l->host, i) && late++ < MOST_NAMED)
            snprintf(who + used, sizeof who - used, "%s%d", used ? ", " : "", l->first + i);
    }
    if (!late)
        return h3ou__fail(H3OU__ETIMEOUT, "%s: the processes of this job did not complete it within %.0f s (WAITIO_PATIENCE)", what,
                          patience);
    return h3ou__fail(H3OU__ETIMEOUT, "%s: of this job's processes %d did not come within %.0f s (WAITIO_PATIENCE): rank %s%s", what,
                      late, patience, who, late > MOST_NAMED ? ", ..." : "");
}

int waitio__host_part_run(const waitio__layers *l, h3ou__host_call *call, const char *what)
{
    h3ou__pause pause;
    const waitio__instance *in = waitio__instance_current();
    double patience = in ? in->patience : 0;
    h3ou__host_block_begin(l->host);
    h3ou__host_call_start(l->host, call);
    for (h3ou__pause_begin(&pause);;) {
        bool done, moved = false;
        uint32_t heard = h3ou__host_block_heard(l->host);
        int err = h3ou__host_call_test(l->host, call, &done, &moved);
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
