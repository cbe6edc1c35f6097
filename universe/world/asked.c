/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/world/asked.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "universe/world/failure.h"
#include "universe/world/waiting.h"

static universe_request *listed;
static unsigned unlisted; /* how often the list lost a request */

/* A test may run code of the program, which may complete other requests: then the rest is left to the next call. */
static void advance_listed(void)
{
    unsigned before = unlisted;
    for (universe_request *r = listed, *next; r && unlisted == before; r = next) {
        next = r->next;
        r->ops->test(r);
    }
}

void universe_request_list(universe_request *r)
{
    universe.open++;
    r->next = listed;
    listed = r;
    universe.advance = advance_listed;
}

void universe_request_unlist(universe_request *r)
{
    universe_request **at = &listed;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    unlisted++;
    universe.open--;
    if (!listed)
        universe.advance = NULL;
}

void *universe_request_new(size_t size, const universe_request_ops *ops, universe_comm *c)
{
    universe_request *r = malloc(size);
    if (!r) {
        h3ou__fail(H3OU__ENOMEM, "no memory for a request");
        return NULL;
    }
    memset(r, 0, size); /* calloc is slower in the C library */
    r->ops = ops;
    r->comm = c;
    universe_comm_hold(c);
    r->older = c->requests;
    if (r->older)
        r->older->newer = r;
    return c->requests = r;
}

void universe_request_release(universe_request *r)
{
    r->ops->release(r);
    if (r->older)
        r->older->newer = r->newer;
    *(r->newer ? &r->newer->older : &r->comm->requests) = r->older;
    universe_comm_drop(r->comm);
    free(r);
}

int universe_request_wait(universe_request *r)
{
    h3ou__pause pause;
    if (r->ops->await)
        r->ops->await(r);
    if (!r->is_complete)
        r->ops->test(r);
    if (!r->is_complete)
        h3ou__pause_begin(&pause);
    while (!r->is_complete) {
        int err = universe_turn(&pause);
        if (err) {
            universe_exit();
            int code = universe_fail_waitio(r->comm, err, r->function ? r->function : "MPI_Wait");
            universe_enter();
            return code;
        }
        r->ops->test(r);
    }
    return r->error;
}

static bool are_settled(const universe_comm *c)
{
    bool are = true;
    for (universe_request *r = c->requests; r; r = r->older) {
        bool counts = r->is_active || !r->is_persistent;
        if (counts && !r->is_complete)
            r->ops->test(r);
        are = are && (!counts || r->is_complete);
    }
    return are;
}

int universe_requests_settle(universe_comm *c)
{
    h3ou__pause pause;
    int err = H3OU__OK;
    h3ou__pause_begin(&pause);
    while (!are_settled(c) && !err)
        err = universe_turn(&pause);
    return err;
}
