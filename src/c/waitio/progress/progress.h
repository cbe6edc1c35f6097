/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress: bytes move and requests complete here. Each call of the library that waits or looks makes a turn. */
#ifndef WAITIO_PROGRESS_PROGRESS_H
#define WAITIO_PROGRESS_PROGRESS_H

#include "waitio/message/instance.h"

/* Handles what is ready, and blocks for at most `seconds` while nothing is. Returns the number of events handled. */
int waitio__progress(waitio__instance *in, double seconds);
/* Whom and what a wait is for; NULL: not known. */
typedef struct waitio__awaited {
    waitio__peer *peer; /* is polled most often */
    const waitio__request *request;
} waitio__awaited;

/* Until done says so, or `seconds` have passed (H3OU__ETIMEOUT, no sentence). How it waits: WAITIO_PROGRESS. */
int waitio__progress_until(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                           double seconds, waitio__awaited awaited);

#endif
