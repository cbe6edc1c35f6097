/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Receives from any source, which look at the job's MPI and at WaitIO.
 *
 * Such a receive is posted to WaitIO, and it is kept in a list of its communicator. Receives from processes of this job that are posted while the list
 * is not empty are kept behind it. As long as the list is not empty, every message that comes on `local` is taken out of the job's MPI in the
 * order of arrival (MPI_Improbe for any source and any tag), and given to the first receive of the list that it fits. One that fits none becomes a
 * stray: it is found, in that order, by the receives and probes that follow, before these look at the job's MPI.
 *
 * Why no message overtakes another. Inside the job: a receive that the MPI has was posted while the list was empty, so before all that are kept, and the
 * MPI gives it its messages before MPI_Improbe sees any. Of what MPI_Improbe sees, earlier messages are offered first, and earlier receives choose first;
 * strays fit none of the receives kept, since each looked at the strays when it was posted. When no receive from any source is left before them,
 * receives at the head of the list go to the MPI, whose later messages have not been taken out.
 * Between jobs: all receives that may match are posted to WaitIO at once, which keeps their order. A receive from any source is in both orders; that it
 * gets one message only is decided by waitio_cancel: before it takes a message of this job it is withdrawn, and if WaitIO has matched it, the message is
 * offered to the next one. Neither order changes for the others by that. The two routes have no order between them, since no pair of processes has both.
 */
#ifndef H3OU_UNIVERSE_MESSAGE_ARRIVAL_ORDER_H
#define H3OU_UNIVERSE_MESSAGE_ARRIVAL_ORDER_H

#include "universe/message/crossing.h"

typedef struct universe_stray {
    abi_Message message;
    abi_Status status; /* with ranks of `local` */
    struct universe_stray *next;
} universe_stray;

/* Of a communicator, made when it is first needed. */
typedef struct universe_order {
    universe_message *first, *last;
    universe_stray *stray, **stray_end;
    bool was_outside; /* the last receive from any source was offered to WaitIO first: the next is offered to the job's MPI first */
    universe_comm *comm;
    struct universe_order *next; /* of another communicator whose list is not empty */
    bool is_listed;
} universe_order;

#pragma GCC visibility push(hidden)
/* All with the lock. */

/* Posts a receive from any source, or from a process of this job. */
void universe_order_post(universe_message *m);
/* Offers all that has come on `local` to the receives that are kept. */
void universe_order_pull(universe_comm *c);
/* Takes a receive out of the list. */
void universe_order_remove(universe_message *m);
/* Returns the first stray that fits, NULL: none. It stays. source: in `local` */
universe_stray *universe_order_find(universe_comm *c, int source, int tag);
/* Takes a stray out and frees it; returns its message. */
abi_Message universe_order_pick(universe_comm *c, universe_stray *s);
/* Calls universe_order_pull() for all communicators that keep receives; returns whether there are any. */
bool universe_orders_pull(void);
#pragma GCC visibility pop

static inline bool universe_order_keeps(const universe_comm *c)
{
    return c->order && c->order->first;
}

/* Whether a receive from a process of this job need not look here. */
static inline bool universe_order_is_idle(const universe_comm *c)
{
    return c->passing.kept == 0;
}

#endif
