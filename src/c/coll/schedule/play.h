/* SPDX-License-Identifier: BSD-3-Clause */
/* Plays the schedules of all members of a collective call against each other, and so checks that they fit together. */
#ifndef H3OU_COLL_SCHEDULE_PLAY_H
#define H3OU_COLL_SCHEDULE_PLAY_H

#include "coll/schedule/schedule.h"

/* What to do at each step, for a caller that moves data; may be NULL. */
typedef struct h3ou__play_ops {
    void (*local)(void *user, int rank, const h3ou__step *step);
    /* A message meets its receive. */
    void (*message)(void *user, int from, const h3ou__step *send, int to, const h3ou__step *recv);
} h3ou__play_ops;

#pragma GCC visibility push(default)
/* Performs the rounds of n members, as an executor does in which no send completes before its receive is started.
 * Returns H3OU__OK when all come to their end, H3OU__EARG with a sentence when a message and its receive differ in
 * length, a member receives what nobody sends or sends what nobody receives, or members wait for each other. The time
 * it takes grows with the square of the number of messages in a round. */
int h3ou__schedule_play(const h3ou__schedule s[], int n, const h3ou__play_ops *ops, void *user);
#pragma GCC visibility pop

#endif
