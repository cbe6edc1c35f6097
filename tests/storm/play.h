/* SPDX-License-Identifier: BSD-3-Clause */
/* The part that a process has in a storm: the rounds of the plan, with calls in an order of its own. */
#ifndef TESTS_STORM_PLAY_H
#define TESTS_STORM_PLAY_H

#include "../waitio/run.h"
#include "plan.h"

typedef struct storm {
    plan plan; /* its seed and its processes */
    int rounds, threads;
    size_t longest;
    double patience; /* s */
} storm;

/* In the process: joins, plays all rounds, leaves. 0, or where it went wrong, with a sentence in me->text. */
int storm_play(seat *me, const storm *s);

#endif
