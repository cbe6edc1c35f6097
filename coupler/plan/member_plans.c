/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/plan/member_plans.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

static const char what[] = "the plan of an exchange";

void h3ou__plan_allow_losses(h3ou__plan *p, h3ou__world *world)
{
    for (int k = 0; k < p->npartner; k++)
        p->partner[k] = h3ou__comm_to_global(p->model, p->partner[k]);
    p->model = h3ou__world_lossy(world);
}

/* Makes the slots of the first member stand as they arrive. */
static int64_t *own_slots(const h3ou__plan *p)
{
    int64_t n = p->start[p->npartner], *slot = malloc(sizeof *slot * (size_t)(n + 1));
    for (int64_t i = 0; i < n && slot; i++)
        slot[i] = i;
    return slot;
}

/* Makes the slots of a plan, which had `partner` and `start` for its first member, come from this process. */
static int begin_members(h3ou__plan *p, h3ou__world *world)
{
    int64_t slots = p->start[p->npartner];
    int *partner = malloc(sizeof *partner);
    int64_t *start = malloc(2 * sizeof *start);
    if (!partner || !start) {
        free(partner);
        free(start);
        return h3ou__no_memory("%s", what);
    }
    *partner = h3ou__comm_rank(h3ou__world_global(world));
    start[0] = 0;
    start[1] = slots;
    p->npartner = 1;
    p->partner = partner;
    p->start = start;
    return H3OU__OK;
}

/* Adds a member from which a receiver gets values. The first one's plan becomes that of all. */
static int add_sending_member(h3ou__plan **all, h3ou__plan *p, const h3ou__member_plan *member, h3ou__world *world)
{
    h3ou__plan *to = *all ? *all : p;
    int err = h3ou__resize(&to->member, sizeof *to->member, to->nmember + 1) ? H3OU__OK : h3ou__no_memory("%s", what);
    if (!err && p == to)
        err = begin_members(p, world);
    if (err) {
        free(member->slot);
        h3ou__plan_free(p == to ? NULL : p);
        *all = to;
        return err;
    }
    to->member[to->nmember++] = *member;
    if (p != to) {
        p->partner = NULL;
        p->start = NULL;
        h3ou__plan_free(p);
    }
    *all = to;
    return H3OU__OK;
}

/* Adds the partners of a member to which a sender sends values behind those of the members before. */
static int add_receiving_member(h3ou__plan **all, h3ou__plan *p)
{
    h3ou__plan *to = *all ? *all : p;
    int before = *all ? to->npartner : 0, place = to->nmember, npartner = before + p->npartner;
    int64_t slots = *all ? to->start[before] : 0, more = p->start[p->npartner];
    bool has_room = h3ou__resize(&to->place, sizeof *to->place, npartner + 1);
    if (has_room && p != to)
        has_room = h3ou__resize(&to->partner, sizeof *to->partner, npartner + 1) &&
                   h3ou__resize(&to->start, sizeof *to->start, npartner + 1) &&
                   h3ou__resize(&to->slot, sizeof *to->slot, slots + more + 1);
    for (int k = 0; k < p->npartner && has_room; k++)
        to->place[before + k] = place;
    if (has_room && p != to) {
        memcpy(to->partner + before, p->partner, sizeof *p->partner * (size_t)p->npartner);
        for (int k = 0; k <= p->npartner; k++)
            to->start[before + k] = slots + p->start[k];
        if (more > 0)
            memcpy(to->slot + slots, p->slot, sizeof *p->slot * (size_t)more);
    }
    to->npartner = npartner;
    to->nmember++;
    if (p != to)
        h3ou__plan_free(p);
    *all = to;
    return has_room ? H3OU__OK : h3ou__no_memory("%s", what);
}

int h3ou__member_plans_add(h3ou__plan **all, h3ou__plan *p, int component, int64_t *slot, h3ou__world *world)
{
    if (p->sender)
        return add_receiving_member(all, p);
    h3ou__member_plan member = {.component = component,
                                .npartner = p->npartner,
                                .partner = p->partner,
                                .start = p->start,
                                .slot = slot ? slot : own_slots(p)};
    return member.slot ? add_sending_member(all, p, &member, world) : h3ou__no_memory("%s", what);
}
