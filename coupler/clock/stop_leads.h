/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By how much later in model time than others a component ends when the run is stopped early. With lag=n above 1 a receiver comes
 * to a time only when the sender has come n - 1 intervals farther, so they cannot both end at one time. Each component
 * has a lead, at least 0 and as small as the lags allow, and 0 for all where no lag is above 1 (docs/adr/0031-early-stop.md).
 */
#ifndef H3OU_COUPLER_CLOCK_STOP_LEADS_H
#define H3OU_COUPLER_CLOCK_STOP_LEADS_H

#include "coupler/time/rational.h"
#include "coupler/config/config.h"

typedef struct h3ou__stop_leads {
    int n;
    const char **name;    /* [n] components of the namelist; borrowed from it */
    h3ou__rational *lead; /* [n] */
    const h3ou__config_var *late; /* a field for which there are none: its lag is above 1 with an interval in months, or part of a
                                     circle of lags with which components wait for each other; or NULL */
} h3ou__stop_leads;

int h3ou__stop_leads_find(const h3ou__config *config, h3ou__stop_leads *out);
void h3ou__stop_leads_free(h3ou__stop_leads *l);
/* component: its name in the namelist. 0 for one that exchanges nothing. */
h3ou__rational h3ou__stop_leads_of(const h3ou__stop_leads *l, const char *component);

#endif
