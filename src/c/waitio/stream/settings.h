/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of an instance, read from the environment and checked. */
#ifndef WAITIO_STREAM_SETTINGS_H
#define WAITIO_STREAM_SETTINGS_H

#include <stdint.h>

#include "waitio/conduit/conduit.h"
#include "waitio/stream/frame.h"

enum { WAITIO__MASTERS = 8, WAITIO__ROUTES = 4, WAITIO__STREAMS_MOST = 8 };
enum waitio__progress_mode { WAITIO__ADAPTIVE, WAITIO__SPIN, WAITIO__BLOCK, WAITIO__THREAD };

typedef struct waitio__settings {
    uint64_t eager;  /* WAITIO_EAGER_LIMIT: longest message that is sent at once, without asking; bytes */
    uint64_t credit; /* WAITIO_CREDIT: bytes of unexpected messages that one peer may have here */
    uint64_t
        single_copy; /* WAITIO_SINGLE_COPY: from this length on one process copies the other's memory, where it may */
    uint64_t hybrid; /* longer messages go by file; UINT64_MAX: none */
    enum waitio__progress_mode waiting; /* WAITIO_PROGRESS */
    bool encrypts, checks;              /* WAITIO_ENCRYPT, WAITIO_CHECKSUM */
    int streams;                  /* WAITIO_STREAMS: connections to a peer that long messages share */
    int connections_most;         /* WAITIO_MAX_CONNECTIONS */
    uint64_t unexpected;          /* WAITIO_UNEXPECTED_LIMIT: of all peers */
    double patience;              /* WAITIO_PATIENCE */
    char host[256];               /* WAITIO_MASTER_HOST */
    int port;                     /* WAITIO_MASTER_PORT */
    int pbid, npb;
    char run[WAITIO__RUN_MOST + 1]; /* COUPLER_JOB_ID: tells runs apart; or nothing */
    int nmaster;                    /* addresses of host:port; 0 when NPB is 1 and no master is named */
    h3ou__address master[WAITIO__MASTERS];
    const waitio__conduit *route[WAITIO__ROUTES + 1]; /* tried in this order; ended by NULL */
    waitio__conduit_settings conduit;
} waitio__settings;

/* H3OU__EENV or H3OU__EHOST with the name of the variable and the remedy. */
int waitio__settings_read(waitio__settings *s);
/* Fills in the values that hold when no variable is set. */
void waitio__settings_default(waitio__settings *s);
/* Where this process listens: WAITIO_ADDRESS, else that of WAITIO_DEVICE, else the one that faces the master; any port.
 */
int waitio__settings_address(const waitio__settings *s, waitio__address *out);

#endif
