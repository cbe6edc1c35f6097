/* SPDX-License-Identifier: BSD-3-Clause */
/* Which message goes to which receive: same source, tag and group, in the order of sending and of posting. */
#ifndef WAITIO_MATCH_H
#define WAITIO_MATCH_H

#include "waitio/connection.h"
#include "waitio/request.h"

struct waitio__arrival { /* a message that came before its receive */
    waitio__arrival *next;
    int32_t group;
    int64_t tag;
    uint64_t length;
    bool is_announced, is_whole; /* RTS: the data is still there. Else data is here, when whole */
    uint64_t partner;            /* of an announced one: the send's id */
    waitio__request *send;       /* of an announced one from myself */
    waitio__request *claimed;    /* the receive that came while data was arriving */
    unsigned char data[];
};

/* The receive is new: takes what has arrived, or is posted. */
void waitio__match_receive(waitio__request *r);
/* The first posted receive for these, taken from the list; NULL: none. */
waitio__request *waitio__match_posted(waitio__peer *p, int32_t group, int64_t tag);
void waitio__match_unpost(waitio__request *r);
/* Room is made for `room` bytes of data. NULL: no memory. */
waitio__arrival *waitio__match_keep(waitio__peer *p, int32_t group, int64_t tag, uint64_t length, uint64_t room);
/* All bytes of an arrival are here. */
void waitio__match_whole(waitio__peer *p, waitio__arrival *a);
/* A send to myself. */
void waitio__match_self(waitio__request *send);
/* Answers the sender of a long message that r takes it. */
void waitio__match_take(waitio__request *r, uint64_t partner, uint64_t length);
void waitio__match_free(waitio__peer *p);

#endif
