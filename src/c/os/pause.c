/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/pause.h"

#include <sched.h>

#include "os/os_clock.h"

static const double SHORTEST = 20e-6, LONGEST = 200e-6;
static const double MOST_GIVEN = 1e-3; /* seconds in which others have the core and that do not count as yielding */
const double h3ou__yield_given = 3e-6, h3ou__yield_taken = 500e-6;

void h3ou__pause_begin(h3ou__pause *p)
{
    p->began = h3ou__now();
    p->seconds = 0.0;
    p->turns = 0;
    p->naps = 0;
    p->given = 0.0;
}

bool h3ou__pause_looks_around(const h3ou__pause *p, double nap)
{
    enum { SELDOM = 16 };
    return nap > 0.0 || p->turns % SELDOM == 0;
}

bool h3ou__pause_looks_at_mpi(const h3ou__pause *p)
{
    const double SHORT = 2e-4, SELDOM = 5e-3; /* seconds between two looks: in one wait, and in shorter waits */
    static _Thread_local double last;
    double now = h3ou__now();
    if (now < last + (now < p->began + SHORT ? SELDOM : SHORT))
        return false;
    last = now;
    return true;
}

double h3ou__pause_next(h3ou__pause *p, double yielding)
{
    if (p->seconds == 0.0) {
        sched_yield();
        p->turns++;
        if (h3ou__now() - p->began < yielding)
            return 0.0;
        p->seconds = SHORTEST;
    }
    double seconds = p->seconds;
    p->naps++;
    p->seconds = seconds * 1.5 < LONGEST ? seconds * 1.5 : LONGEST;
    return seconds;
}

double h3ou__pause_longer(const h3ou__pause *p, double nap)
{
    const double PART = 0.05, MOST = 2e-3; /* of the time that the wait has taken; seconds */
    double seconds = PART * (h3ou__now() - p->began);
    seconds = seconds < MOST ? seconds : MOST;
    return nap > 0.0 && nap < seconds ? seconds : nap;
}

double h3ou__pause_next_crowded(h3ou__pause *p, double yielding)
{
    enum { FEWEST = 16, MOST = 1024 };
    static _Thread_local int sleeping, next = FEWEST; /* waits that sleep at once: still, and when yielding was in vain again */
    if (p->seconds == 0.0 && yielding <= 0.0)
        p->seconds = SHORTEST;
    if (p->seconds == 0.0 && sleeping > 0) {
        sleeping--;
        p->seconds = SHORTEST;
    }
    if (p->seconds > 0.0)
        return h3ou__pause_next(p, yielding);
    double before = h3ou__now(), nap = h3ou__pause_next(p, yielding + p->given), took = h3ou__now() - before;
    if (nap == 0.0 && took < h3ou__yield_taken) {
        if (took >= h3ou__yield_given && p->given < MOST_GIVEN)
            p->given += took;
        next = p->turns == 1 && next > FEWEST ? next / 2 : next;
        return nap;
    }
    sleeping = next;
    next = next < MOST ? 2 * next : MOST;
    p->seconds = p->seconds > 0.0 ? p->seconds : SHORTEST;
    return nap;
}
