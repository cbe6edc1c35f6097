/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A message of a communicator over several jobs, as a request: it crosses to another job by WaitIO, lies inside the job as a request of the
 * job's MPI, or is a receive that is kept in arrival_order.h. Blocking calls have one on their stack.
 */
#ifndef H3OU_UNIVERSE_MESSAGE_CROSSING_H
#define H3OU_UNIVERSE_MESSAGE_CROSSING_H

#include "universe/world/asked.h"

enum universe_mode { UNIVERSE_RECEIVE, UNIVERSE_STANDARD, UNIVERSE_BUFFERED, UNIVERSE_SYNCHRONOUS };

typedef struct universe_message {
    universe_request base;
    enum universe_mode mode;
    void *buf;
    abi_Count count;
    abi_Datatype type;
    bool holds_type;    /* type is a handle of our own, which the program cannot free */
    int other, tag;     /* other: rank of the communicator; tag: of the hub */
    waitio_tag_t own_tag; /* of the library: it goes by WaitIO, inside the job too, among the library's own messages; 0: none */
    bool is_crossing;   /* req is with WaitIO */
    bool is_kept;       /* in the list of arrival_order.h */
    bool is_counted;    /* in universe.open, for that */
    bool is_inside;     /* inner is with the job's MPI */
    bool is_copied;     /* a send whose buffer the program has back: `packed` is what is sent */
    bool is_cancelled;  /* while it was kept */
    waitio_req_t req;
    abi_Request inner;
    void *packed; /* values as they travel; NULL: they travel to and from buf */
    int64_t packed_bytes;
    struct universe_message *before, *after; /* while it is kept */
} universe_message;

/* What a call of the program says. */
typedef struct universe_call {
    const char *name; /* "MPI_Send" */
    enum universe_mode mode;
    const void *buf;
    abi_Count count;
    abi_Datatype type;
    int other, tag;
    void *to; /* of a receive: its buffer, as buf */
} universe_call;

#pragma GCC visibility push(hidden)
/* Checks a call's arguments as an MPI does; calls the error handler. */
int universe_call_check(universe_comm *c, const universe_call *call);

/* The following are called with the lock, and record an error in base.error and base.why. */

/* Sets m up for a call; it is not started. `lasts`: its type is used after the call has returned, so it is held. */
int universe_message_set(universe_message *m, universe_comm *c, const universe_call *call, bool lasts);
/* Makes a persistent request, and calls the error handler. */
int universe_persistent_new(universe_comm *c, const universe_call *call, abi_Request *request);
/* Returns a new one, or NULL. */
universe_message *universe_message_new(universe_comm *c, const universe_call *call, bool lasts);
/* Copies the values of a send, so that the program has its buffer back. */
int universe_message_copy(universe_message *m);
/* Starts it. An error is that of the completed message. */
void universe_message_start(universe_message *m);
void universe_message_test(universe_message *m);
/* Makes it complete. */
void universe_message_end(universe_message *m, int error, const char *why);
/* Gives back what it has, but not the memory of *m itself. */
void universe_message_clear(universe_message *m);
/* Posts a receive to WaitIO. */
void universe_message_cross(universe_message *m);
/* Gives a receive a message that the job's MPI has matched, which is taken. */
void universe_message_take(universe_message *m, abi_Message *found);
/* Withdraws a receive from WaitIO; returns false if a message has come for it. */
bool universe_message_withdraw(universe_message *m);
/* Waits until all n are complete, calls the error handler for the first error and returns it; clears them. */
int universe_messages_wait(universe_message *const m[], int n, const char *name);

extern const universe_request_ops universe_message_ops;
/* Sets what a status has of a message, but not MPI_ERROR. */
void universe_status_set(abi_Status *status, int source, int tag, int64_t bytes, bool is_cancelled);
/* Copies all but MPI_ERROR. to: NULL is allowed. */
static inline void universe_status_give(abi_Status *to, const abi_Status *from)
{
    if (to) {
        int error = to->MPI_ERROR;
        *to = *from;
        to->MPI_ERROR = error;
    }
}
/* Names a rank of the communicator in a status of `local`. */
static inline void universe_status_translate(const universe_comm *c, abi_Status *status)
{
    if (status && status->MPI_SOURCE >= 0 && status->MPI_SOURCE < c->nlocal)
        status->MPI_SOURCE = c->rank_of_local[status->MPI_SOURCE];
}
#pragma GCC visibility pop

#endif
