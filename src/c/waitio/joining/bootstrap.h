/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the Kings and the master learn where every process listens. A King first connects to the master and says JOIN,
 * then gathers its PB's addresses and sends them; the master, when it has all, sends everyone the whole table. A
 * failure of any becomes the instance's failure (waitio__instance_fail) and is sent to all who are connected.
 */
#ifndef WAITIO_JOINING_BOOTSTRAP_H
#define WAITIO_JOINING_BOOTSTRAP_H

#include "waitio/message/instance.h"

typedef struct waitio__bootstrap {
    waitio__instance *in;
    double timeout;                 /* s, of each stage */
    double begin, whisper, reached; /* when it began, logged its waiting last, and reached the master */
    bool is_master;
    bool is_second;             /* PBID is 0, but another process has the master's port */
    waitio__greeting *greeting; /* the greeting with the master that is under way */
    waitio__king_link *link;    /* at a King: to the master; is_dead or NULL while it must be made */
    bool is_sent;               /* the addresses of this PB were sent on that link */
    int attempt;
    double next_attempt;
    char cause[256]; /* why the last attempt failed */
    bool is_refused; /* it failed because no process listens there */
    bool is_foreign; /* it failed because the process that replies is not a master */
    bool has_other_secret;
    unsigned char *records; /* of this PB: its salt, then [nprocs * WAITIO__ADDRESS]; borrowed */
    int nprocs;
    unsigned char *table; /* out: bytes of the TABLE; the caller frees it */
    uint64_t ntable;      /* in the form of endpoints.h */
} waitio__bootstrap;

/* Called by a King before it gathers the addresses of its PB: the master begins to listen, the others connect to it. */
int waitio__bootstrap_begin(waitio__bootstrap *b);
/* Called with records and nprocs set: sends them to the master, and waits until the table has arrived. */
int waitio__bootstrap_finish(waitio__bootstrap *b);
/* Tells the other Kings that the instance has failed at this one. */
void waitio__bootstrap_fail(waitio__bootstrap *b);

#endif
