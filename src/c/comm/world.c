/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing a run. */
#include "comm/world.h"

#include <float.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/announced.h"
#include "comm/finalize_late.h"
#include "comm/members.h"
#include "comm/mpi_life.h"
#include "comm/own_messages.h"
#include "join_mpi/join_by_mpi.h"
#include "os/os_clock.h"
#include "waitio/joining/finalize.h"
#include "waitio/message/job_loss.h"
#include "waitio/progress/progress_thread.h"

static const double DEFAULT_PATIENCE = 3600.0, TELL_AFTER = 30.0;
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
    bool joins_alone = false;
    if (!err)
        err = h3ou__job_route_begin(&joins_alone);
    *by_waitio = npb > 1 || (host && *host) || joins_alone;
    w->njob = 1;
    w->job_host = calloc(1, sizeof *w->job_host);
    return w->job_host || err ? err : h3ou__no_memory("the list of processes");
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

/* Returns the component of this process with this color, or -1. */
static int find_mine(const h3ou__world *w, int color)
{
    for (int i = 0; i < w->ncomponent; i++)
        if (w->component[i].job == w->job && w->component[i].color == color &&
            h3ou__component_rank(&w->component[i], w->job_rank) >= 0)
            return i;
    return -1;
}

/* Makes the communicators of a component of this process. */
static int open_component(h3ou__world *w, h3ou__mpi_comm local)
{
    w->local_comm = local;
    int err = w->mpi->dup_for_model(w->local_comm, &w->user_comm);
    const h3ou__component *mine = &w->component[w->me];
    int rank = h3ou__component_rank(mine, w->job_rank);
    w->state = h3ou__run_state_open(mine->name, rank, mine->size);
    char version[1024] = "", mpi[128];
    if (!err)
        err = w->mpi->version(version, sizeof version);
    h3ou__mpi_describe(version, mpi, sizeof mpi);
    if (!err)
        err = h3ou__timeline_open(mine->name, rank, mine->size, mpi, &w->timeline);
    if (!err && w->job_rank == 0)
        h3ou__log(H3OU__LOG_WHISPER, "joined", "component=%s mpi=%s library=\"%s\" job=%d jobs=%d processes=%d components=%d",
                  w->component[w->me].name, w->mpi->name, mpi, w->job, w->njob, w->first[w->njob], w->ncomponent);
    return err;
}

/* Makes the world of each announced component from that of the process. */
static int open_announced(const h3ou__world *w, int me, h3ou__mpi_comm local)
{
    h3ou__world *one = malloc(sizeof *one);
    if (!one)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the list of processes");
    *one = *w;
    one->me = me;
    one->waits = NULL; /* each has its own */
    int i = 0;
    while (i < h3ou__announced() - 1 && strcmp(h3ou__announced_name(i), w->component[me].base) != 0)
        i++;
    h3ou__announced_keep(i, one);
    return open_component(one, local);
}

/* Makes the communicators of all components of the job: at one time those of one color, since they have no process in common. */
static int split_components(h3ou__world *w)
{
    int ncolor = 1, err = H3OU__OK;
    for (int i = 0; i < w->ncomponent; i++)
        if (w->component[i].job == w->job && w->component[i].color >= ncolor)
            ncolor = w->component[i].color + 1;
    for (int color = 0; color < ncolor && !err; color++) {
        h3ou__mpi_comm local = 0;
        int me = find_mine(w, color);
        if ((err = w->mpi->split(w->job_comm, me, w->job_rank, &local)) == H3OU__OK && me >= 0)
            err = open_announced(w, me, local);
    }
    return err;
}

static void free_place(h3ou__host_place *place)
{
    h3ou__host_block_free(place->block);
    h3ou__host_map_free(&place->map);
}

static void free_common(h3ou__world *w)
{
    if (w->job_host)
        free_place(w->job_host);
    free(w->job_host);
    free(w->first);
    h3ou__components_free(w);
}

/* Opens the run, and makes the worlds of all components of this process. */
static int open_run(const char *name, int nensemble, const int *comm)
{
    bool by_waitio = false;
    h3ou__world w = {0};
    int err = h3ou__env_real("H3OU_PATIENCE", DEFAULT_PATIENCE, &w.patience);
    if (!err)
        err = h3ou__env_real("H3OU_TELL_AFTER", TELL_AFTER, &w.tell_after);
    if (err || (err = open_mpi(&w, comm)) != H3OU__OK || (err = count_jobs(&w, &by_waitio)) != H3OU__OK ||
        (by_waitio && (err = join_jobs(&w, name)) != H3OU__OK))
        goto fail;
    if (by_waitio)
        waitio_set_patience(w.patience);
    if ((err = number_processes(&w)) != H3OU__OK || (err = h3ou__components_find(&w, name, nensemble)) != H3OU__OK ||
        (err = split_components(&w)) != H3OU__OK)
        goto fail;
    free(w.waits);
    return H3OU__OK;
fail:
    if (w.group)
        waitio_group_free(w.group); /* requests that did not complete keep what they need of it */
    free(w.waits);
    free_common(&w);
    return err;
}

int h3ou__world_open(const char *name, int nensemble, const int *comm, h3ou__world **out)
{
    bool is_first;
    *out = NULL;
    int err = h3ou__announced_check(name, nensemble, &is_first);
    if (!err && is_first)
        err = open_run(name, nensemble, comm);
    if (!err)
        *out = h3ou__announced_open(name);
    return err;
}

static void free_comms(h3ou__world *w)
{
    if (w->job_comm)
        w->mpi->comm_free(&w->job_comm);
    for (int kind = 0; kind < H3OU__KINDS; kind++)
        if (w->route[kind])
            w->mpi->comm_free(&w->route[kind]);
}

