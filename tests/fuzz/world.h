/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of a run as instances of one process, connected by pairs of sockets: number 0 is the one that is spoken to,
 * number 1 its friend, with whom it exchanges messages all the time, and the others are a company of speakers. What
 * holds for messages between 0 and 1 is checked with every message.
 */
#ifndef TESTS_FUZZ_WORLD_H
#define TESTS_FUZZ_WORLD_H

#include "speaker.h"
#include "waitio/message/instance.h"

enum { WORLD_RANKS = 64, WORLD_CREDIT = 40000 };

typedef struct stream { /* messages from one to the other, one after the other */
    waitio__instance *from, *to;
    waitio_group_t group[2];
    int source, target;
    uint64_t number;
    char *out, *in; /* each of the message's size, so that one byte too many is seen */
    size_t size;
    waitio_req_t send, receive;
    bool is_under_way;
} stream;

typedef struct world {
    waitio__instance *in[2];
    company all;
    stream stream[2];
    uint64_t arrived; /* messages between 0 and 1 */
} world;

/* An instance that has joined: number `me` of npb jobs with size[] processes each. */
waitio__instance *world_instance(int npb, const int size[], int me, const waitio__key *lane_key);
world *world_begin(void);
/* All get on as far as they can without waiting. */
void world_turn(world *w);
/* A connection between two ends of this process. */
void world_pair(waitio__link link[2]);
/* Ends the exchange in order, unless the instance was made to fail, and frees all. */
void world_end(world *w);

#endif
