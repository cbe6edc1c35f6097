/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The greeting (handshake): how two processes at the ends of a new link learn who the other is, and prove that they
 * share the secret, before they send or accept anything else:
 *
 *   end that opened                     end that accepted
 *   HELLO      who, whom, nonce ----->
 *                               <-----  CHALLENGE  nonce, MAC
 *   PROOF      MAC, name, state ----->
 *                               <-----  VERDICT    MAC, name, state, taken or why not
 *
 * Each MAC is keyed with a key of this instance (of joining: of the user) and covers its own message, so also the kind,
 * and both nonces: nothing can be replayed or reflected. All messages have 168 bytes, little-endian.
 */
#ifndef WAITIO_IDENTITY_GREETING_H
#define WAITIO_IDENTITY_GREETING_H

#include "waitio/identity/secret.h"
#include "waitio/stream/event_hub.h"

enum { WAITIO__GREET = 168, WAITIO__GREET_NAME = 63 };
enum waitio__greet_kind { WAITIO__HELLO = 1, WAITIO__CHALLENGE, WAITIO__PROOF, WAITIO__VERDICT };
enum waitio__purpose { WAITIO__FOR_JOIN = 1, WAITIO__FOR_REJOIN, WAITIO__FOR_LANE, WAITIO__FOR_KING };
enum waitio__verdict {
    WAITIO__TAKEN,
    WAITIO__CROSSED,  /* the accepting end has, or is making, a connection of its own to the opener, which is kept */
    WAITIO__DEPARTED, /* the accepting process has left, or has given up the opener */
    WAITIO__UNFIT     /* the connection is not meant for this process */
};
enum { WAITIO__GREET_ENCRYPT = 1, WAITIO__GREET_CHECK = 2 }; /* flags: encrypt; checksums */

typedef struct waitio__greet {
    int kind, purpose, lane, verdict;
    unsigned flags;
    int32_t source, target; /* numbers over all processes; when joining: PBID and 0; for FOR_KING: the rank and 0 */
    uint32_t epoch;    /* of lanes and King links: number of the attempt, in the verdict that of the next one which the
                          other end would make; of FOR_KING: how many processes the job has */
    uint64_t received; /* bytes of the stream that have arrived at the sender of this message */
    uint64_t credit;   /* bytes of credit that it has granted since the beginning */
    unsigned char nonce[WAITIO__KEY], mac[WAITIO__KEY];
    char name[WAITIO__GREET_NAME + 1];
} waitio__greet;

void waitio__greet_put(const waitio__greet *g, unsigned char bytes[WAITIO__GREET]);
/* Returns H3OU__EPROTO, with the reason recorded, if the bytes are no message of a greeting. */
int waitio__greet_get(const unsigned char bytes[WAITIO__GREET], int kind, waitio__greet *g);

typedef struct waitio__greeting waitio__greeting;
typedef struct waitio__greetings waitio__greetings;

typedef struct waitio__greeting_ops {
    /* At the accepting end: returns the key for that HELLO; NULL, with a sentence: it is not meant for this process. */
    const waitio__key *(*key)(void *owner, const waitio__greet *hello);
    /* At the accepting end, called when the other has proven who it is: fills verdict, flags, received, credit and name
     * of the VERDICT. */
    void (*judge)(void *owner, const waitio__greet *proof, waitio__greet *verdict);
    /* At the opening end, called when the other has proven who it is: fills received and credit of the PROOF. */
    void (*speak)(void *owner, waitio__greet *proof);
    /* Called when the greeting has ended, with any verdict; `other` is the PROOF or the VERDICT. The link is the
     * owner's when the verdict is TAKEN. g is dead, and is freed after the hub's turn. */
    void (*greeted)(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link);
    /* Called when the greeting fails with H3OU__EREFUSED, H3OU__EPEER, H3OU__EPROTO or H3OU__ETIMEOUT; the sentence is
     * recorded. g as above. */
    void (*failed)(void *owner, waitio__greeting *g, int code);
} waitio__greeting_ops;

struct waitio__greeting {
    waitio__source source;
    waitio__hub *hub;
    waitio__link link;
    const waitio__greeting_ops *ops;
    void *owner;
    waitio__greetings *all;
    waitio__greeting *next;
    bool is_mine, is_connecting, is_dead;
    bool has_other_secret; /* the other's MAC was wrong: another run, or another secret */
    int step;              /* kind of the message that is expected next; 0 at the accepting end after the verdict */
    waitio__key key;
    waitio__greet hello, mine, other;
    unsigned char nonce[2][WAITIO__KEY]; /* of the end that opened, and of the end that accepted */
    unsigned char got[WAITIO__GREET], out[WAITIO__GREET];
    unsigned ngot, out_left;
    double since;
};

struct waitio__greetings { /* all greetings of an instance */
    waitio__hub *hub;
    waitio__greeting *alive, *dead;
    int n, nguests;     /* nguests: of them, those that other processes opened and that are not authenticated yet */
    int guests_most;    /* the largest nguests */
    uint64_t strangers; /* connections refused because the other did not prove that it belongs to the run */
};

/* Guests, the unauthenticated peers, get a small share of the descriptors that this process may have. While all their
 * places are taken, the hub's listeners leave new connections in the system's queue, and after a grace period the
 * oldest guest is closed, first of those that have sent nothing. hub is borrowed. */
void waitio__greetings_open(waitio__greetings *all, waitio__hub *hub);

/* Begins a greeting at the opening end. Takes link. hello: purpose, lane, flags, source, target, epoch and name are
 * set. Returns NULL, with the error recorded, without memory. */
waitio__greeting *waitio__greeting_open(waitio__greetings *all, waitio__link *link, const waitio__greet *hello,
                                        const waitio__key *key, const waitio__greeting_ops *ops, void *owner);
void waitio__greeting_accept(waitio__greetings *all, waitio__link *link, const waitio__greeting_ops *ops, void *owner);
/* Reads what has arrived and has not been read yet: afterwards the greeting may be over, and its handlers called. */
void waitio__greeting_poll(waitio__greeting *g);
/* True when this end has sent its PROOF: from now on the other end may take the connection at any time and send by it,
 * and what it sends is lost when this end closes. So the opening end waits for the verdict as long as the connection
 * stands. */
bool waitio__greeting_may_be_taken(const waitio__greeting *g);
/* Ends a greeting and closes its link; ops->failed is not called. */
void waitio__greeting_drop(waitio__greeting *g);
/* Closes greetings that have been silent for too long. */
void waitio__greetings_tick(waitio__greetings *all, double now);
void waitio__greetings_free_dead(waitio__greetings *all);
void waitio__greetings_free(waitio__greetings *all);
/* The two keys of an encrypted link, one for each direction, after the greeting: from the opening end, and from the
 * accepting end. */
void waitio__greeting_keys(const waitio__greeting *g, waitio__key key[2]);

#endif
