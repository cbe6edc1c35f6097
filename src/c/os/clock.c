/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/clock.h"

#include <sched.h>
#include <time.h>

static const double YIELDING = 50e-6, FIRST_NAP = 20e-6, LONGEST_NAP = 200e-6;

double h3ou__now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void h3ou__sleep(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)(1e9 * (seconds - (double)t.tv_sec));
    nanosleep(&t, NULL);
}

void h3ou__pause_begin(h3ou__pause *p)
{
    p->began = h3ou__now();
    p->nap = 0.0;
}

double h3ou__pause_next(h3ou__pause *p)
{
    if (p->nap == 0.0) {
        double before = h3ou__now();
        sched_yield();
        double after = h3ou__now();
        /* A yield that took long means that others need this core: sleeping costs nothing then. */
        if (after - p->began < YIELDING && after - before < 30e-6)
            return 0.0;
        p->nap = FIRST_NAP;
    }
    double nap = p->nap;
    p->nap = nap * 1.5 < LONGEST_NAP ? nap * 1.5 : LONGEST_NAP;
    return nap;
}
