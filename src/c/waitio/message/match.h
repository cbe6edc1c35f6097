/* SPDX-License-Identifier: BSD-3-Clause */
/* Which message goes to which receive: source, tag and group, each named or any, in the order of sending and posting.
 */
#ifndef WAITIO_MESSAGE_MATCH_H
#define WAITIO_MESSAGE_MATCH_H

#include "waitio/message/peer.h"
#include "waitio/message/request.h"

struct waitio__arrival { /* a message that came before its receive */
    waitio__peer *peer;
    waitio__arrival *prev, *next;    /* in the list of its peer */
    waitio__arrival *before, *after; /* in the list of all peers */
    int32_t group;
    int64_t tag;
    uint64_t length;
    size_t bytes;                /* memory that it occupies */
    bool is_announced, is_whole; /* is_announced: an RTS came, and the data is still at the sender. Else data is
                                    complete when is_whole */
    bool is_lost;                /* there was no memory for its data: its receive fails */
    uint64_t partner;            /* of an announced message: the id of the send */
    waitio__request *send;       /* of an announced message that this process sent to itself */
    waitio__request *claimed;    /* the receive that was posted while data was arriving */
    unsigned char data[];
};

/* Begins a receive: it takes a message that has arrived, or is posted. r->peer NULL: from any source. */
void waitio__match_receive(waitio__request *r);
/* Takes the first posted receive that matches from its list, and binds it to p. Returns it, or NULL. */
waitio__request *waitio__match_posted(waitio__peer *p, int32_t group, int64_t tag);
void waitio__match_unpost(waitio__request *r);
/* Returns the first message that a receive like r would take, or NULL. */
waitio__arrival *waitio__match_find(const waitio__request *r);
/* For a receive or probe from any source: returns the peer whose absence means that no message may come: a member of
 * the group that failed, or the last of the others that left. NULL: there is none. Processes of jobs that were lost
 * count as those that left: the receive was posted after the loss. */
waitio__peer *waitio__match_missing(const waitio__request *any_source);
/* Keeps an unexpected message, with room for `room` bytes of data. NULL: no memory. */
waitio__arrival *waitio__match_keep(waitio__peer *p, int32_t group, int64_t tag, uint64_t length, uint64_t room);
/* Keeps an unexpected message without its data, for which there is no memory: its receive will fail with H3OU__ENOMEM
 * when it is due. Returns NULL if there is no memory for that, either. */
waitio__arrival *waitio__match_lose(waitio__peer *p, int32_t group, int64_t tag, uint64_t length);
/* Called when all bytes of an unexpected message have arrived. */
void waitio__match_whole(waitio__arrival *a);
/* Delivers a send of this process to itself. */
void waitio__match_self(waitio__request *send);
/* Tells the sender of a long message that this process, which leaves, does not take it. */
void waitio__match_refuse(waitio__peer *p, uint64_t partner);
/* Tells the sender of a long message that r takes it. */
void waitio__match_take(waitio__request *r, uint64_t partner, uint64_t length);
/* This process leaves: tells its peers which announced messages it does not take, and drops the unexpected ones. */
void waitio__match_decline(waitio__instance *in);
/* Drops the unexpected messages of p; those that are whole can still be received and stay, unless `all`. */
void waitio__match_free(waitio__peer *p, bool all);

#endif
