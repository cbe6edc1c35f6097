/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peers: the processes that this one exchanges messages with. Frames and messages to a peer leave in order, as
 * connection and credit allow.
 */
#ifndef WAITIO_MESSAGE_PEER_H
#define WAITIO_MESSAGE_PEER_H

#include "waitio/message/instance.h"
#include "waitio/message/lane.h"
#include "waitio/message/request.h"

enum {
    WAITIO__LANES = WAITIO__STREAMS_MOST + 1, /* the last carries long messages by file */
    WAITIO__COST = 128                        /* bytes of credit that an unexpected message costs beside its length */
};

struct waitio__peer {
    waitio__instance *in;
    int global;
    int failed; /* 0, or the error code of all its requests; `why` is the sentence */
    waitio__lane *lane[WAITIO__LANES];
    waitio__request *active;                     /* all requests that are not complete */
    waitio__request *posted, *posted_last;       /* receives, in order */
    waitio__request *pending, *pending_last;     /* sends that wait for the connection or for credit, in order */
    waitio__request *moving, *moving_last;       /* sends of which data is to be given to a lane */
    waitio__arrival *arrival, *arrival_last;     /* unexpected messages, in order */
    uint64_t credit, spent; /* bytes since the beginning: what the peer granted, and what of it was used */
    uint64_t window, consumed, granted,
        charged;     /* bytes of unexpected messages that the peer may have here at once; since the
                        beginning: taken by the program, granted to the peer, used by it */
    bool is_exiting; /* its BYE said that it does not wait for that of this process */
    bool said_bye, heard_bye, heard_abort, is_told; /* is_told: an ABORT was sent to it, and its reply is awaited */
    bool is_owed_losses;                            /* is told which jobs were lost, once it is connected */
    bool is_starved;                                /* lost because this process had no memory */
    bool copies; /* the last short message was copied by this process, so the next one is the peer's */
    waitio__peer *next;                             /* all peers */
    uint64_t bye_end;                               /* position of the main lane behind the BYE of this process */
    char *last_word;                                /* the sentence of an ABORT that waits for the connection */
    double lost; /* time when it was lost for good; it fails after a grace period unless an ABORT says why */
    char *why;
    char name[WAITIO__GREET_NAME + 1];
};

int waitio__peer_get(waitio__instance *in, int global, waitio__peer **out);
/* Makes sure that there is a connection or an attempt at one. Returns H3OU__ENOMEM if neither can be. */
int waitio__peer_connect(waitio__peer *p);
/* Puts a message on the lane at once, if it is short enough to be copied and nothing has to leave before it. False: it
 * needs a request. */
bool waitio__peer_send_short(waitio__peer *p, waitio_group_t group, int64_t tag, const void *data, uint64_t length);
/* Starts a send now or, in the order of the calls, when connection and credit allow. */
void waitio__peer_send(waitio__peer *p, waitio__request *r);
/* Starts the sends that have waited for the connection or for credit, as far as both allow. */
void waitio__peer_start_pending(waitio__peer *p);
/* Puts a frame on the main lane, if it has ever been connected; it leaves at the end of the turn. */
int waitio__peer_send_frame(waitio__peer *p, const waitio__frame *f, const void *payload);
/* Begins to move the data of a long message, of which the receiver takes `take` bytes. */
void waitio__peer_move(waitio__peer *p, waitio__request *r, uint64_t take);
/* The same for the bytes behind r->moved. */
void waitio__peer_move_rest(waitio__peer *p, waitio__request *r);
/* Gives the lane the next piece of a long message. False: there is none for it. */
bool waitio__peer_lend_segment(waitio__peer *p, waitio__lane *lane);
/* Takes a send that waits for connection or credit off the list. */
void waitio__peer_withdraw(waitio__request *send);
/* Called when the program has received a message of that cost: grants the peer new credit when enough was consumed. */
void waitio__peer_consumed(waitio__peer *p, uint64_t cost);
/* Called when the main lane has a connection. */
void waitio__peer_ready(waitio__peer *p);
/* Called when the peer's process has ended or cannot be reached any more: the peer fails after a grace period, in which
 * an ABORT may still tell the reason. */
void waitio__peer_lose(waitio__peer *p, const char *how, const char *cause);
/* Called when this process has no memory for frames to or from the peer, as the recorded sentence says: all requests
 * with the peer fail a little later, with H3OU__ENOMEM. */
void waitio__peer_out_of_memory(waitio__peer *p);
/* Fails all requests of the peer, and closes its connections. */
void waitio__peer_fail(waitio__peer *p, int code, const char *text);
void waitio__peer_say_bye(waitio__peer *p);
/* Checks the timeouts of all peers; called about ten times a second. */
void waitio__peers_tick(waitio__instance *in, double now);
/* Returns whether p waits for something that no event of the poller reports, so that its timeouts must be checked soon.
 */
bool waitio__peer_has_near_timeout(const waitio__peer *p);
void waitio__peers_free(waitio__instance *in);
static inline waitio__lane *waitio__peer_main(const waitio__peer *p)
{
    return p->lane[0];
}
static inline bool waitio__peer_stands(const waitio__peer *p)
{
    return p->lane[0] && p->lane[0]->state == WAITIO__READY;
}

#endif
