/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that moves, moves in here: each call of the library makes a turn. */
#ifndef WAITIO_MESSAGE_PROGRESS_H
#define WAITIO_MESSAGE_PROGRESS_H

#include "waitio/message/instance.h"

/* Handles what is ready, sleeping at most `seconds` when nothing is. Answers the number of events. */
int waitio__progress(waitio__instance *in, double seconds);
/* Until done says so, or `seconds` have passed (H3OU__ETIMEOUT, no sentence). How it waits: WAITIO_PROGRESS. focus, if
 * not NULL, is looked at most often. */
int waitio__progress_until(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                           double seconds, waitio__peer *focus);

#endif
