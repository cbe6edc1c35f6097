/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wait policy: how a blocking wait of this process waits, learnt from how earlier waits went.
 *
 *   SPIN_YIELDING  polls, with sched_yield between polls: best while no other program wants the core, or only the
 *                  processes that this one waits for
 *   SPIN_HOLDING   polls without sched_yield: a process that is not of the run would keep the core for milliseconds
 *   BLOCKING       sleeps at once
 *
 *   SPIN_YIELDING --- a sched_yield took long: another process had the core ---> SPIN_HOLDING
 *   SPIN_HOLDING  --- three waits, with few successes between, spun without result: the peer cannot run while this
 *                     process holds the core ---> BLOCKING
 *   BLOCKING      --- after 16 waits, the next time after 64, ... 1,024 ---> SPIN_YIELDING
 */
#ifndef WAITIO_STREAM_WAIT_POLICY_H
#define WAITIO_STREAM_WAIT_POLICY_H

#include <stdbool.h>

enum waitio__wait_mode { WAITIO__SPIN_YIELDING, WAITIO__SPIN_HOLDING, WAITIO__BLOCKING };

typedef struct waitio__wait_policy {
    enum waitio__wait_mode mode;
    int left;      /* waits that will still block at once */
    int next;      /* number of waits that will block when mode becomes BLOCKING the next time */
    int successes;   /* waits that ended while SPIN_HOLDING, since the last fruitless one */
    short fruitless; /* fruitless waits in a row, with few successes between */
    bool shares;     /* a process that waits, too, had the core at the last sched_yield: probably the one that is waited for */
} waitio__wait_policy;

/* Returns the mode of the wait that begins. */
enum waitio__wait_mode waitio__wait_policy_begin(waitio__wait_policy *w);
/* What the process waited for came while it spun. */
void waitio__wait_policy_succeeded(waitio__wait_policy *w, enum waitio__wait_mode mode);
/* A sched_yield took so many seconds. Sets `shares`: the next wait then yields before it polls, since nothing arrives before the other process has had the
 * core. */
void waitio__wait_policy_yielded(waitio__wait_policy *w, double seconds);
/* Another process had the core for long after a sched_yield. */
void waitio__wait_policy_preempted(waitio__wait_policy *w);
/* The process spun for as long as it may, and nothing came. */
void waitio__wait_policy_fruitless(waitio__wait_policy *w);

#endif
