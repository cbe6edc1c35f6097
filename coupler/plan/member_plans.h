/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of a component that is coupled with each member of a group itself, instead of with the leader of the group
 * alone, so that each member can be lost (the key ensemble_min_members).
 *
 * What the members send needs weights once: those of the group's first member. The others send the values of the same
 * cells (h3ou__plan_share). What the members get each of them interpolates with rows of its own.
 */
#ifndef H3OU_COUPLER_PLAN_MEMBER_PLANS_H
#define H3OU_COUPLER_PLAN_MEMBER_PLANS_H

#include "coupler/plan/plan.h"

/* Puts the ranks of a plan's partners in h3ou__world_lossy in the place of those of its model, so that a partner may be
 * lost. */
void h3ou__plan_allow_losses(h3ou__plan *p, h3ou__world *world);
/* Adds the plan `p` of the exchange with one more member, by ascending number, to *all, which is NULL for the first:
 * takes p, also on error. component: the member's id. slot: of a receiver, as h3ou__plan_share gives it, NULL for the
 * first; taken. *all is freed by the caller, also after an error. A receiver's slots then come from the members. */
int h3ou__member_plans_add(h3ou__plan **all, h3ou__plan *p, int component, int64_t *slot, h3ou__world *world);

#endif
