/* SPDX-License-Identifier: BSD-3-Clause */
/* Which message goes to which receive: source, tag and group, each named or any, in the order of sending and posting.
 */
#ifndef WAITIO_MESSAGE_MATCH_H
#define WAITIO_MESSAGE_MATCH_H

#include "waitio/message/peer.h"
#include "waitio/message/request.h"

struct waitio__arrival { /* a message that came before its receive */
    waitio__peer *peer;
    waitio__arrival *prev, *next;    /* of its peer */
    waitio__arrival *before, *after; /* of all */
    int32_t group;
    int64_t tag;
    uint64_t length;
    size_t bytes;                /* that it holds */
    bool is_announced, is_whole; /* RTS: the data is still there. Else data is here, when whole */
    bool is_lost;                /* there was no memory for its data: its receive fails */
    uint64_t partner;            /* of an announced one: the send's id */
    waitio__request *send;       /* of an announced one from myself */
    waitio__request *claimed;    /* the receive that came while data was arriving */
    unsigned char data[];
};

/* The receive is new: takes what has arrived, or is posted. peer NULL: from any source. */
void waitio__match_receive(waitio__request *r);
/* The first posted receive for these, taken from its list, and of p from now on; NULL: none. */
waitio__request *waitio__match_posted(waitio__peer *p, int32_t group, int64_t tag);
void waitio__match_unpost(waitio__request *r);
/* The first message that a receive like r would take; NULL: none. */
waitio__arrival *waitio__match_find(const waitio__request *r);
/* Of a receive from any source, or what is like one: who is gone, so that its message may never come: a member of its
 * group that failed, or the last of the others that left. NULL: nobody. */
waitio__peer *waitio__match_missing(const waitio__request *any_source);
/* Room is made for `room` bytes of data. NULL: no memory. */
waitio__arrival *waitio__match_keep(waitio__peer *p, int32_t group, int64_t tag, uint64_t length, uint64_t room);
/* There is no memory for its data, which is dropped: its receive will fail with H3OU__ENOMEM, in its turn. NULL: no
 * memory for that, either. */
waitio__arrival *waitio__match_lose(waitio__peer *p, int32_t group, int64_t tag, uint64_t length);
/* All bytes of an arrival are here. */
void waitio__match_whole(waitio__arrival *a);
/* A send to myself. */
void waitio__match_self(waitio__request *send);
/* Answers the sender of a long message that this process, which leaves, does not take it. */
void waitio__match_refuse(waitio__peer *p, uint64_t partner);
/* Answers the sender of a long message that r takes it. */
void waitio__match_take(waitio__request *r, uint64_t partner, uint64_t length);
/* This process leaves: its peers are told which announced messages it does not take, and messages that nobody has asked
 * for are dropped. */
void waitio__match_decline(waitio__instance *in);
/* What is whole stays for who still asks for it, unless `all`. */
void waitio__match_free(waitio__peer *p, bool all);

#endif
