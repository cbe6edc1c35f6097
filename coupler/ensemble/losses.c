/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/ensemble/losses.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/config/leniency.h"

/* Returns the other component of a pair, or NULL when the component is not in it, or alone. */
static const char *other_of(const h3ou__config_pair *p, const char *component)
{
    if (h3ou__config_is_own(p))
        return NULL;
    return !strcmp(p->comp_put, component) ? p->comp_get : !strcmp(p->comp_get, component) ? p->comp_put : NULL;
}

/* Returns whether nothing depends on one member of the component alone. */
static bool may_lose_members(const h3ou__config *config, const h3ou__world *world, const char *component)
{
    int members = h3ou__world_members(world, component);
    for (int i = 0; i < config->npair; i++) {
        const char *other = other_of(&config->pair[i], component);
        if (other && h3ou__world_members(world, other) >= members)
            return false;
    }
    return members > 1;
}

static void warn_of_none(const h3ou__config *config, const h3ou__world *world)
{
    bool any = false;
    for (int i = 0; i < h3ou__world_components(world); i++)
        any |= h3ou__world_may_lose(world, i);
    if (!any && config->is_leader)
        h3ou__warn(
            NULL,
            "%s: ensemble_min_members=%d: the loss of any job ends the run: none holds only members of components that "
            "have more members than all components that they are coupled with",
            config->file, config->min_members);
}

int h3ou__losses_allow(const h3ou__config *config, h3ou__world *world)
{
    int n = h3ou__world_components(world), err;
    if (config->min_members == 0)
        return H3OU__OK;
    bool *may = malloc(sizeof *may * (size_t)(n + 1));
    if (!may)
        return h3ou__no_memory("a list of %d components", n);
    for (int i = 0; i < n; i++)
        may[i] = may_lose_members(config, world, h3ou__world_component_base(world, i));
    err = h3ou__world_allow_losses(world, may);
    free(may);
    if (!err)
        warn_of_none(config, world);
    return err;
}

/* Checks the group of `component` that is coupled with my member. */
static int check_group(const h3ou__config *config, const h3ou__world *world, const char *component, int mine)
{
    int member = h3ou__world_component_member(world, h3ou__world_me(world)), left = 0, all = 0;
    for (; member < h3ou__world_members(world, component); member += mine, all++)
        left += !h3ou__world_is_lost(world, h3ou__world_member(world, component, member));
    if (left >= config->min_members || left == all)
        return H3OU__OK;
    return h3ou__fail(H3OU__EPEER, "%d of the %d members of %s are left, ensemble_min_members is %d", left, all,
                      component, config->min_members);
}

int h3ou__losses_check(const h3ou__config *config, const h3ou__world *world)
{
    if (config->min_members == 0)
        return H3OU__OK;
    const char *me = h3ou__world_component_base(world, h3ou__world_me(world));
    int mine = h3ou__world_members(world, me), err = H3OU__OK;
    for (int i = 0; i < config->npair && !err; i++) {
        const char *other = other_of(&config->pair[i], me);
        if (other && h3ou__world_members(world, other) > mine)
            err = check_group(config, world, other, mine);
    }
    return err;
}
