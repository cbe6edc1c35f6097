/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a run that do not mean well, or are none of it: the roles of processes of their own. */
#ifndef TESTS_FUZZ_ROGUE_H
#define TESTS_FUZZ_ROGUE_H

#include "talker.h"

typedef struct rogue_order { /* to the processes that are started next */
    uint64_t messages, seed;
    int port; /* the master's */
    board *board;
} rogue_order;

typedef struct rogue_report {
    uint64_t said, stood; /* messages; connections that were taken, or answers */
} rogue_report;

extern rogue_order rogue_order_now;
/* In shared memory; summed up over all processes. */
rogue_report *rogue_reports(void);

int rogue_stranger(seat *me);
/* Joined, and then speaks to all others as it likes; as a King also to the master, on its own link and on new ones. */
int rogue_rank(seat *me);
/* Joined, says nothing, and leaves in order. */
int rogue_idler(seat *me);
/* Knows the secret, and speaks to the master's gate while the others join. */
int rogue_joiner(seat *me);

#endif
