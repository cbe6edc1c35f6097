/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing a run. */
#include "comm/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "base/log.h"
#include "comm/finalize_late.h"
#include "comm/members.h"
#include "comm/mpi_life.h"
#include "join_mpi/join_by_mpi.h"
#include "os/os_clock.h"
#include "waitio/joining/finalize.h"

static const double DEFAULT_PATIENCE = 3600.0;
enum { GROUP_ID = 1 };

/* Starts MPI. A process without MPI counts as alone in its job here, since ranks that a launcher started without MPI
 * know of each other only through WaitIO. */
static int open_mpi(h3ou__world *w, const int *comm)
{
    int err = h3ou__mpi_begin(comm, &w->mpi, &w->started_mpi);
    if (err || (err = w->mpi->world(&w->job_comm)) != H3OU__OK ||
        (err = w->mpi->rank(w->job_comm, &w->job_rank)) != H3OU__OK)
        return err;
    err = w->mpi->size(w->job_comm, &w->job_size);
    for (int kind = 0; kind < H3OU__KINDS && !err; kind++)
        err = w->mpi->dup(w->job_comm, &w->route[kind]);
    return err;
}

static int count_jobs(h3ou__world *w, bool *by_waitio)
{
    int64_t npb;
    int err = h3ou__env_int("WAITIO_NPB", 1, 1 << 20, 1, &npb);
    const char *host = getenv("WAITIO_MASTER_HOST");
    *by_waitio = npb > 1 || (host && *host);
    w->njob = 1;
    return err;
}

