/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether components that write restarts at one model time would wait for each other for ever (docs/adr/0026-restarts.md). */
#ifndef H3OU_COUPLER_RESTART_RESTART_CIRCLE_H
#define H3OU_COUPLER_RESTART_RESTART_CIRCLE_H

#include "coupler/config/config.h"

/* H3OU__EUNSUPPORTED, with the two fields, when the lags of the namelist make a circle. call: for the sentence. */
int h3ou__restart_circle_check(const h3ou__config *config, const char *call);

#endif
