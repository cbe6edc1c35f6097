/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/slices.h"

#include "comm/members.h"
#include "coupler/config/ensemble_keys.h"

int h3ou__slices_got(const h3ou__world *w, const h3ou__config *config, const h3ou__config_var *v)
{
    const h3ou__config_pair *p = &config->pair[v->pair];
    int me = h3ou__world_me(w), member = h3ou__world_component_member(w, me);
    int senders = h3ou__world_members(w, p->comp_put), receivers = h3ou__world_members(w, p->comp_get);
    if (v->members.send != H3OU__SEND_STACKED)
        return 1;
    return h3ou__members_in_group(member, senders, receivers);
}
