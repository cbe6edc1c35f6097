/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the processes of a job without MPI find their King (rank 0) and prove to each other, before anything else is
 * said, that they share the secret: by the greeting of greeting.h. On one host they meet at a name in Linux's abstract
 * name space that is made of the secret, and only processes of the same user are accepted there; across hosts at
 * WAITIO_KING_HOST:WAITIO_KING_PORT, and all that follows the greeting is encrypted there (encrypted_link.h).
 */
#ifndef WAITIO_JOINING_MEETING_H
#define WAITIO_JOINING_MEETING_H

#include "base/error.h"
#include "waitio/identity/greeting.h"
#include "waitio/stream/settings.h"

typedef struct waitio__meeting {
    int rank, size;
    double timeout;      /* s */
    waitio__link *link;  /* King: [size], to each rank; others: [1], to the King. No conduit: it has not come */
    int here;            /* King: how many processes have come, itself included */
    waitio__key key;     /* of this job */
    waitio__address *at; /* [nat] where the King listens; NULL: at a name on this host */
    int nat;
    const char *host;
    int port;
    waitio__memory memory;
    waitio__hub hub;
    waitio__greetings greetings;
    waitio__listener door[WAITIO__MASTERS]; /* of the King */
    waitio__greeting *greeting;             /* of the others: with the King, under way */
    int attempt;
    double since, next_attempt;
    int failed; /* 0, or the code with which the job cannot meet, and why */
    char why[H3OU__ERROR_TEXT];
    char cause[256]; /* of the others: why the last attempt failed, or what replied instead of the King */
    bool has_answer; /* the latter */
} waitio__meeting;

/* With rank, size, timeout and link set, the rest zero: until all processes (King) or the King (others) are here. */
int waitio__meeting_hold(waitio__meeting *m);
/* Closes all links; what was set before hold stays the caller's. */
void waitio__meeting_close(waitio__meeting *m);

#endif
