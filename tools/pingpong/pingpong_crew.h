/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of one WaitIO instance that play ping-pong in pairs: rank 0 of PB 0 gives the orders, the others obey.
 */
#ifndef H3OU_TOOL_PINGPONG_CREW_H
#define H3OU_TOOL_PINGPONG_CREW_H

#include <sched.h>

#include "tools/harness/rounds.h"
#include "tools/pingpong/pingpong_plan.h"
#include "waitio.h"

enum pingpong_link { PINGPONG_LINK_RAW, PINGPONG_LINK_WAITIO, PINGPONG_LINKS };

typedef struct pingpong_crew {
    waitio_group_t all;
    int rank, size, npb, first;     /* first: number of processes of PB 0 */
    int pairs, pair, side, partner; /* pair -1: none */
    bool is_far;                    /* one PB: rank i plays with i + size / 2, else with its neighbour */
    bool may_pin;                   /* players may be bound to cores: all processes are on this host */
    cpu_set_t allowed;
    int pinned;                /* number of pairs for which this process is bound to its core; 0: not bound */
    wire wire[PINGPONG_LINKS]; /* to the partner */
    char *buf;
    size_t room;
} pingpong_crew;

typedef struct pingpong_sink {
    void *user;
    int (*round)(void *user, const round_result *r); /* called after each round */
} pingpong_sink;

/* Joins WaitIO. Collective over all processes; timeout in seconds, 0: as the environment says. Set is_far and may_pin
 * before. All calls here return 0 or a negative code with h3ou__fail_text(). */
int pingpong_crew_join(pingpong_crew *c, int timeout);
int pingpong_crew_serve(pingpong_crew *c); /* called by all but rank 0; returns when that has finished */
int pingpong_crew_conduct(pingpong_crew *c, const pingpong_plan *plan, const pingpong_sink *to);
int pingpong_crew_leave(pingpong_crew *c);
/* Frees what the crew holds, after an error of one of these calls; pingpong_crew_leave does it, too. */
void pingpong_crew_free(pingpong_crew *c);

#endif
