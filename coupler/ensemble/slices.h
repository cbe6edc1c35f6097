/* SPDX-License-Identifier: BSD-3-Clause */
/* The slices of a field's arrays, one for each member: (cell, layer, member). */
#ifndef H3OU_COUPLER_ENSEMBLE_SLICES_H
#define H3OU_COUPLER_ENSEMBLE_SLICES_H

#include "comm/comm.h"
#include "coupler/config/config.h"

/* Returns whether, of the two components of a pair, the one with fewer members is coupled with each member of the other itself
 * (member_plans.h), and not with the leaders of groups alone: so members may be lost. */
bool h3ou__ensemble_is_direct(const h3ou__config *config, const h3ou__world *world, const h3ou__config_pair *pair);
/* Returns the slices of the arrays that the receiver gets: the members of the group that sends to it, where these are
 * stacked, else 1. Both ends, and the members that follow them, call it. */
int h3ou__slices_got(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v);
/* Returns the slices of the arrays that the sender puts: the members of the group that gets them, where each gets its
 * own, else 1. The message between the two components has the product of both numbers, one of which is 1; where each
 * member sends and gets its own messages (h3ou__ensemble_is_direct) it has one slice. */
int h3ou__slices_put(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v);
/* Returns the members whose values a field has: 1 where only those of one are sent. */
int h3ou__members_counted(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v);

#endif
