/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/pause.h"

#include <sched.h>

#include "os/os_clock.h"

static const double SHORTEST = 20e-6, LONGEST = 200e-6;
static const double LONG_YIELD = 2e-6; /* seconds, of one that lets nobody else go on it is a fraction of that */

void h3ou__pause_begin(h3ou__pause *p)
{
    p->began = h3ou__now();
    p->seconds = 0.0;
    p->turns = 0;
    p->is_crowded = false;
}

bool h3ou__pause_looks_around(const h3ou__pause *p, double nap)
{
    enum { SELDOM = 16 };
    return nap > 0.0 || p->turns % SELDOM == 0;
}

double h3ou__pause_next(h3ou__pause *p, double yielding)
{
    if (p->seconds == 0.0) {
        double before = h3ou__now();
        sched_yield();
        p->turns++;
        double now = h3ou__now();
        p->is_crowded = now - before > LONG_YIELD;
        if (now - p->began < yielding)
            return 0.0;
        p->seconds = SHORTEST;
    }
    double seconds = p->seconds;
    p->seconds = seconds * 1.5 < LONGEST ? seconds * 1.5 : LONGEST;
    return seconds;
}

double h3ou__pause_next_crowded(h3ou__pause *p, double yielding)
{
    return h3ou__pause_next(p, p->is_crowded ? 0.0 : yielding);
}
