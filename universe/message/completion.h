/* SPDX-License-Identifier: BSD-3-Clause */
/* Completing requests of our own and of the job's MPI, one at a time. */
#ifndef H3OU_UNIVERSE_MESSAGE_COMPLETION_H
#define H3OU_UNIVERSE_MESSAGE_COMPLETION_H

#include "universe/world/asked.h"

/* Whether a call with these requests may be left to the job's MPI, which may block in it. */
static inline bool universe_requests_are_inner(int n, const abi_Request request[])
{
    for (int i = 0; i < n; i++)
        if (universe_is_own(request[i]))
            return false;
    return universe.open == 0;
}

/* Whether a request takes part in a completion: it is neither MPI_REQUEST_NULL nor an inactive one of our own. */
static inline bool universe_request_counts(abi_Request request)
{
    const universe_request *r = universe_request_of(request);
    return r ? !r->is_persistent || r->is_active : (intptr_t)request != ABI_REQUEST_NULL;
}

#pragma GCC visibility push(hidden)
/* All with the lock. */

/* Completes *request if it can be; done: out. Returns its error, for which the error handler has been called. status: NULL is allowed. */
int universe_request_try(abi_Request *request, int *done, abi_Status *status, const char *name);
/* Waits for it. */
int universe_request_complete(abi_Request *request, abi_Status *status, const char *name);
/* Returns whether it could be completed now, and leaves it. status: NULL is allowed. Inactive ones and MPI_REQUEST_NULL are complete. */
int universe_request_look(abi_Request request, int *done, abi_Status *status);
/* For a code that completing a request of the job's MPI returned: calls the error handler of its communicator, if that is over several jobs. */
int universe_inner_failed(int code, const char *name);
/* Moves what this process owes to others, without waiting. Returns an error of WaitIO. */
int universe_move(void);
/* The same for all but WaitIO: for a call that may be made again and again until something comes, and that looks at WaitIO itself. */
void universe_move_others(void);
void universe_status_empty(abi_Status *status);
#pragma GCC visibility pop

#endif
