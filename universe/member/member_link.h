/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of schedules between members of a communicator: by the job's MPI inside the job, by WaitIO between jobs and where processes outnumber cores. */
#ifndef H3OU_UNIVERSE_MEMBER_MEMBER_LINK_H
#define H3OU_UNIVERSE_MEMBER_MEMBER_LINK_H

#include "coll/execute.h"
#include "universe/world/spanning.h"

typedef struct universe_link {
    universe_comm *comm;
    const int *rank; /* of each member of the schedule; NULL: the same numbers */
} universe_link;

/* Of a segment of a call, by its number and where the segment is among those under way. */
static inline int64_t universe_link_tag(int64_t number, int64_t segment)
{
    return number << 3 | segment;
}

#pragma GCC visibility push(hidden)
extern const h3ou__link_ops universe_link_ops; /* the tag is universe_link_tag() */
#pragma GCC visibility pop

#endif
