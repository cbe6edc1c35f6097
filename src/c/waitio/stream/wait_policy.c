/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/wait_policy.h"

#include "os/pause.h"

enum { LEAST = 16, QUICKLY = 256, MOST = 1024, ENOUGH = 32, TOO_OFTEN = 3 };

enum waitio__wait_mode waitio__wait_policy_begin(waitio__wait_policy *w)
{
    if (w->mode == WAITIO__BLOCKING && w->left-- <= 0)
        w->mode = WAITIO__SPIN_YIELDING;
    return w->mode;
}

void waitio__wait_policy_succeeded(waitio__wait_policy *w, enum waitio__wait_mode mode)
{
    if (mode == WAITIO__SPIN_HOLDING)
        w->successes++;
    else
        w->next /= 2; /* one success does not prove that the machine is idle */
}

void waitio__wait_policy_yielded(waitio__wait_policy *w, double seconds)
{
    double least = w->shares ? h3ou__yield_given / 2 : h3ou__yield_given; /* two that share a core answer sooner once both know it */
    w->shares = seconds >= least && seconds < h3ou__yield_taken;
}

void waitio__wait_policy_preempted(waitio__wait_policy *w)
{
    if (w->mode != WAITIO__SPIN_YIELDING)
        return;
    w->mode = WAITIO__SPIN_HOLDING;
    w->successes = 0;
}

void waitio__wait_policy_fruitless(waitio__wait_policy *w)
{
    if (w->mode != WAITIO__SPIN_HOLDING)
        return;
    /* A peer that loses its core now and then is no reason to block in every wait. */
    w->fruitless = w->successes < ENOUGH ? (short)(w->fruitless + 1) : 0;
    if (w->fruitless == TOO_OFTEN) {
        w->fruitless = 0;
        w->next = w->next < LEAST ? LEAST : w->next < QUICKLY ? 4 * w->next : MOST;
        w->left = w->next;
        w->mode = WAITIO__BLOCKING;
    }
    w->successes = 0;
}
