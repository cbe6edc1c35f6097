/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/message/completion.h"

#include "base/error.h"
#include "universe/message/crossing.h"
#include "universe/world/failure.h"
#include "universe/world/waiting.h"

void universe_status_empty(abi_Status *status)
{
    if (status)
        universe_status_set(status, ABI_ANY_SOURCE, ABI_ANY_TAG, 0, false);
}

void universe_move_others(void)
{
    enum { SELDOM = 16 };
    static _Thread_local unsigned turn;
    if (universe.advance)
        universe.advance();
    if (universe.sweep)
        universe.sweep();
    if (turn++ % SELDOM == 0)
        universe_look_at_mpi();
}

int universe_move(void)
{
    universe_move_others();
    return waitio_progress(0);
}

/* Ends a complete request of our own, with its error handler: a persistent one is then inactive, another one is released. */
static int request_end(abi_Request *request, abi_Status *status, const char *name)
{
    universe_request *r = universe_request_of(*request);
    int error = r->error;
    universe_status_give(status, &r->status);
    if (error) {
        char *why = r->why;
        r->why = NULL;
        universe_exit();
        error = universe_fail_request(r->comm, error, why, r->function ? r->function : name);
        universe_enter();
    }
    if (r->is_persistent) {
        r->is_active = r->is_complete = false;
        return error;
    }
    *request = (abi_Request)ABI_REQUEST_NULL;
    universe_request_release(r);
    return error;
}

int universe_inner_failed(int code, const char *name)
{
    if (!code)
        return 0;
    universe_exit();
    universe_fail_raised(code, name);
    universe_enter();
    return code;
}

int universe_request_try(abi_Request *request, int *done, abi_Status *status, const char *name)
{
    universe_request *r = universe_request_of(*request);
    *done = 1;
    if (!r)
        return universe_inner_failed(universe.mpi->Test(request, done, status), name);
    if (!universe_request_counts(*request)) {
        universe_status_empty(status);
        return 0;
    }
    if (!r->is_complete)
        r->ops->test(r);
    *done = r->is_complete;
    return *done ? request_end(request, status, name) : 0;
}

/* With nothing open the job's MPI may block. */
static void wait_inside(universe_request *r, abi_Request *inner)
{
    abi_Status status;
    universe_exit();
    universe_stray_ignore(true);
    int code = universe.mpi->Wait(inner, &status);
    universe_stray_ignore(false);
    universe_enter();
    r->ops->inner_done(r, &status, code);
}

int universe_request_complete(abi_Request *request, abi_Status *status, const char *name)
{
    universe_request *r = universe_request_of(*request);
    if (!r && universe.open == 0) {
        universe_exit();
        int code = universe.mpi->Wait(request, status);
        if (code)
            universe_fail_raised(code, name);
        universe_enter();
        return code;
    }
    if (!r)
        return universe_inner_failed(universe_wait_inner(request, status), name);
    if (!universe_request_counts(*request)) {
        universe_status_empty(status);
        return 0;
    }
    abi_Request *inner = universe.open == 0 && !r->is_complete ? r->ops->inner(r) : NULL;
    if (inner) {
        wait_inside(r, inner);
    } else if (!r->is_complete) {
        int code = universe_request_wait(r);
        if (!r->is_complete)
            return code;
    }
    return request_end(request, status, name);
}

int universe_request_look(abi_Request request, int *done, abi_Status *status)
{
    universe_request *r = universe_request_of(request);
    *done = 1;
    if (!universe_request_counts(request)) {
        universe_status_empty(status);
        return 0;
    }
    if (!r)
        return universe.mpi->Request_get_status(request, done, status);
    if (!r->is_complete)
        r->ops->test(r);
    *done = r->is_complete;
    if (*done)
        universe_status_give(status, &r->status);
    return 0;
}
