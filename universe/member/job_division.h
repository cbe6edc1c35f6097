/* SPDX-License-Identifier: BSD-3-Clause */
/* Which members of a communicator are in which job. It is made at the first collective call and kept. */
#ifndef H3OU_UNIVERSE_MEMBER_JOB_DIVISION_H
#define H3OU_UNIVERSE_MEMBER_JOB_DIVISION_H

#include "universe/world/spanning.h"

typedef struct universe_division {
    int n;              /* jobs with members, in the order of their first members: "places" */
    int mine;           /* place of my job */
    bool is_contiguous; /* the ranks of each job follow one another, so that `order` is that of the ranks */
    bool is_mixed;      /* of jobs of different byte orders: all values travel with the most significant byte first */
    int *first;         /* [n + 1] where each job begins in `order` */
    int *order;         /* [size] ranks, job by job */
    int *place;         /* [size] of each rank's job */
} universe_division;

#pragma GCC visibility push(hidden)
/* Returns NULL when there is no memory. The communicator keeps it, in one piece of memory. */
const universe_division *universe_division_of(universe_comm *c);
#pragma GCC visibility pop

static inline int universe_division_count(const universe_division *d, int place)
{
    return d->first[place + 1] - d->first[place];
}

#endif
