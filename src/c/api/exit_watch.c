/* SPDX-License-Identifier: BSD-3-Clause */
/* Ending the whole run when a program with an open context exits or calls MPI_Finalize. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/context.h"
#include "base/error.h"

/* The contexts of this process. */
static struct {
    h3ou_ctx *ctx;   /* the open one that was opened last */
    h3ou_ctx *first; /* all of them */
    pid_t process; /* so that the exit of a forked child does not end the run */
    char name[H3OU__NAME + 1];
    int rank;
    bool is_registered, is_registered_again;
    bool was_open;
} watched;

int h3ou__launched_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (int i = 0; i < 4; i++)
        if (getenv(names[i]))
            return atoi(getenv(names[i]));
    return 0;
}

/* Returns whether other processes may wait for this one. Before joining only the launcher's environment tells. */
static bool has_others(const h3ou_ctx *ctx)
{
    static const char *const sizes[] = {"WAITIO_NPB", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"};
    if (ctx->world)
        return h3ou__comm_size(h3ou__world_global(ctx->world)) > 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (getenv(sizes[i]) && atoi(getenv(sizes[i])) > 1)
            return true;
    return false;
}

static void end_run_left_early(const char *how)
{
    int date[6];
    char at[128] = "";
    if (!watched.ctx || watched.process != getpid() || !has_others(watched.ctx))
        return;
    if (h3ou_time_now(watched.ctx, date) == H3OU_OK)
        snprintf(at, sizeof at, " at the model time %04d-%02d-%02d %02d:%02d:%02d", date[0], date[1], date[2], date[3],
                 date[4], date[5]);
    h3ou_abort(watched.ctx,
               h3ou__fail(H3OU__ESTATE,
                          "the program %s without h3ou_coupling_end%s, while others of the run may wait for "
                          "it",
                          how, at));
}

static void handle_exit(void)
{
    end_run_left_early("exited");
}

static void handle_finalize(void)
{
    end_run_left_early("called MPI_Finalize");
}

static bool is_listed(const h3ou_ctx *ctx)
{
    const h3ou_ctx *c = watched.first;
    while (c && c != ctx)
        c = c->next;
    return c != NULL;
}

void h3ou__watch_begin(h3ou_ctx *ctx)
{
    watched.ctx = ctx;
    if (!is_listed(ctx)) {
        ctx->next = watched.first;
        watched.first = ctx;
    }
    watched.was_open = true;
    watched.process = getpid();
    watched.rank = ctx->world ? h3ou__comm_rank(h3ou__world_local(ctx->world)) : h3ou__launched_rank();
    memcpy(watched.name, ctx->name, sizeof ctx->name);
    h3ou__world_when_finalized(handle_finalize);
    /* Registered again after joining, because the handler registered last is called first, and WaitIO has one, too. */
    bool *registered = ctx->world ? &watched.is_registered_again : &watched.is_registered;
    if (!*registered)
        *registered = atexit(handle_exit) == 0;
}

/* Aborts the run of a process that ends before h3ou_init: with an error, or with MPI running. (One that ends well
 * without MPI was some other program, as a shell of a script.) */
static void handle_exit_before_init(int status, void *unused)
{
    (void)unused;
    if (!watched.was_open && watched.process == getpid() && (status != 0 || h3ou__world_mpi_runs()))
        h3ou_abort(NULL, h3ou__fail(H3OU__ESTATE, "the program exited with code %d before h3ou_init", status));
}

/* Registers handle_exit_before_init in a process that a launcher started in a run of several jobs, since the other jobs
 * wait until this process joins. Not where the jobs have one MPI_COMM_WORLD: they join in MPI_Init. */
__attribute__((constructor)) static void watch_from_start(void)
{
    static const char *const ranks[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"};
    const char *jobs = getenv("WAITIO_NPB");
    bool is_launched = false;
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        is_launched = is_launched || getenv(ranks[i]);
    watched.process = getpid();
    if (!is_launched || !jobs || atoi(jobs) <= 1 || h3ou__world_is_universe())
        return;
    /* Load the MPI backend now: handlers registered here run after the libraries' destructors, which is too late. */
    h3ou__world_mpi_runs();
    on_exit(handle_exit_before_init, NULL);
}

void h3ou__watch_end(const h3ou_ctx *ctx)
{
    h3ou_ctx **at = &watched.first;
    while (*at && *at != ctx)
        at = &(*at)->next;
    if (*at)
        *at = ctx->next;
    if (watched.ctx == ctx)
        watched.ctx = h3ou__context_find(NULL);
}

void h3ou__watch_stop(void)
{
    watched.ctx = NULL;
}

h3ou_ctx *h3ou__contexts(void)
{
    return watched.first;
}

h3ou_ctx *h3ou__context_find(const char *component)
{
    h3ou_ctx *c = watched.first;
    while (c && (c->has_left || (component && strcmp(c->name, component) != 0)))
        c = c->next;
    return c;
}

h3ou_ctx *h3ou__watched(void)
{
    return watched.ctx;
}

const char *h3ou__watched_name(int *rank)
{
    *rank = watched.rank;
    return watched.name[0] ? watched.name : "(unnamed)";
}
