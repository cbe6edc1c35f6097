/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peers: the processes that this one has to do with; what goes to them, in order, as connection and credit allow.
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
    int failed; /* code of why */
    waitio__lane *lane[WAITIO__LANES];
    waitio__request *active;                     /* all that are not complete */
    waitio__request *posted, *posted_last;       /* receives, in order */
    waitio__request *pending, *pending_last;     /* sends that wait for the connection or for credit, in order */
    waitio__request *moving, *moving_last;       /* sends of which data is to be given to a lane */
    waitio__arrival *arrival, *arrival_last;     /* messages that nobody has asked for, in order */
    uint64_t credit, spent;                      /* that it granted me in all; that I used in all */
    uint64_t window, consumed, granted, charged; /* what it may have here at once; in all: taken by my program, granted
                                                    to it, used by it */
    bool is_exiting;                             /* its goodbye said that it does not wait for mine */
    bool said_bye, heard_bye, heard_abort, is_told; /* is_told: an ABORT of mine is to be answered */
    bool is_starved;                                /* lost since this process had no memory */
    bool copies;                                    /* it was my turn to copy a message from my memory to its */
    waitio__peer *next;                             /* all peers */
    uint64_t bye_end;                               /* position of the main lane behind my BYE */
    char *last_word;                                /* an ABORT that waits for the connection */
    double lost; /* when it was lost for good; it fails a little later unless somebody says why */
    char *why;
    char name[WAITIO__GREET_NAME + 1];
};

int waitio__peer_get(waitio__instance *in, int global, waitio__peer **out);
/* Makes sure that a connection is there or on its way. H3OU__ENOMEM: it is not. */
int waitio__peer_connect(waitio__peer *p);
/* A message that is short enough to be copied, when nothing is in its way: put on the lane, and done with. False: it
 * needs a request. */
bool waitio__peer_send_short(waitio__peer *p, waitio_group_t group, int64_t tag, const void *data, uint64_t length);
/* A send, in the order of the calls: now, or when connection and credit allow. */
void waitio__peer_send(waitio__peer *p, waitio__request *r);
/* What waits for connection or credit leaves as far as it can. */
void waitio__peer_start_pending(waitio__peer *p);
/* A frame on the main lane, if it stands; leaves at the end of the turn. */
int waitio__peer_send_frame(waitio__peer *p, const waitio__frame *f, const void *payload);
/* The receiver takes `take` bytes of r. */
void waitio__peer_move(waitio__peer *p, waitio__request *r, uint64_t take);
/* The same for what is behind r->moved. */
void waitio__peer_move_rest(waitio__peer *p, waitio__request *r);
/* Gives the lane the next piece of a long message. False: there is none for it. */
bool waitio__peer_lend_segment(waitio__peer *p, waitio__lane *lane);
void waitio__peer_withdraw(waitio__request *send); /* pending: leaves the list */
/* My program has taken a message that cost so much. */
void waitio__peer_consumed(waitio__peer *p, uint64_t cost);
/* The main lane stands. */
void waitio__peer_ready(waitio__peer *p);
/* It is gone for good: when nobody says why in time, the peer has failed. */
void waitio__peer_lose(waitio__peer *p, const char *how, const char *cause);
/* This process has no memory for what the two have to tell each other, as the recorded sentence says: all requests with
 * the peer fail a little later, with H3OU__ENOMEM. */
void waitio__peer_out_of_memory(waitio__peer *p);
/* All its requests fail; the connections close. */
void waitio__peer_fail(waitio__peer *p, int code, const char *text);
void waitio__peer_say_bye(waitio__peer *p);
/* What time brings. */
void waitio__peers_tick(waitio__instance *in, double now);
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
