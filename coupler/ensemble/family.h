/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members of my component that are coupled, as one group, with one member of another component (comm/members.h),
 * and the tree over them on which values are summed and passed on. A member's place in the group is its number divided
 * by the number of groups. Place p has the children p + 1, p + 2, p + 4, ... below the lowest bit that is set in p;
 * place 0 leads. So the tree, and with it the order in which values are summed, depends on the number of members alone.
 */
#ifndef H3OU_COUPLER_ENSEMBLE_FAMILY_H
#define H3OU_COUPLER_ENSEMBLE_FAMILY_H

#include "coupler/ensemble/bridge.h"

enum { H3OU__MOST_CHILDREN = 14 }; /* of a tree over H3OU__MEMBERS_MOST */

typedef struct h3ou__family {
    const h3ou__grid *grid; /* of my member; borrowed */
    int ngroup;             /* members of the other component: groups of mine */
    int size, place;        /* members of my group, mine among them */
    h3ou__bridge *parent;   /* NULL at place 0 */
    int nchild;
    h3ou__bridge *child[H3OU__MOST_CHILDREN]; /* by ascending place */
} h3ou__family;

/* Returns how many children a place of a tree of `size` has; child k stands at place + 2^k. */
int h3ou__family_children(int place, int size);

/* Returns the members of the part of the tree below a place, which have the places that follow it, and itself. */
static inline int h3ou__family_below(int place, int size)
{
    int lowest = place & -place;
    return place == 0 || place + lowest > size ? size - place : lowest;
}

/* Makes the tree; task->other and task->is_parent are set here. Collective over my group. base: the other component. */
int h3ou__family_make(h3ou__bridge_task task, const char *base, h3ou__family **out);
void h3ou__family_free(h3ou__family *f); /* NULL allowed */

#endif
