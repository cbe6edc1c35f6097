/* SPDX-License-Identifier: BSD-3-Clause */
/* The early stop of my component: what the agreement (stop/stop_agreement.h) must know of it, and when it looks at letters. */
#ifndef H3OU_COUPLER_EARLY_STOP_H
#define H3OU_COUPLER_EARLY_STOP_H

#include "coupler/coupler.h"

/* Makes the agreement for all components of this process. wanted: in some process of the run something can ask for a stop. */
int h3ou__early_stop_begin(h3ou__coupler *c, bool wanted);
void h3ou__early_stop_begin_step(h3ou__coupler *c, h3ou__rational now, h3ou__rational step, bool is_uneven);
/* Returns whether the run stops, and my component at the end of its step, which is `now`. */
bool h3ou__early_stop_is_at(const h3ou__coupler *c, h3ou__rational now);
/* Returns at which model time another component writes the restart that belongs to mine of `now`: at the same, but at an early stop
 * by how much their leads differ later. component: its name in the namelist. */
h3ou__rational h3ou__early_stop_of(const h3ou__coupler *c, const char *component, h3ou__rational now);

#endif
