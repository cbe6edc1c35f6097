/* SPDX-License-Identifier: BSD-3-Clause */
/* Ping-pong between jobs that the user has started, of which this process is one rank. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "tools/pingpong/pingpong_run.h"

static void describe_jobs(pingpong_run *r, const pingpong_crew *c, bool is_far)
{
    char host[256] = "a host";
    gethostname(host, sizeof host - 1);
    if (c->npb == 2)
        snprintf(r->table.where, sizeof r->table.where, "two jobs of %d and %d processes, PB 0 on %s", c->first,
                 c->size - c->first, host);
    else
        snprintf(r->table.where, sizeof r->table.where, "one job of %d processes on %s, rank i with %s", c->size, host,
                 is_far ? "i + n/2" : "its neighbour");
    pingpong_table_note(&r->table, "processes run where their launchers put them");
}

static int conduct_rounds(pingpong_run *r, pingpong_crew *c, bool is_far)
{
    const char *route = getenv("WAITIO_COMM_TYPE");
    pingpong_sink sink = {.user = r, .round = pingpong_add_round};
    if (r->plan.npairs == 0)
        pingpong_double_pairs(c->pairs, &r->plan);
    r->link[PINGPONG_LINK_RAW] = pingpong_raw_way();
    r->link[PINGPONG_LINK_WAITIO] = pingpong_waitio_way(c->npb, route ? route : "");
    r->all = 2 * (int64_t)r->plan.npairs * r->plan.nsize * r->plan.round.rounds;
    describe_jobs(r, c, is_far);
    return pingpong_crew_conduct(c, &r->plan, &sink);
}

int pingpong_run_join(pingpong_run *r, bool is_far, bool *is_writer)
{
    pingpong_crew crew = {.is_far = is_far};
    int code = pingpong_crew_join(&crew, 0);
    *is_writer = !code && crew.rank == 0;
    if (!code)
        code = crew.rank ? pingpong_crew_serve(&crew) : conduct_rounds(r, &crew, is_far);
    if (!code)
        return pingpong_crew_leave(&crew);
    pingpong_crew_free(&crew);
    return code;
}