/* Frees what a component has for itself, but not user_comm, which the model keeps until MPI_Finalize. */
static void free_own(h3ou__world *w)
{
    if (w->local_comm)
        w->mpi->comm_free(&w->local_comm);
    free_place(&w->local_host);
    h3ou__run_state_close(w->state);
    h3ou__timeline_close(w->timeline);
    free(w->waits);
    free(w->couple_id);
    free(w->couple_start);
    while (w->models) {
        h3ou__comm *next = w->models->next;
        free(w->models);
        w->models = next;
    }
}

static int know_run(h3ou__world *w, int n, const h3ou__known_component known[], int me, const int *comm)
{
    w->patience = w->tell_after = DBL_MAX;
    w->njob = 1;
    int err = open_mpi(w, comm);
    if (!err && !(w->job_host = calloc(1, sizeof *w->job_host)))
        err = h3ou__no_memory("the list of processes");
    if (!err)
        err = number_processes(w);
    if (!err)
        err = h3ou__components_know(w, n, known, me);
    return err ? err : split_components(w);
}

int h3ou__world_open_alone(int n, const h3ou__known_component known[], int me, const int *comm, h3ou__world **out)
{
    bool is_first;
    h3ou__world w = {0};
    *out = NULL;
    int err = h3ou__announced_check(known[me].name, 1, &is_first);
    if (!err && is_first && (err = know_run(&w, n, known, me, comm)) != H3OU__OK)
        free_common(&w);
    free(w.waits);
    if (!err)
        *out = h3ou__announced_open(known[me].name);
    return err;
}

int h3ou__world_close(h3ou__world *w, int finalize_mpi)
{
    int err = H3OU__OK;
    bool is_last = h3ou__announced_close();
    if (!is_last) {
        free_own(w);
        free(w);
        return H3OU__OK;
    }
    if (w->group) {
        waitio_group_free(w->group);
        if ((err = waitio_finalize()) != H3OU__OK)
            return err;
    }
    free_own(w);
    free_comms(w);
    h3ou__own_messages_free();
    if (finalize_mpi < 0 ? w->started_mpi : finalize_mpi)
        err = h3ou__mpi_end(w->mpi);
    else if (finalize_mpi < 0)
        err = h3ou__finalize_late(w->mpi);
    free(w->may_lose);
    free_common(w);
    free(w);
    return err;
}

/* Returns on how many cores this process may run. */
static int count_cores(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) ? 0 : CPU_COUNT(&cores);
}

int h3ou__world_progress(const h3ou__world *w, bool by_thread, const char *where)
{
    static bool is_logged;
    const char *said = getenv("WAITIO_PROGRESS");
    bool has_said = said && *said, uses = w->group && has_said && !strcmp(said, "thread");
    int err = w->group && by_thread && !has_said ? waitio__progress_thread_use(&uses) : H3OU__OK;
    if (err)
        return h3ou__fail_in(err, "%sh3ou_coupling: progress='thread' (without it messages move in the calls of the library)", where);
    if ((by_thread || uses) && !is_logged)
        h3ou__log(w->job_rank == 0 ? H3OU__LOG_WHISPER : H3OU__LOG_LOUD, "progress", "by=%s because=%s cores=%d",
                  uses ? "thread" : "polling", has_said ? "WAITIO_PROGRESS" : w->group ? "progress" : "one_job", count_cores());
    is_logged = true;
    return H3OU__OK;
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

int h3ou__world_allow_losses(h3ou__world *w, const bool may[])
{
    int err = H3OU__OK;
    w->may_lose = malloc(sizeof *w->may_lose * (size_t)w->njob);
    if (!w->may_lose)
        return h3ou__no_memory("the list of jobs");
    for (int job = 0; job < w->njob; job++)
        w->may_lose[job] = w->group != NULL;
    for (int i = 0; i < w->ncomponent; i++)
        w->may_lose[w->component[i].job] &= may[i];
    for (int job = 0; job < w->njob && !err; job++)
        if (w->may_lose[job])
            err = waitio__job_allow_loss(job);
    return err;
}

bool h3ou__world_may_lose(const h3ou__world *w, int id)
{
    return w->may_lose && w->may_lose[w->component[id].job];
}

bool h3ou__world_is_lost(const h3ou__world *w, int id)
{
    return h3ou__world_may_lose(w, id) && waitio__job_is_lost(w->component[id].job);
}

bool h3ou__world_is_ensemble(const h3ou__world *w)
{
    return w->is_ensemble;
}

int h3ou__world_me(const h3ou__world *w)
{
    return w->me;
}

bool h3ou__world_is_shared(const h3ou__world *w)
{
    return w->is_shared;
}

int h3ou__world_jobs(const h3ou__world *w)
{
    return w->njob;
}

h3ou__timeline *h3ou__world_timeline(const h3ou__world *w)
{
    return w->timeline;
}

bool h3ou__world_is_shown(const h3ou__world *w)
{
    return w->state;
}

void h3ou__world_show_step(h3ou__world *w, int64_t start, const char *calendar, double time, double step)
{
    h3ou__run_state_step(w->state, start, calendar, time, step);
}

void h3ou__world_set_time(h3ou__world *w, int64_t num, int64_t den)
{
    w->time_num = num;
    w->time_den = den;
}

void h3ou__world_show_stop(h3ou__world *w, int stop, double time)
{
    h3ou__run_state_stop(w->state, stop, time);
}

void h3ou__world_when_waiting(h3ou__world *w, void (*meanwhile)(void *user), void *user)
{
    w->meanwhile = meanwhile;
    w->meanwhile_user = user;
}

double h3ou__world_worked(const h3ou__world *w)
{
    return h3ou__now() - w->waited;
}
