/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/mpi_life.h"

#include <stdatomic.h>
#include <stdio.h>

#include "base/env.h"
#include "base/error.h"
#include "comm/comm.h"
#include "join_mpi/arrival.h"
#include "join_mpi/join_by_mpi.h"
#include "os/deadline.h"
#include "os/sibling.h"

static const double DEFAULT_END_PATIENCE = 60.0, ABORT_PATIENCE = 10.0, INIT_MARGIN = 5.0;

/* The state of the process's MPI; threads of h3ou__deadline_begin read it, too. */
static struct {
    const h3ou__mpi_ops *mpi;
    double join_patience, end_patience;
    atomic_bool is_finalizing; /* h3ou__mpi_end is inside MPI_Finalize */
    void (*end)(const char *sentence);
    void (*finalized)(void);
} life;

void h3ou__world_when_stuck(void (*end)(const char *sentence))
{
    life.end = end;
}

void h3ou__world_when_finalized(void (*finalized)(void))
{
    life.finalized = finalized;
}

static void handle_lost_sibling(void)
{
    life.end("MPI_Init waits for a process of this job that has ended without calling it");
}

static void handle_late_init(void)
{
    char text[256];
    snprintf(text, sizeof text,
             "MPI_Init has not returned within %.0f s, %.0f s more than the patience of joining (H3OU_JOIN_PATIENCE): "
             "another process of this job has ended, or was not started",
             life.join_patience + INIT_MARGIN, INIT_MARGIN);
    life.end(text);
}

/* Called when H3OU_END_PATIENCE has passed. MPI_Finalize may have returned long ago to a program that goes on without
 * MPI. */
static void handle_late_finalize(void)
{
    char text[256];
    int is_past = 0;
    if (!atomic_load(&life.is_finalizing) && (life.mpi->has_finalized(&is_past) != H3OU__OK || is_past))
        return;
    snprintf(text, sizeof text,
             "MPI_Finalize has not returned within %.0f s (H3OU_END_PATIENCE) after all processes of this job called "
             "it: one of them has ended or is stuck there",
             life.end_patience);
    life.end(text);
}

static void handle_finalize_begin(void)
{
    if (!atomic_load(&life.is_finalizing) && life.finalized)
        life.finalized();
}

static void handle_all_in_finalize(void)
{
    h3ou__deadline_begin(life.end_patience,
                         handle_late_finalize); /* never ended: the limit holds until the process exits */
}

static int start_mpi(const h3ou__mpi_ops *mpi, int *did_init)
{
    int running = 0, finalized = 0, err = mpi->initialized(&running, &finalized);
    if (err)
        return err;
    h3ou__deadline *d = running || !life.end
                            ? NULL
                            : h3ou__deadline_watch(life.join_patience + INIT_MARGIN, h3ou__sibling_has_ended,
                                                   handle_lost_sibling, handle_late_init);
    err = mpi->init(did_init);
    h3ou__deadline_end(d);
    return err;
}

/* Chooses the communicator of the job; one that the program gives needs an MPI that runs. */
static int choose_job(const h3ou__mpi_ops *mpi, const int *comm)
{
    int running = 0, finalized = 0, err = mpi->initialized(&running, &finalized);
    if (err)
        return err;
    if (comm && (!running || finalized))
        return h3ou__fail(H3OU__EARG, "h3ou_init: comm is given, but MPI does not run: call MPI_Init before");
    return mpi->live_in(comm);
}

int h3ou__mpi_begin(const int *comm, const h3ou__mpi_ops **mpi, int *did_init)
{
    static const h3ou__mpi_finalize_ops ops = {.begins = handle_finalize_begin, .all_here = handle_all_in_finalize};
    int err = h3ou__mpi_find(mpi);
    if (err || (err = h3ou__join_patience(&life.join_patience)) != H3OU__OK ||
        (err = h3ou__env_real("H3OU_END_PATIENCE", DEFAULT_END_PATIENCE, &life.end_patience)) != H3OU__OK ||
        (err = choose_job(*mpi, comm)) != H3OU__OK || (err = start_mpi(*mpi, did_init)) != H3OU__OK ||
        (err = h3ou__arrive(*mpi, life.join_patience)) != H3OU__OK)
        return err;
    life.mpi = *mpi;
    return life.end ? (*mpi)->at_finalize(&ops) : H3OU__OK;
}

int h3ou__mpi_end(const h3ou__mpi_ops *mpi)
{
    atomic_store(&life.is_finalizing, true);
    int err = mpi->finalize();
    atomic_store(&life.is_finalizing, false);
    return err;
}

bool h3ou__world_mpi_runs(void)
{
    const h3ou__mpi_ops *mpi;
    int running = 0, finalized = 0;
    return h3ou__mpi_find(&mpi) == H3OU__OK && mpi != &h3ou__mpi_self &&
           mpi->initialized(&running, &finalized) == H3OU__OK && running && !finalized;
}

bool h3ou__world_is_universe(void)
{
    return h3ou__mpi_is_universe();
}

static void handle_late_abort(void)
{
    char text[128];
    snprintf(text, sizeof text, "MPI_Abort has not ended this process within %.0f s: it ends itself", ABORT_PATIENCE);
    life.end(text);
}

void h3ou__mpi_kill(const h3ou__mpi_ops *mpi, int code)
{
    int running = 0, finalized = 0;
    if ((!mpi && h3ou__mpi_find(&mpi) != H3OU__OK) || mpi->initialized(&running, &finalized) != H3OU__OK)
        return;
    if (running && !finalized && life.end)
        h3ou__deadline_begin(ABORT_PATIENCE, handle_late_abort); /* MPI_Abort may wait for the launcher for ever */
    if (running && !finalized)
        mpi->abort(code);
    else if (!running)
        h3ou__mpi_abort_unstarted(code);
}
