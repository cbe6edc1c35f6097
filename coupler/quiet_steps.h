/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps in which nothing is exchanged: most steps of most models. They are recognised by one comparison, without asking
 * each field for its times. */
#ifndef H3OU_COUPLER_QUIET_STEPS_H
#define H3OU_COUPLER_QUIET_STEPS_H

#include "coupler/coupler.h"

/* Called when a step has begun that was not quiet: finds the first time after it at which a step may have anything to
 * do, because an exchange is due, is sent, or, since the model did not get it, is past. */
void h3ou__quiet_steps_find(h3ou__coupler *c);
/* Returns whether a step that begins at `now` has nothing to send, to receive or to progress. */
bool h3ou__quiet_step_is(const h3ou__coupler *c, h3ou__rational now);

#endif
