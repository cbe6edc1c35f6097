/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/collective/spanning_collective.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/kept_memory.h"
#include "universe/collective/call_segments.h"
#include "universe/collective/blocking_wait.h"
#include "universe/world/failure.h"
#include "universe/world/waiting.h"

/* Frees what one run of the call has, but after an error of a transport not what that may still write to. */
static void close_run(universe_collective *u)
{
    universe_segments_end(u);
    for (int i = 0; i < u->nstage; i++)
        h3ou__schedule_free(&u->stage[i].schedule);
    for (int i = 0; i < u->nmemory && !u->is_broken; i++)
        h3ou__kept_memory_give(u->memory[i]);
    for (int i = 0; i < u->narray; i++)
        free(u->array[i]);
    if (!u->is_broken) {
        universe_image_close(&u->in);
        universe_image_close(&u->out);
    }
    universe_fold_close(&u->fold);
    free(u->leader);
    u->leader = NULL;
    u->nstage = u->nmemory = u->narray = 0;
    u->takes_out = false;
}

static void complete(universe_collective *u, int code)
{
    universe_request *r = &u->request;
    r->error = code;
    r->status = (abi_Status){.MPI_SOURCE = ABI_ANY_SOURCE, .MPI_TAG = ABI_ANY_TAG, .MPI_ERROR = code};
    r->is_complete = true;
    if (!u->is_blocking)
        universe_request_unlist(r);
    close_run(u);
}

/* Records an error and its sentence: the error handler is called by who has given up the lock, because it may call MPI. Returns the code. */
static int fail(universe_collective *u, int err)
{
    universe_request *r = &u->request;
    int code = u->fold.error ? u->fold.error : u->code ? u->code : universe_class_of_waitio(err);
    free(r->why);
    r->why = u->fold.error ? NULL : strdup(h3ou__fail_text());
    return code;
}

static void test(universe_request *r)
{
    universe_collective *u = (universe_collective *)r;
    bool done;
    int err;
    if (r->is_complete || !r->is_active)
        return;
    err = universe_segments_advance(u, &done);
    if (!err && !done)
        return;
    u->is_broken = err != H3OU__OK;
    if (!err && !u->fold.error && u->takes_out)
        err = universe_image_unpack_all(&u->out);
    complete(u, err || u->fold.error ? fail(u, err) : 0);
}

/* Plans and begins a run. */
static int begin(universe_request *r)
{
    universe_collective *u = (universe_collective *)r;
    r->is_active = true;
    r->is_complete = false;
    u->code = 0;
    universe_segments_begin(u);
    if (!u->is_fixed)
        u->number = r->comm->ncollective++;
    if (!u->is_blocking)
        universe_request_list(r);
    int err = universe_collective_check_root(u);
    if (!err)
        err = u->a.plan(u);
    if (err)
        complete(u, fail(u, err));
    else
        test(r);
    return r->is_complete ? r->error : 0;
}

/* An error is that of the call which completes the request. */
static int start(universe_request *r)
{
    begin(r);
    return 0;
}

static abi_Request *inner(universe_request *r)
{
    (void)r;
    return NULL;
}

static int cancel(universe_request *r)
{
    universe_exit();
    int code = universe_fail(r->comm, ABI_ERR_REQUEST, "MPI_Cancel", "a collective call cannot be cancelled");
    universe_enter();
    return code;
}

static void release(universe_request *r)
{
    universe_collective *u = (universe_collective *)r;
    close_run(u);
    if (u->is_held)
        universe_arguments_release(&u->a, r->comm);
    free(r->why);
}

static const universe_request_ops collective_ops = {.start = start, .test = test, .inner = inner, .cancel = cancel, .release = release};

/* Makes a call; out NULL: there is no memory. Returns an error, of which `out` is released by the caller, too. */
static int open_call(universe_comm *c, const universe_arguments *a, bool is_blocking, universe_collective **out)
{
    universe_collective *u = *out = universe_request_new(sizeof *u, &collective_ops, c);
    if (!u)
        return H3OU__ENOMEM;
    u->a = *a;
    u->request.function = a->function;
    u->is_blocking = is_blocking;
    u->is_held = !is_blocking;
    u->d = universe_division_of(c);
    u->link[UNIVERSE_AMONG_JOB] = (universe_link){c, c->rank_of_local};
    u->link[UNIVERSE_AMONG_ALL] = (universe_link){c, NULL};
    if (!u->d)
        return H3OU__ENOMEM;
    return is_blocking ? H3OU__OK : universe_arguments_hold(&u->a, c);
}

/* Releases a call that has ended, gives up the lock and only then calls the error handler. err: of h3ou; code: of the call. Returns the code. */
static int close_call(universe_collective *u, universe_comm *c, const char *function, int err, int code)
{
    char *why = u ? u->request.why : NULL;
    universe_comm_hold(c);
    if (u) {
        u->request.why = NULL;
        universe_request_release(&u->request);
    }
    universe_exit();
    code = err ? universe_fail_waitio(c, err, function) : universe_fail_request(c, code, why, function);
    universe_enter();
    universe_comm_drop(c);
    universe_exit();
    return code;
}

int universe_collective_run(universe_comm *c, const universe_arguments *a)
{
    universe_collective *u;
    int code = 0;
    universe_enter();
    int err = open_call(c, a, true, &u);
    if (!err) {
        begin(&u->request);
        universe_collective_await(u);
        code = universe_request_wait(&u->request);
        if (!u->request.is_complete) { /* the handler was called */
            u->is_broken = true;
            universe_request_release(&u->request);
            universe_exit();
            return code;
        }
    }
    if (err || code)
        return close_call(u, c, a->function, err, code);
    universe_request_release(&u->request);
    universe_exit();
    return 0;
}

int universe_collective_start(universe_comm *c, const universe_arguments *a, abi_Request *request)
{
    universe_collective *u;
    int code = 0;
    *request = (abi_Request)ABI_REQUEST_NULL;
    universe_enter();
    int err = open_call(c, a, false, &u);
    if (err || (code = begin(&u->request)) != 0)
        return close_call(u, c, a->function, err, code);
    *request = universe_request_handle(&u->request);
    universe_exit();
    return 0;
}

int universe_collective_init(universe_comm *c, const universe_arguments *a, abi_Request *request)
{
    universe_collective *u;
    *request = (abi_Request)ABI_REQUEST_NULL;
    universe_enter();
    int err = open_call(c, a, false, &u);
    if (err)
        return close_call(u, c, a->function, err, 0);
    u->request.is_persistent = u->is_fixed = true;
    u->number = c->ncollective++;
    *request = universe_request_handle(&u->request);
    universe_exit();
    return 0;
}
