/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of processes. A group is made without communication. Its id is part of matching, so that sender and receiver
 * must use groups with the same id. */
#ifndef WAITIO_MESSAGE_GROUP_H
#define WAITIO_MESSAGE_GROUP_H

#include <stdint.h>

#include "waitio.h"

typedef struct waitio__group_part { /* the members of one PB */
    int pb;
    int first; /* rank in the group of its first member */
    int n;
    int *rank; /* [n] ranks in the PB, ascending; NULL: all processes of the PB are members */
} waitio__group_part;

struct waitio_group {
    int refs; /* references: of the program, of requests that name a rank in it, and of probes; under the instance's
                 lock */
    int32_t id;
    int size, my_rank; /* my_rank -1: not a member */
    int npart;
    waitio__group_part *part; /* in the group's order */
    /* The member that was looked up last, as a peer of an instance: most programs exchange messages with few members.
     */
    struct waitio__peer *recent;
    int recent_rank;
    const struct waitio__instance *recent_in;
    uint64_t recent_id; /* of the instance */
    uint32_t nschedule; /* collective calls that this process has executed as schedules on it */
};

/* Sets *pb and *rank_in_pb to the place of the member with that rank, which must be within the group. */
void waitio__group_member(waitio_group_t g, int rank, int *pb, int *rank_in_pb);
/* Returns the rank in the group of a process of a PB, or -1 if it is not a member. */
int waitio__group_rank_of(waitio_group_t g, int pb, int rank_in_pb);
/* Add and drop a reference; the last one frees the group. Called with the instance's lock held. */
void waitio__group_hold(waitio_group_t g);
void waitio__group_drop(waitio_group_t g);

#endif
