/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members that may be lost: with the key ensemble_min_members the end of a job, by whatever cause, does not end the
 * run, when it holds only members of components that have, in each of their pairs, more members than the other
 * component.
 */
#ifndef H3OU_COUPLER_ENSEMBLE_LOSSES_H
#define H3OU_COUPLER_ENSEMBLE_LOSSES_H

#include "comm/comm.h"
#include "coupler/config/config.h"

/* Says so to the transport. Warns when the key allows no loss. Called by all processes alike. */
int h3ou__losses_allow(const h3ou__config *config, h3ou__world *world);
/* Returns H3OU__EPEER when fewer members than the key says are left of a group that is coupled with mine. Cheap. */
int h3ou__losses_check(const h3ou__config *config, const h3ou__world *world);

#endif
