/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/slices.h"

#include "comm/members.h"
#include "coupler/config/ensemble_keys.h"

/* Returns the members of one side of a pair that are coupled, as one group, with one member of the other, my member
 * being of the group or coupled with it. */
static int members_of_group(const h3ou__world *w, const char *side, const char *other)
{
    int member = h3ou__world_component_member(w, h3ou__world_me(w));
    return h3ou__members_in_group(member, h3ou__world_members(w, side), h3ou__world_members(w, other));
}

bool h3ou__ensemble_is_direct(const h3ou__config *config, const h3ou__world *world, const h3ou__config_pair *pair)
{
    return config->min_members > 0 &&
           h3ou__world_members(world, pair->comp_put) != h3ou__world_members(world, pair->comp_get);
}

int h3ou__slices_got(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v)
{
    const h3ou__config_pair *p = &config->pair[v->pair];
    return v->members.send == H3OU__SEND_STACKED ? members_of_group(w, p->comp_put, p->comp_get) : 1;
}

int h3ou__slices_put(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v)
{
    const h3ou__config_pair *p = &config->pair[v->pair];
    return v->members.is_own ? members_of_group(w, p->comp_get, p->comp_put) : 1;
}

int h3ou__members_counted(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v)
{
    const h3ou__config_pair *p = &config->pair[v->pair];
    return v->members.send == H3OU__SEND_MEMBER ? 1 : members_of_group(w, p->comp_put, p->comp_get);
}
