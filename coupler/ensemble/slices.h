/* SPDX-License-Identifier: BSD-3-Clause */
/* The slices of a field's arrays, one for each member: (cell, layer, member). */
#ifndef H3OU_COUPLER_ENSEMBLE_SLICES_H
#define H3OU_COUPLER_ENSEMBLE_SLICES_H

#include "comm/comm.h"
#include "coupler/config/config.h"

/* Returns the slices of the arrays that the receiver gets: the members of the group that sends to it, where these are
 * stacked, else 1. Both ends, and the members that follow them, call it. */
int h3ou__slices_got(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v);
/* Returns the slices of the arrays that the sender puts: the members of the group that gets them, where each gets its
 * own, else 1. The message between the two components has the product of both numbers, one of which is 1. */
int h3ou__slices_put(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v);

#endif
