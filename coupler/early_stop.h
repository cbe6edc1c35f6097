/* SPDX-License-Identifier: BSD-3-Clause */
/* The early stop of my component: what the agreement (stop/stop_agreement.h) must know of it, and when it looks at letters. */
#ifndef H3OU_COUPLER_EARLY_STOP_H
#define H3OU_COUPLER_EARLY_STOP_H

#include "coupler/coupler.h"

/* Makes the agreement for all components of this process. wanted: in some process of the run something can ask for a stop. */
int h3ou__early_stop_begin(h3ou__coupler *c, bool wanted);
void h3ou__early_stop_begin_step(h3ou__coupler *c, h3ou__rational now, h3ou__rational step, bool is_uneven);

#endif
