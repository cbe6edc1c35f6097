/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that has the keys of a run and speaks its protocol, but not as it should. It is made of the transport's own
 * greeting, sealing and channel, so that what it says is well formed in whatever version of the protocol; what it says
 * is up to the dice. A company is all connections of one such process.
 */
#ifndef TESTS_FUZZ_SPEAKER_H
#define TESTS_FUZZ_SPEAKER_H

#include "waitio/stream/channel.h"
#include "waitio/identity/greeting.h"

enum { SPEAKER_KNOWN = 8 };

typedef struct company company;
typedef struct speaker speaker;

typedef struct known {      /* a long message, by what the two ends have said of it */
    uint64_t send, receive; /* the requests' ids; 0: not told yet */
    uint64_t length, moved;
} known;

struct speaker { /* one stream to one process */
    waitio__channel channel;
    company *all;
    speaker *next;
    waitio__greeting *greeting; /* under way, opened by this end */
    waitio__greet hello;        /* who it says it is, and to whom */
    bool is_control, dribbles;
    int steps;             /* of joining, that it has taken in order */
    bool talks;            /* greeted: frames may be said */
    bool was_refused;      /* the other end said no, or closed */
    uint64_t epoch, spent; /* spent: of the credit that the other end granted */
    uint64_t credit;
    known to[SPEAKER_KNOWN], from[SPEAKER_KNOWN]; /* messages to and from the other end */
    unsigned nto, nfrom;
    waitio__frame heard; /* the last frame */
};

struct company {
    waitio__hub hub;
    waitio__memory memory;
    waitio__conduit_settings set;
    waitio__greetings greetings;
    waitio__key lane_key, join_key;
    bool encrypts;
    int npb;               /* of the run */
    int honest;            /* processes 0 to honest - 1 of the run are others: nobody speaks in their name */
    bool bends_greetings;  /* fields of greetings are invented, too */
    uint64_t bends_one_in; /* frames */
    speaker *first;
    uint64_t said;  /* messages of all kinds that were sent */
    uint64_t stood; /* connections that were taken */
};

void company_open(company *all, const waitio__key *lane_key, const waitio__key *join_key);
/* Reads, writes and greets as far as that goes without waiting. */
void company_turn(company *all);
/* Hangs up on all, and forgets them. */
void company_clear(company *all);
void company_close(company *all);
/* Somebody connects to the company; takes link. owner: the company. */
void company_hear(void *owner, waitio__link *link);

/* A stream to a process, without a connection. */
speaker *speaker_new(company *all, const waitio__greet *hello);
/* Greets over link, which it takes; the stream goes on there, or begins. */
void speaker_call(speaker *s, waitio__link *link);
/* Hangs up; the stream can go on over another connection. */
void speaker_hang_up(speaker *s);
/* One message: a frame, with its payload, that fits or does not. */
void speaker_say(speaker *s);

#endif
