/* SPDX-License-Identifier: BSD-3-Clause */
/* A group is made without communication; its id is part of matching, so both sides of a message use the same. */
#ifndef WAITIO_MESSAGE_GROUP_H
#define WAITIO_MESSAGE_GROUP_H

#include <stdint.h>

#include "waitio.h"

typedef struct waitio__group_part { /* the members of one PB */
    int pb;
    int first; /* rank in the group of the first of them */
    int n;
    int *rank; /* ascending ranks in the PB; NULL: all of it */
} waitio__group_part;

struct waitio_group {
    int refs; /* of the program, of requests that name a rank in it, and of probes; under the instance's lock */
    int32_t id;
    int size, my_rank; /* my_rank -1: not a member */
    int npart;
    waitio__group_part *part; /* in the group's order */
    /* The member that was asked for last, as a peer of an instance: most programs talk to few. */
    struct waitio__peer *recent;
    int recent_rank;
    const struct waitio__instance *recent_in;
    uint64_t recent_id; /* of the instance */
};

/* The PB and the rank in it of a member; rank must be within the group. */
void waitio__group_member(waitio_group_t g, int rank, int *pb, int *rank_in_pb);
/* The rank in the group of a rank of a PB; -1: not a member. */
int waitio__group_rank_of(waitio_group_t g, int pb, int rank_in_pb);
/* With the instance's lock. */
void waitio__group_hold(waitio_group_t g);
void waitio__group_drop(waitio_group_t g);

#endif
