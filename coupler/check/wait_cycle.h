/* SPDX-License-Identifier: BSD-3-Clause */
/* Components that would wait for each other for ever, found before a run by their exchange times and time steps. */
#ifndef H3OU_COUPLER_CHECK_WAIT_CYCLE_H
#define H3OU_COUPLER_CHECK_WAIT_CYCLE_H

#include "coupler/clock/exchange_times.h"

/* What is known of the components before the run. */
typedef struct h3ou__timed {
    int n;
    const char *const *name;    /* [n] */
    const h3ou__rational *step; /* [n] seconds; 0: not known, then the shortest of its intervals is taken */
} h3ou__timed;

/* Lets all components go through their steps as fast as the exchanges let them, until each has gone through its longest
 * interval a few times: a step first sends what leaves then, and then gets what is due. Fails with H3OU__ECONFIG, a
 * position and the components that wait for each other. Exchanges with lag=0 are left out: they follow the order of the
 * models' calls, which is not known. */
int h3ou__wait_cycle_check(const h3ou__config *config, const h3ou__timed *timed);

#endif
