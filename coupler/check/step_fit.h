/* SPDX-License-Identifier: BSD-3-Clause */
/* Time steps that do not reach every exchange time. */
#ifndef H3OU_COUPLER_CHECK_STEP_FIT_H
#define H3OU_COUPLER_CHECK_STEP_FIT_H

#include "coupler/clock/exchange_times.h"

/* Returns whether steps of this length, of which the first begins at `now`, reach every exchange time of a variable;
 * else sets text to the sentence that says so of the component. */
bool h3ou__step_fits(const h3ou__config *config, const h3ou__config_var *v, const h3ou__schedule *times,
                     const char *component, h3ou__rational now, h3ou__rational step, char *text, size_t size);

#endif
