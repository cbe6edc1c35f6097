/* SPDX-License-Identifier: BSD-3-Clause */
/* How a call waits for the job's MPI and for other jobs at once: H3OU_UNIVERSE_WAIT. */
#ifndef H3OU_UNIVERSE_WORLD_WAITING_WAY_H
#define H3OU_UNIVERSE_WORLD_WAITING_WAY_H

typedef enum universe_way {
    UNIVERSE_ADAPTIVE, /* polls both in turn for a while, then sleeps on what comes from other jobs and looks at the job's MPI now and then */
    UNIVERSE_POLL,     /* polls both in turn, and does not sleep */
    UNIVERSE_THREAD    /* a thread moves the messages of other jobs, so that a wait for the job's MPI may block in it */
} universe_way;

#pragma GCC visibility push(hidden)
extern universe_way universe_waits; /* UNIVERSE_ADAPTIVE until it is chosen */
/* Reads H3OU_UNIVERSE_WAIT, and starts the thread. Called once the jobs have joined, before any other thread calls WaitIO. */
int universe_way_choose(void);
#pragma GCC visibility pop

#endif
