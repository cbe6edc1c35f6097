/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/progress.h"

#include <sched.h>

#include "os/clock.h"
#include "waitio/connection.h"
#include "waitio/control.h"

static const double tick = 0.1;   /* s: how often time itself is looked at, and the longest sleep */
static const double spin = 50e-6; /* s: a wake-up costs about 20 us, so a peer that answers soon is awaited awake */
static const double slow_yield = 30e-6; /* s: somebody else had the core meanwhile, so spinning hurts */

int waitio__progress(waitio__instance *in, double seconds)
{
    int n = waitio__hub_turn(&in->hub, seconds);
    double now = h3ou__now();
    if (now >= in->next_tick) {
        in->next_tick = now + tick;
        waitio__conns_tick(in, now);
        waitio__control_tick(in, now);
    }
    if (in->buried)
        waitio__conns_bury(in);
    return n;
}

/* Gives the core away once; false: spinning hurts, so sleep, now and in the next waits. */
static bool yield(waitio__instance *in, double now)
{
    sched_yield();
    if (h3ou__now() - now < slow_yield)
        return true;
    in->block_next = in->block_next < 16 ? 16 : in->block_next < 1024 ? 2 * in->block_next : 1024;
    in->block_waits = in->block_next;
    return false;
}

int waitio__progress_until(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                           double seconds)
{
    double now = h3ou__now(), end = now + seconds, spin_end = now + spin;
    bool spins = in->block_waits == 0;
    if (in->block_waits > 0)
        in->block_waits--;
    waitio__progress(in, 0);
    while (!done(in, arg)) {
        now = h3ou__now();
        if (now >= end)
            return H3OU__ETIMEOUT;
        if (spins && now < spin_end) {
            if (waitio__progress(in, 0))
                spin_end = now + spin;
            else
                spins = yield(in, now);
            continue;
        }
        double rest = end - now;
        if (waitio__progress(in, rest < tick ? rest : tick) && spins)
            spin_end = h3ou__now() + spin;
    }
    if (spins && now < spin_end)
        in->block_next = 0;
    return H3OU__OK;
}
