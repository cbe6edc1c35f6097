/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of one thread of a process in a storm: what it has started, and what came of it. All answer 0, or, when
 * something is wrong, the line that says so, with a sentence in the seat. */
#ifndef TESTS_STORM_PLAYER_H
#define TESTS_STORM_PLAYER_H

#include "play.h"

enum { OPS = 2 * PLAN_MESSAGES + 8, GUARD = 32 };
enum op_kind { OP_SEND, OP_RECEIVE, OP_BAIT }; /* a bait is a receive that no message fits: it is cancelled */
enum op_state { OP_NEW, OP_ACTIVE, OP_DONE };

/* One isend or irecv, and what belongs to it. */
typedef struct op {
    enum op_kind kind;
    enum op_state state;
    int message; /* of a send; of a receive: whose source and tag it asks for */
    bool is_cancelled;
    int posted; /* when, among the operations of the round */
    char *buffer;
    size_t room;
    waitio_req_t req;
    int came; /* receive: the message */
    uint32_t order;
} op;

typedef struct player {
    seat *me;
    const storm *storm;
    plan plan;
    int number, thread; /* the process, over all */
    uint64_t dice;
    waitio_group_t group;
    op op[OPS];
    int n, posted;
    bool is_slow;  /* in this round: pauses between the calls */
    uint32_t sent; /* in this round */
    bool had[PLAN_MESSAGES];
    int code;
} player;

int player_wrong(player *y, int line, const char *what);
bool player_chance(player *y, uint64_t of); /* once in so many times */
/* Starts it, also again after it was cancelled. */
int player_post(player *y, op *o);
op *player_active(player *y); /* any that has not ended; NULL: none */
int player_cancel(player *y, op *o);
int player_wait(player *y, op *o);
int player_wait_any(player *y, double seconds); /* seconds < 0: until one has ended */
int player_wait_all(player *y, int most);       /* of so many */
/* Some call, or none, that never waits for long. */
int player_dabble(player *y);

#endif
