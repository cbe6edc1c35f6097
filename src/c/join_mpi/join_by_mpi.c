/* SPDX-License-Identifier: BSD-3-Clause */
#include "join_mpi/join_by_mpi.h"

#include <stdbool.h>

#include "base/env.h"
#include "base/error.h"
#include "join_mpi/arrival.h"
#include "join_mpi/job_mpi.h"
#include "os/os_clock.h"
#include "os/pause.h"
#include "waitio.h"

static const double DEFAULT_PATIENCE = 600.0;

static int wait_for_request(const h3ou__mpi_inside *in, h3ou__mpi_req *req)
{
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    for (;;) {
        int done, err = in->mpi->test(req, &done, NULL);
        if (err || done)
            return err;
        /* The King's wait ends first, and its sentence says more; the margin gives it time to send that sentence. */
        if (h3ou__now() - pause.began > in->patience + 5.0)
            return h3ou__fail(H3OU__ETIMEOUT,
                              "a process of this job did not call waitio_init or h3ou_init within %.0f s",
                              in->patience);
        double nap = h3ou__pause_next(&pause, 1e-6 * H3OU__YIELD_MPI);
        if (nap > 0.0)
            h3ou__sleep(nap);
    }
}

static int gather_by_mpi(void *self, const void *send, size_t bytes, void *recv)
{
    const h3ou__mpi_inside *in = self;
    h3ou__mpi_req req;
    int err = in->mpi->igather(in->world, send, (int64_t)bytes, recv, H3OU__BYTE, 0, &req);
    return err ? err : wait_for_request(in, &req);
}

static int bcast_by_mpi(void *self, void *buf, size_t bytes)
{
    const h3ou__mpi_inside *in = self;
    h3ou__mpi_req req;
    int err = in->mpi->ibcast(in->world, buf, (int64_t)bytes, H3OU__BYTE, 0, &req);
    return err ? err : wait_for_request(in, &req);
}

int h3ou__inside_mpi(h3ou__mpi_inside *self, waitio__job_collectives *inside)
{
    *inside = (waitio__job_collectives){.self = self, .gather = gather_by_mpi, .bcast = bcast_by_mpi};
    int err = self->mpi->rank(self->world, &inside->rank);
    return err ? err : self->mpi->size(self->world, &inside->size);
}

int h3ou__join_patience(double *seconds)
{
    double fallback;
    int err = h3ou__env_real("WAITIO_JOIN_PATIENCE", DEFAULT_PATIENCE, &fallback);
    return err ? err : h3ou__env_real("H3OU_JOIN_PATIENCE", fallback, seconds);
}

static int join_without_mpi(double timeout)
{
    waitio__job_collectives inside;
    int err = waitio__launcher_open(&inside, timeout);
    if (err)
        return err;
    err = waitio__join(&inside, timeout);
    waitio__launcher_close(&inside);
    return err;
}

static int join_with_mpi(const h3ou__mpi_ops *mpi, double timeout)
{
    waitio__job_collectives inside;
    h3ou__mpi_inside self = {.mpi = mpi, .patience = timeout};
    int err = h3ou__arrive(mpi, timeout);
    if (err || (err = mpi->world(&self.world)) != H3OU__OK)
        return err;
    if ((err = h3ou__inside_mpi(&self, &inside)) == H3OU__OK)
        err = waitio__join(&inside, timeout);
    if (!err)
        h3ou__job_mpi_keep(mpi, self.world);
    else
        mpi->comm_free(&self.world);
    return err;
}

int waitio_init(int timeout)
{
    const h3ou__mpi_ops *mpi;
    int running = 0, finalized = 0;
    double seconds = timeout;
    int err = timeout > 0 ? H3OU__OK : h3ou__join_patience(&seconds);
    if (err || (err = h3ou__mpi_find(&mpi)) != H3OU__OK || (err = mpi->initialized(&running, &finalized)) != H3OU__OK)
        return err;
    bool by_mpi = mpi != &h3ou__mpi_self && running && !finalized;
    return by_mpi ? join_with_mpi(mpi, seconds) : join_without_mpi(seconds);
}
