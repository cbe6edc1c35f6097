/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Comm_idup: three things go on at once, the exchange that agrees on the number, and two duplications inside the job. The handle exists at once;
 * the communicator is complete with the request.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "universe/communicator/comm_attribute.h"
#include "universe/communicator/making.h"
#include "universe/world/layer.h"
#include "universe/world/topology.h"
#include "universe/world/asked.h"
#include "universe/world/member_exchange.h"
#include "universe/world/handlers.h"
#include "universe/world/waiting.h"

typedef struct duplication {
    universe_request base;
    universe_comm *made; /* held */
    universe_exchange_run *agreement;
    abi_Comm local, inside;
    abi_Request requests[2];
    abi_Info info; /* 0: that of the original */
} duplication;

/* Keeps the first error and its sentence (NULL: that of the code), for who completes the request. */
static void fail(duplication *d, int code, const char *why)
{
    if (d->base.error || !code)
        return;
    d->base.error = code;
    d->base.why = why ? strdup(why) : NULL;
}

static void end(duplication *d)
{
    d->base.is_complete = true;
    d->base.status = (abi_Status){.MPI_SOURCE = ABI_ANY_SOURCE, .MPI_TAG = ABI_ANY_TAG};
    universe_request_unlist(&d->base);
}

/* What the job's MPI has made belongs to the new communicator, and is freed with it. */
static void complete(duplication *d)
{
    int32_t context = d->base.error ? 0 : *(const int32_t *)universe_exchange_all(d->agreement);
    if (!d->base.error && context < 0)
        fail(d, ABI_ERR_NO_MEM, "there is no number left for another communicator");
    if (d->base.error) {
        d->made->local = d->local;
        d->made->inside = d->inside;
    } else {
        int err = universe_comm_complete(d->made, d->local, d->inside, context);
        fail(d, err ? universe_class_of_waitio(err) : 0, h3ou__fail_text());
        if (d->info)
            fail(d, universe.mpi->Comm_set_info(d->made->local, d->info), NULL);
    }
    end(d);
}

static void test(universe_request *r)
{
    duplication *d = (duplication *)r;
    bool is_agreed = false;
    int is_made = 0, err;
    if (r->is_complete)
        return;
    if (!d->base.error && (err = universe_exchange_test(d->agreement, &is_agreed)) != H3OU__OK)
        fail(d, universe_class_of_waitio(err), h3ou__fail_text());
    int code = universe.mpi->Testall(2, d->requests, &is_made, NULL);
    fail(d, code, NULL);
    if (code)
        end(d);
    else if (is_made && (is_agreed || d->base.error))
        complete(d);
}

static abi_Request *inner(universe_request *r)
{
    (void)r;
    return NULL;
}

static int cancel(universe_request *r)
{
    universe_exit();
    int code = universe_fail(r->comm, ABI_ERR_REQUEST, "MPI_Cancel", "the duplication of a communicator cannot be cancelled");
    universe_enter();
    return code;
}

static void release(universe_request *r)
{
    duplication *d = (duplication *)r;
    universe_exchange_end(d->agreement);
    universe_comm_drop(d->made);
    if (d->info)
        universe.mpi->Info_free(&d->info);
    free(r->why);
}

static const universe_request_ops ops = {.test = test, .inner = inner, .cancel = cancel, .release = release};

/* Starts all three. An error after the first message is that of the request, which completes when all that was started has ended. */
static int begin(duplication *d, universe_comm *c)
{
    int32_t mine = c->rank == 0 ? universe_context_new() : 0;
    int err = universe_exchange_begin(c, &mine, sizeof mine, &d->agreement);
    if (err)
        return err;
    d->base.is_active = true;
    universe_request_list(&d->base);
    int code = universe.mpi->Comm_idup(c->local, &d->local, &d->requests[0]);
    if (code)
        d->local = NULL;
    else if ((code = universe.mpi->Comm_idup(c->inside, &d->inside, &d->requests[1])) != 0)
        d->inside = NULL;
    fail(d, code, NULL);
    return H3OU__OK;
}

/* Makes a communicator that is not complete, with what the original has. Returns a code of the hub, before the error handler. */
static int prepare(universe_comm *c, universe_comm **made)
{
    universe_comm *m = *made = universe_comm_allocate(c->size, c->world_rank);
    if (!m)
        return ABI_ERR_NO_MEM;
    m->errhandler = c->errhandler;
    universe_handler_hold(m->errhandler);
    universe_topology_hold(m->topology = c->topology);
    int code = universe_attributes_copy(c, m);
    if (code)
        universe_comm_discard(m, "MPI_Comm_idup");
    return code;
}

/* info: 0 for that of the original. */
static int idup(universe_comm *c, abi_Info info, abi_Comm *newcomm, abi_Request *request)
{
    static const char function[] = "MPI_Comm_idup";
    universe_comm *made;
    abi_Info copy = NULL;
    int err = H3OU__ENOMEM, code = info ? universe.mpi->Info_dup(info, &copy) : 0;
    *newcomm = (abi_Comm)ABI_COMM_NULL;
    *request = (abi_Request)ABI_REQUEST_NULL;
    if (code)
        return universe_fail_inner(c, code, function);
    if ((code = prepare(c, &made)) != 0) {
        if (info)
            universe.mpi->Info_free(&copy);
        return universe_fail(c, code, function, "the communicator or its attributes cannot be copied: the error is %d", code);
    }
    universe_enter();
    duplication *d = universe_request_new(sizeof *d, &ops, c);
    if (d) {
        *d = (duplication){.base = d->base, .made = made, .info = copy, .requests = {(abi_Request)ABI_REQUEST_NULL, (abi_Request)ABI_REQUEST_NULL}};
        d->base.function = function;
        universe_comm_hold(made);
        err = begin(d, c);
    }
    if (err && d)
        universe_request_release(&d->base);
    universe_exit();
    if (!d && info)
        universe.mpi->Info_free(&copy);
    if (err) {
        universe_comm_discard(made, function);
        return universe_fail_waitio(c, err, function);
    }
    *newcomm = universe_comm_handle(made);
    *request = universe_request_handle(&d->base);
    return 0;
}

int universe_Comm_idup(abi_Comm comm, abi_Comm *newcomm, abi_Request *request)
{
    universe_comm *c = universe_comm_of(comm);
    return c ? idup(c, NULL, newcomm, request) : universe.mpi->Comm_idup(comm, newcomm, request);
}

int universe_Comm_idup_with_info(abi_Comm comm, abi_Info info, abi_Comm *newcomm, abi_Request *request)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_idup_with_info(comm, info, newcomm, request);
    return idup(c, (intptr_t)info == ABI_INFO_NULL ? NULL : info, newcomm, request);
}
