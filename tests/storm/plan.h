/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is sent in a storm. Every process makes the same plan from the same seed: a round has a group of its own, whose
 * members send each other a number of messages. Each member of a round has one way of receiving in it, chosen so that
 * every receive can be matched whatever the order of arrival, and the program can never wait in a circle.
 */
#ifndef TESTS_STORM_PLAN_H
#define TESTS_STORM_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "waitio.h"

enum { PLAN_PROCESSES = 16, PLAN_MESSAGES = 160, PLAN_PBS = 8, PLAN_LONGEST = 3 << 20 };

/* How a member receives in a round. */
enum way {
    WAY_BY_TAG,  /* of even tags from any source, of odd tags from the source by name */
    WAY_ANY_TAG, /* by source, any tag */
    WAY_ANY,     /* any source, any tag */
    WAY_PROBE,   /* looks what is there, then receives that */
    WAYS
};

typedef struct message {
    int from, to; /* over all processes */
    waitio_tag_t tag;
    size_t length;
    bool is_cut; /* its receive has room for a half of it; its tag is of this message alone */
} message;

typedef struct plan {
    uint64_t seed;
    int npb, size[PLAN_PBS], first[PLAN_PBS], nprocess;
    /* Of the round: */
    int gid, members, pb_order[PLAN_PBS];
    int rank[PLAN_PROCESSES];   /* of each process in the group; -1: no member */
    int member[PLAN_PROCESSES]; /* the process of each rank */
    enum way way[PLAN_PROCESSES];
    int n;
    message message[PLAN_MESSAGES];
} plan;

/* Random numbers of a state that its owner keeps. */
uint64_t plan_dice(uint64_t *state, uint64_t sides);
/* The round of a thread. `most`: longest message. */
void plan_round(plan *p, int round, int thread, size_t most);
/* The group of the round, for any process of pb. */
waitio_group_t plan_group(const plan *p);
/* The bytes of message i. `order`: how many this sender had sent in the round; known of messages of 16 bytes and more.
 */
void plan_fill(const plan *p, int i, uint32_t order, char *bytes);
/* Which message has come: fits source, tag and length, has its bytes, and is not in `had`. -1: none. */
int plan_find(const plan *p, int from, int to, waitio_tag_t tag, size_t length, const char *bytes, size_t here,
              const bool had[], uint32_t *order);

#endif
