/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/pause.h"

#include <sched.h>

#include "os/os_clock.h"

static const double FIRST_NAP = 20e-6, LONGEST_NAP = 200e-6;

void h3ou__pause_begin(h3ou__pause *p)
{
    p->began = h3ou__now();
    p->nap = 0.0;
}

double h3ou__pause_next(h3ou__pause *p, double yielding)
{
    if (p->nap == 0.0) {
        sched_yield();
        if (h3ou__now() - p->began < yielding)
            return 0.0;
        p->nap = FIRST_NAP;
    }
    double nap = p->nap;
    p->nap = nap * 1.5 < LONGEST_NAP ? nap * 1.5 : LONGEST_NAP;
    return nap;
}
