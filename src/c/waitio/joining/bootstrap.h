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
    double begin, whisper, reached; /* times */
    bool is_master;
    bool is_second;             /* PBID is 0, but another process has the master's port */
    waitio__greeting *greeting; /* with the master, under way */
    waitio__king_link *link;    /* to the master, of a King; dead or NULL while it must be made */
    bool is_sent;               /* my addresses, on that link */
    int attempt;
    double next_attempt;
    char cause[256]; /* why the last attempt failed */
    bool is_refused; /* because nobody listens there */
    bool is_foreign; /* because the process that replies is not a master */
    bool has_other_secret;
    unsigned char *records; /* of my PB: its salt, then [nprocs * WAITIO__ADDRESS]; borrowed */
    int nprocs;
    unsigned char *table; /* out: bytes of the TABLE; the caller frees it */
    uint64_t ntable;      /* in the form of endpoints.h */
} waitio__bootstrap;

/* Of a King; before it gathers. The master listens, the others connect. */
int waitio__bootstrap_begin(waitio__bootstrap *b);
/* With records and nprocs set: until the table is here. */
int waitio__bootstrap_finish(waitio__bootstrap *b);
/* The instance has failed at a King: the others are told. */
void waitio__bootstrap_fail(waitio__bootstrap *b);

#endif
