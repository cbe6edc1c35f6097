/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the hub in a world of several jobs, which a front takes in the place of the back's. */
#include "universe/world/layer.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "universe/communicator/comm_attribute.h"
#include "universe/message/send_buffer.h"
#include "universe/world/waiting.h"

static struct hub table;

static int pass_failed(intptr_t comm, int code, const char *function)
{
    return comm ? universe_fail_inner(universe_comm_of((abi_Comm)comm), code, function) : universe_fail_raised(code, function);
}

/* What lies inside the job may pass the layer. Returns the back's shortcut with that said; a back without one gets NULL. */
static const struct shortcut *pass_inside(const struct shortcut *of_back)
{
    static const struct inside inside = {.open = &universe.open,
                                         .has_threads = &universe.has_threads,
                                         .tag_ub = &universe.tag_ub,
                                         .world = (struct inside_comm *const *)&universe.comm,
                                         .failed = pass_failed};
    static struct shortcut passing;
    if (!of_back)
        return NULL;
    passing = *of_back;
    passing.inside = &inside;
    return &passing;
}

/* Called by mpi_adaptor/hub/back_choice.c. Returns the table that stands before the back's, which is borrowed. */
__attribute__((visibility("default"))) const struct hub *h3ou_universe_open(const struct hub *back);

const struct hub *h3ou_universe_open(const struct hub *back)
{
    universe.mpi = back;
    table = *back;
    table.shortcut = pass_inside(back->shortcut);
    universe_refusals_fill(&table);
#define UNIVERSE_SET(name) table.name = universe_##name;
    UNIVERSE_FUNCTIONS(UNIVERSE_SET)
    return &table;
}

/* To what runs in the world, such as a coupler that uses WaitIO itself, it is one job. */
static int forget_jobs(void)
{
    static const char *const names[] = {"WAITIO_NPB", "WAITIO_PBID", "WAITIO_MASTER_HOST", "WAITIO_MASTER_PORT"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (unsetenv(names[i]))
            return h3ou__fail(H3OU__EOS, "%s cannot be taken out of the environment", names[i]);
    return 0;
}

/* A job alone needs no other, and its calls go to its MPI. `function` is the caller's name. */
static int join_if_several(const char *function)
{
    const char *jobs = getenv("WAITIO_NPB");
    if (!jobs || strcmp(jobs, "1") == 0)
        return 0;
    int err = universe_join();
    if (!err)
        err = universe_attributes_begin();
    if (!err && universe_catch_stray())
        err = h3ou__fail(H3OU__EMPI, "the error handler of the job's MPI_COMM_WORLD cannot be set");
    if (!err)
        err = forget_jobs();
    if (err)
        universe_end_waitio(err, function);
    return 0;
}

int universe_Init(int *argc, char ***argv)
{
    int level = 0, code = universe.mpi->Init(argc, argv);
    if (code)
        return code;
    /* A variable of the MPI may ask for threads. */
    universe.has_threads = universe.is_locked = universe.mpi->Query_thread(&level) == 0 && level == ABI_THREAD_MULTIPLE;
    return join_if_several("MPI_Init");
}

int universe_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code = universe.mpi->Init_thread(argc, argv, required, provided);
    if (code)
        return code;
    universe.has_threads = universe.is_locked = *provided == ABI_THREAD_MULTIPLE;
    return join_if_several("MPI_Init_thread");
}

int universe_Finalize(void)
{
    if (universe.comm) {
        universe_attributes_end();
        universe_enter();
        universe_detached_wait();
        universe_exit();
        int err = universe_leave();
        if (err)
            universe_end_waitio(err, "MPI_Finalize");
    }
    return universe.mpi->Finalize();
}

int universe_Abort(abi_Comm comm, int code)
{
    if (universe.comm)
        universe_end(code, "rank %d of MPI_COMM_WORLD (job %d) called MPI_Abort with code %d", universe.rank, universe.job, code);
    return universe.mpi->Abort(comm, code);
}
