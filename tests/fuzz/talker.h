/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of a run that is fuzzed: two of PB 0, one of PB 1, two of PB 2. Those that mean well exchange messages
 * in rounds, each with each, and check every byte; a board in shared memory tells where they listen, what they know and
 * what they hold.
 */
#ifndef TESTS_FUZZ_TALKER_H
#define TESTS_FUZZ_TALKER_H

#include <sys/socket.h>

#include "run.h"
#include "waitio/identity/secret.h"

enum { TALKERS = 5, TALKER_DOORS = 8, TALKER_WRONG = 77, TALKER_GROUPS = 2 };

typedef struct door { /* on which a process listens */
    struct sockaddr_storage name;
    socklen_t length;
} door;

typedef struct notice {
    volatile int ndoors; /* set last */
    door door[TALKER_DOORS];
    waitio__key lane_key, join_key;
    volatile uint64_t arrived; /* messages of others that mean well */
    volatile uint64_t strangers;
    volatile uint64_t memory; /* most bytes that the transport held */
    volatile int descriptors; /* most at a time */
} notice;

typedef struct board {
    int honest;         /* processes 0 to honest - 1 mean well */
    double join_within; /* s */
    int king_port[3];   /* of a PB: where its processes meet their King; 0: at a name of this host */
    notice notice[TALKERS];
} board;

/* Made anew for each run, before its processes; shared with them. */
board *talker_board(int honest, double join_within);
/* The role of one that means well: until seat->go of number 0. */
int talker(seat *me);
/* Joins, and tells the board where this process listens. */
int talker_join(seat *me, int *number);

#endif
