/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests of our own: messages with other jobs, messages within the job whose status names ranks of a communicator over several jobs, receives
 * from any source, collective calls. The handle in the hub is the address plus 1, as that of a communicator.
 */
#ifndef H3OU_UNIVERSE_WORLD_ASKED_H
#define H3OU_UNIVERSE_WORLD_ASKED_H

#include "universe/world/spanning.h"

typedef struct universe_request universe_request;

/* What a kind of request does. */
typedef struct universe_request_ops {
    /* Starts a persistent request anew; NULL: the kind has none. Returns a code of the hub. */
    int (*start)(universe_request *r);
    /* Makes progress; sets is_complete, status and error when it has ended. Never blocks. */
    void (*test)(universe_request *r);
    /* Waits until it is complete, if waiting for WaitIO alone is enough, else returns at once; NULL: the kind has none. */
    void (*await)(universe_request *r);
    /* The request of the job's MPI that ends when this one does, for waiting inside that MPI; 0: there is none. */
    abi_Request *(*inner)(universe_request *r);
    /* Called with what that request's completion returned. */
    void (*inner_done)(universe_request *r, const abi_Status *status, int error);
    int (*cancel)(universe_request *r);
    /* Frees what the kind has; the request itself is freed by the caller. It is complete, or was never started. */
    void (*release)(universe_request *r);
    bool may_be_freed; /* by MPI_Request_free while it is active */
} universe_request_ops;

struct universe_request {
    const universe_request_ops *ops; /* the kind embeds this struct as its first member */
    universe_comm *comm;             /* held */
    bool is_persistent, is_active, is_complete;
    bool is_freed; /* MPI_Request_free was called while it was active: it is released when it completes */
    int error;     /* code of the hub */
    const char *function; /* for errors, "MPI_Ibcast"; NULL: the one that completes it */
    char *why;     /* its sentence, which the error handler is given; NULL: that of the code */
    abi_Status status;
    universe_request *next; /* in a list: of universe_request_list(), or of its kind */
    universe_request *older, *newer; /* of the same communicator */
};

static inline universe_request *universe_request_of(abi_Request handle)
{
    return universe_is_own(handle) ? (universe_request *)((intptr_t)handle - 1) : NULL;
}

static inline abi_Request universe_request_handle(universe_request *r)
{
    return (abi_Request)((intptr_t)r + 1);
}

#pragma GCC visibility push(hidden)
/* The following are called with the lock. */

/* Returns a cleared request of `size` bytes that begins with a universe_request; holds c. NULL: no memory. */
void *universe_request_new(size_t size, const universe_request_ops *ops, universe_comm *c);
/* Calls release, drops the communicator, frees. */
void universe_request_release(universe_request *r);
/* Lists a request that other processes may wait for, so that any wait of this process moves it on; it is then open until it is unlisted. */
void universe_request_list(universe_request *r);
void universe_request_unlist(universe_request *r);
/* Waits until *r is complete, with progress of both the job's MPI and WaitIO. Returns r->error. */
int universe_request_wait(universe_request *r);
/* Waits until no request of the communicator is under way; errors are left to who completes the requests. Returns an error of WaitIO. */
int universe_requests_settle(universe_comm *c);
#pragma GCC visibility pop

#endif
