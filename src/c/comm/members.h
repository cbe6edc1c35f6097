/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ensembles: the members of a component, and which members of two components are coupled with each other.
 *
 * Members are numbered from 0: by the job that started them (WAITIO_PBID), inside a job by rank. When some component of a
 * run has several, each component is called by its name and four digits: A0000, A0001, B0000.
 *
 * Members of two components that have the same number are coupled with each other. Where one component has fewer, member
 * m of the other belongs to the group of member m % fewer. The first of a group leads it: it is the one that is coupled.
 */
#ifndef H3OU_COMM_MEMBERS_H
#define H3OU_COMM_MEMBERS_H

#include "comm/world.h"

enum { H3OU__MEMBER_DIGITS = 4 }; /* of H3OU__MEMBERS_MOST */

/* Replaces the components as the jobs started them (w->component, one for each job and name) by their members. Every
 * process gets the same, without a message. H3OU__EJOIN when the numbers of members do not fit each other or the
 * processes. */
int h3ou__members_split(h3ou__world *w);

/* Returns the member of a component of `others` members that member m of one of `mine` is coupled with, or follows. */
static inline int h3ou__members_partner(int m, int mine, int others)
{
    return mine > others ? m % others : m;
}

/* Returns how many members of a component of `mine` members are coupled, as one group, with one member of a component of
 * `others`: m is a member of either, of the group or coupled with it. */
static inline int h3ou__members_in_group(int m, int mine, int others)
{
    return mine > others ? (mine - m % others + others - 1) / others : 1;
}

#endif
