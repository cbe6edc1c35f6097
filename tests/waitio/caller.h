/* SPDX-License-Identifier: BSD-3-Clause */
/* A peer that is played by the test: it connects to an instance of this process and speaks the greeting byte by byte;
 * then the test writes and reads frames. */
#ifndef TESTS_WAITIO_CALLER_H
#define TESTS_WAITIO_CALLER_H

#include "waitio/message/instance.h"

typedef struct caller {
    waitio__instance *in;
    int fd, rank, lane;
    unsigned char nonce[2][WAITIO__KEY];
    unsigned char hello[WAITIO__GREET], proof[WAITIO__GREET];
    waitio__greet answer;
    /* Of its stream to the instance, for a connection that goes on where an earlier one ended. */
    uint32_t epoch;
    uint64_t received, seq, heard; /* seq, heard: numbers of the next frames */
} caller;

void turn(waitio__instance *in); /* a few turns of progress */
/* Connects to the instance, as the process of that number. The link is one of `conduit`, which is a stream socket's. */
void call_by(caller *c, waitio__instance *in, int rank, const waitio__conduit *conduit);
void call(caller *c, waitio__instance *in, int rank);
void hang_up(caller *c);
/* The answer to these bytes; false: the other end closed. */
bool say(caller *c, const unsigned char bytes[WAITIO__GREET], unsigned char answer[WAITIO__GREET]);
bool is_genuine(const caller *c, const unsigned char bytes[WAITIO__GREET]);
/* HELLO, and the PROOF is ready to be said. */
bool introduce(caller *c, uint64_t credit);
bool prove(caller *c); /* says it: true if the instance takes the connection */
bool greet(caller *c, waitio__instance *in, int rank);
/* A frame to the instance, with its payload, if it has one. */
void put_frame(caller *c, waitio__frame f, const void *payload);
/* The next frame of the instance, as far as it comes; its payload goes to `payload`, of `room` bytes. */
bool get_frame(caller *c, waitio__frame *f, void *payload, size_t room);

#endif
