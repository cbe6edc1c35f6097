/* SPDX-License-Identifier: BSD-3-Clause */
/* The route of messages between the hosts of a job: its MPI or WaitIO. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "comm/ring_request.h"
#include "comm/world.h"
#include "os/os_clock.h"

enum { TAG = H3OU__TAG_COLLECTIVE + 101, NUMBERS = 1 << 13, FIRST = 2, ROUNDS = 10 };

static const char *const route_name[H3OU__JOB_ROUTES] = {"", "mpi", "waitio", "measured"};
static const char WHAT[] = "the route inside a job";

static bool is_waitio; /* of this process's job */

bool h3ou__job_route_is_waitio(void)
{
    return is_waitio;
}

int h3ou__job_route_read(int *route)
{
    const char *said = getenv("H3OU_JOB_ROUTE");
    if (!said || !*said)
        return H3OU__OK;
    for (int i = H3OU__JOB_MPI; i < H3OU__JOB_ROUTES; i++)
        if (!strcasecmp(said, route_name[i])) {
            *route = i;
            return H3OU__OK;
        }
    return h3ou__fail(H3OU__EENV, "H3OU_JOB_ROUTE=%.40s is not mpi, waitio or measured", said);
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

int h3ou__job_route_begin(bool *joins_alone)
{
    int route = H3OU__JOB_UNSAID, err = h3ou__job_route_read(&route);
    *joins_alone = route > H3OU__JOB_MPI && (is_set("WAITIO_DEVICE") || is_set("WAITIO_ADDRESS"));
    if (*joins_alone && (setenv("WAITIO_NPB", "1", 0) || setenv("WAITIO_PBID", "0", 0)))
        err = h3ou__no_memory("the environment");
    return err;
}

/* What is measured by one route between the first processes of two hosts, as both see it. */
typedef struct echo {
    h3ou__comm *global;
    int peer;
    bool by_waitio, begins;
    double *numbers;
} echo;

static int pass_message(const echo *e, bool sends)
{
    h3ou__req req;
    int err = sends ? h3ou__isend_by(e->global, e->by_waitio, e->peer, TAG, e->numbers, NUMBERS, WHAT, &req)
                    : h3ou__irecv_by(e->global, e->by_waitio, e->peer, TAG, e->numbers, NUMBERS, WHAT, &req);
    return err ? err : h3ou__waitall(e->global->world, 1, &req);
}

/* Sets *seconds to the shortest time in which a message went there and back; the first ones make the connection. */
static int measure_route(const echo *e, double *seconds)
{
    int err = H3OU__OK;
    *seconds = 1e9;
    for (int i = 0; i < FIRST + ROUNDS && !err; i++) {
        double began = h3ou__now();
        err = pass_message(e, e->begins);
        if (!err)
            err = pass_message(e, !e->begins);
        double took = h3ou__now() - began;
        *seconds = i >= FIRST && took < *seconds ? took : *seconds;
    }
    return err;
}

/* Measures both routes between the first processes of the job's first two hosts. seconds: at the first of them. */
static int measure_routes(h3ou__world *w, const h3ou__host_map *map, double seconds[2])
{
    int err = H3OU__OK;
    if (w->job_rank != map->head[0] && w->job_rank != map->head[1])
        return H3OU__OK;
    echo e = {.global = h3ou__world_global(w), .begins = w->job_rank == map->head[0], .numbers = calloc(NUMBERS, sizeof(double))};
    e.peer = w->first[w->job] + map->head[e.begins];
    if (!e.numbers)
        return h3ou__no_memory(WHAT);
    for (int i = 0; i < 2 && !err; i++) {
        e.by_waitio = i == 1;
        err = measure_route(&e, &seconds[i]);
    }
    free(e.numbers);
    return err;
}

/* Finds the hosts of the job. */
static int find_hosts(h3ou__world *w, h3ou__host_map *map)
{
    h3ou__mpi_req req;
    int64_t mine = h3ou__host_number(), *all = malloc(sizeof *all * (size_t)w->job_size);
    int err = all ? w->mpi->iallgather(w->job_comm, &mine, 1, all, H3OU__INT64, &req) : h3ou__no_memory(WHAT);
    if (!err)
        err = h3ou__wait_mpi(w, &req, WHAT);
    if (!err)
        err = h3ou__host_map_make(all, w->job_size, w->job_rank, map);
    free(all);
    return err;
}

/* Chooses by time; *seconds: of a message of 64 KiB there and back, by the MPI and by WaitIO; 0: the job is on one host. */
static int measure(h3ou__world *w, int *route, double seconds[2])
{
    h3ou__mpi_req req;
    h3ou__host_map map = {0};
    int err = find_hosts(w, &map);
    *route = H3OU__JOB_MPI;
    if (!err && map.nhost > 1) {
        err = measure_routes(w, &map, seconds);
        if (!err)
            err = w->mpi->ibcast(w->job_comm, seconds, 2, H3OU__DOUBLE, map.head[0], &req);
        if (!err)
            err = h3ou__wait_mpi(w, &req, WHAT);
        if (!err && seconds[1] < seconds[0])
            *route = H3OU__JOB_WAITIO;
    }
    h3ou__host_map_free(&map);
    return err;
}

/* Logs the route of each pair of components of the job, or, where there are many, of the job. */
static void log_route(const h3ou__world *w, int route, const char *because)
{
    enum { FEW = 8 };
    int n = 0;
    for (int i = 0; i < w->ncomponent; i++)
        n += w->component[i].job == w->job;
    if (n < 2 || n > FEW)
        h3ou__log(H3OU__LOG_WHISPER, "job_route", "job=%d components=%d route=%s because=%s", w->job, n, route_name[route], because);
    for (int i = 0; i < w->ncomponent && n <= FEW; i++)
        for (int j = i + 1; j < w->ncomponent; j++)
            if (w->component[i].job == w->job && w->component[j].job == w->job)
                h3ou__log(H3OU__LOG_WHISPER, "job_route", "components=%s,%s route=%s because=%s", w->component[i].name,
                          w->component[j].name, route_name[route], because);
}

int h3ou__job_route_choose(h3ou__world *w, int wanted)
{
    char because[96] = "wanted";
    double seconds[2] = {0, 0};
    int route = wanted == H3OU__JOB_WAITIO && w->group ? H3OU__JOB_WAITIO : H3OU__JOB_MPI, err = H3OU__OK;
    if (wanted > H3OU__JOB_MPI && !w->group) {
        snprintf(because, sizeof because, "no_waitio");
    } else if (wanted == H3OU__JOB_MEASURED) {
        err = measure(w, &route, seconds);
        snprintf(because, sizeof because, "one_host");
        if (seconds[0] > 0)
            snprintf(because, sizeof because, "measured mpi_us=%.1f waitio_us=%.1f", 1e6 * seconds[0], 1e6 * seconds[1]);
    }
    if (!err && wanted != H3OU__JOB_UNSAID && w->job_rank == 0)
        log_route(w, route, because);
    is_waitio = route == H3OU__JOB_WAITIO;
    return err;
}
