/* SPDX-License-Identifier: BSD-3-Clause */
/* The instance that this process has joined: all that is shared by the calls. One a process, reached by
 * waitio__current. */
#ifndef WAITIO_INSTANCE_H
#define WAITIO_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "waitio.h"
#include "waitio/endpoints.h"
#include "waitio/frame.h"
#include "waitio/hub.h"
#include "waitio/map.h"
#include "waitio/settings.h"

typedef struct waitio__peer waitio__peer;
typedef struct waitio__conn waitio__conn;
typedef struct waitio__control waitio__control;
typedef struct waitio__request waitio__request;

typedef struct waitio__instance {
    waitio__settings set;
    uint64_t id; /* random, made by the master: what is not of this run does not know it */
    int me;      /* my number over all processes */
    int rank;    /* in my PB */
    waitio__endpoints table;
    waitio__hub hub;
    waitio__listener ear;      /* for messages */
    waitio__listener gate;     /* of the master: for Kings */
    waitio__control *control;  /* links between Kings and master */
    bool has_news;             /* of the master: another job has joined, and the Kings have not heard */
    waitio__map peers;         /* by number: those I had to do with */
    waitio__peer *peer;        /* the same as a list */
    waitio__conn *guest;       /* accepted, have not said who they are */
    waitio__conn *buried;      /* closed: freed when the hub's turn is over */
    waitio__request **request; /* by index */
    waitio__request *spare;
    int nrequest;
    double patience;
    char name[WAITIO__NAME_MOST + 1];
    bool is_joined, is_leaving;
    int failed; /* 0, or the code with which every further call fails */
    char failure[H3OU__ERROR_TEXT];
    double doom; /* a job died at this time: the instance fails a little later, unless somebody says why */
    char doom_text[H3OU__ERROR_TEXT];
    double next_tick;
    int block_waits; /* waits that sleep at once, since spinning was seen to hurt; next time this many */
    int block_next;
} waitio__instance;

extern waitio__instance *waitio__current; /* NULL before join and after finalize */

/* An instance with its settings read; free it with _free, which says no goodbye. */
int waitio__instance_new(waitio__instance **out);
void waitio__instance_free(waitio__instance *in);
/* The current instance, if it is in order. H3OU__ESTATE, or its failure. */
int waitio__instance_get(waitio__instance **out);
/* Ends it: all requests fail, and all calls from now on, with the sentence. The first failure stays. */
void waitio__instance_fail(waitio__instance *in, int code, const char *text);
/* "ocean rank 3 (PB 1 rank 3 at 127.0.0.1:4567)"; text holds H3OU__ERROR_TEXT / 4 bytes. */
/* What waits may last: waitio_set_patience, else WAITIO_PATIENCE. */
double waitio__patience(const waitio__instance *in);
enum { WAITIO__WHO = 256 };
char *waitio__who(const waitio__instance *in, int global, char text[WAITIO__WHO]);

#endif