static int accept_all(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

static int join_jobs(h3ou__world *w, const char *name)
{
    char text[H3OU__NAME + 64];
    double patience;
    int err = h3ou__join_patience(&patience);
    if (err)
        return err;
    snprintf(text, sizeof text, "component %s, process %d of its job", name, w->job_rank);
    waitio_set_name(text);
    if ((err = waitio_init((int)(patience + 0.999))) != H3OU__OK || (err = waitio_pb_size(&w->njob)) != H3OU__OK ||
        (err = waitio_pb_rank(&w->job)) != H3OU__OK)
        return err;
    waitio__finalize_by_h3ou();
    waitio_filter_func_t *all = malloc(sizeof *all * (size_t)w->njob);
    int *order = malloc(sizeof *order * (size_t)w->njob);
    for (int job = 0; all && order && job < w->njob; job++) {
        all[job] = accept_all;
        order[job] = job;
    }
    w->group = all && order ? waitio_create_group_func(GROUP_ID, all, order) : NULL;
    free(all);
    free(order);
    return w->group ? H3OU__OK : H3OU__ENOMEM;
}

static int number_processes(h3ou__world *w)
{
    int *size = malloc(sizeof *size * (size_t)w->njob);
    w->first = calloc((size_t)w->njob + 1, sizeof *w->first);
    if (!size || !w->first) {
        free(size);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the list of jobs");
    }
    size[0] = w->job_size;
    int got = w->group ? waitio_get_nprocs(size) : 0, err = got < 0 ? got : H3OU__OK;
    for (int job = 0; job < w->njob; job++)
        w->first[job + 1] = w->first[job] + size[job];
    if (!err && size[w->job] != w->job_size)
        err = h3ou__fail(H3OU__EJOIN, "WaitIO counts %d processes in this job, its MPI counts %d: start the program with the mpirun of the "
                         "MPI that it was compiled with, and unset WAITIO_SIZE",
                         size[w->job], w->job_size);
    free(size);
    return err;
}

static int find_mine(const h3ou__world *w)
{
    int i = 0;
    while (i < w->ncomponent - 1 &&
           (w->component[i].job != w->job || h3ou__component_rank(&w->component[i], w->job_rank) < 0))
        i++;
    return i;
}

static int split_component(h3ou__world *w)
{
    w->me = find_mine(w);
    int err = w->mpi->split(w->job_comm, w->me, w->job_rank, &w->local_comm);
    return err ? err : w->mpi->dup_for_model(w->local_comm, &w->user_comm);
}

int h3ou__world_open(const char *name, int nensemble, const int *comm, h3ou__world **out)
{
    bool by_waitio = false;
    *out = NULL;
    h3ou__world *w = calloc(1, sizeof *w);
    if (!w)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the list of processes");
    int err = h3ou__env_real("H3OU_PATIENCE", DEFAULT_PATIENCE, &w->patience);
    if (err || (err = open_mpi(w, comm)) != H3OU__OK || (err = count_jobs(w, &by_waitio)) != H3OU__OK ||
        (by_waitio && (err = join_jobs(w, name)) != H3OU__OK))
        goto fail;
    if (by_waitio)
        waitio_set_patience(w->patience);
    if ((err = number_processes(w)) != H3OU__OK || (err = h3ou__components_find(w, name, nensemble)) != H3OU__OK ||
        (err = split_component(w)) != H3OU__OK)
        goto fail;
    if (w->job_rank == 0)
        h3ou__log(H3OU__LOG_WHISPER, "joined", "component=%s mpi=%s job=%d jobs=%d processes=%d components=%d",
                  w->component[w->me].name,
                  w->mpi->name, w->job, w->njob, w->first[w->njob], w->ncomponent);
    *out = w;
    return H3OU__OK;
fail:
    if (w->group)
        waitio_group_free(w->group); /* requests that did not complete keep what they need of it */
    free(w->first);
    free(w->couple_id);
    free(w->couple_start);
    h3ou__components_free(w);
    free(w);
    return err;
}

static void free_comms(h3ou__world *w)
{
    h3ou__mpi_comm *all[] = {&w->job_comm,
                             &w->local_comm}; /* not user_comm, which the model keeps until MPI_Finalize */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (*all[i])
            w->mpi->comm_free(all[i]);
    for (int kind = 0; kind < H3OU__KINDS; kind++)
        if (w->route[kind])
            w->mpi->comm_free(&w->route[kind]);
    while (w->models) {
        h3ou__comm *next = w->models->next;
        free(w->models);
        w->models = next;
    }
}

int h3ou__world_close(h3ou__world *w, int finalize_mpi)
{
    int err = H3OU__OK;
    if (w->group) {
        waitio_group_free(w->group);
        if ((err = waitio_finalize()) != H3OU__OK)
            return err;
    }
    free_comms(w);
    if (finalize_mpi < 0 ? w->started_mpi : finalize_mpi)
        err = h3ou__mpi_end(w->mpi);
    else if (finalize_mpi < 0)
        err = h3ou__finalize_late(w->mpi);
    free(w->first);
    free(w->couple_id);
    free(w->couple_start);
    h3ou__components_free(w);
    free(w);
    return err;
}

void h3ou__world_tell(const char *text, double seconds)
{
    waitio_abort(text, seconds);
}

void h3ou__world_abort(h3ou__world *w, int code, const char *text, double seconds)
{
    if (seconds > 0.0)
        h3ou__world_tell(text, seconds);
    h3ou__mpi_kill(w ? w->mpi : NULL, code);
}

int h3ou__world_components(const h3ou__world *w)
{
    return w->ncomponent;
}

const char *h3ou__world_component_name(const h3ou__world *w, int id)
{
    return w->component[id].name;
}

int h3ou__world_component_size(const h3ou__world *w, int id)
{
    return w->component[id].size;
}

int h3ou__world_component_first(const h3ou__world *w, int id)
{
    return w->first[w->component[id].job] + h3ou__component_job_rank(&w->component[id], 0);
}

int h3ou__world_find(const h3ou__world *w, const char *name)
{
    const h3ou__component *me = &w->component[w->me];
    for (int i = 0; i < w->ncomponent; i++)
        if (!strcmp(w->component[i].name, name))
            return i;
    for (int i = 0; i < w->ncomponent && w->is_ensemble; i++) {
        const h3ou__component *c = &w->component[i];
        if (c->member == h3ou__members_partner(me->member, me->nmember, c->nmember) && !strcmp(c->base, name))
            return i;
    }
    return -1;
}

int h3ou__world_member(const h3ou__world *w, const char *base, int member)
{
    for (int i = 0; i < w->ncomponent; i++)
        if (w->component[i].member == member && !strcmp(w->component[i].base, base))
            return i;
    return -1;
}

const char *h3ou__world_component_base(const h3ou__world *w, int id)
{
    return w->component[id].base;
}

int h3ou__world_component_member(const h3ou__world *w, int id)
{
    return w->component[id].member;
}

int h3ou__world_component_members(const h3ou__world *w, int id)
{
    return w->component[id].nmember;
}

int h3ou__world_members(const h3ou__world *w, const char *base)
{
    int first = h3ou__world_member(w, base, 0);
    return first < 0 ? 0 : w->component[first].nmember;
}

bool h3ou__world_is_ensemble(const h3ou__world *w)
{
    return w->is_ensemble;
}

int h3ou__world_me(const h3ou__world *w)
{
    return w->me;
}

int h3ou__world_jobs(const h3ou__world *w)
{
    return w->njob;
}

double h3ou__world_worked(const h3ou__world *w)
{
    return h3ou__now() - w->waited;
}
