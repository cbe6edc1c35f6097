/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests, and starting them. */
#include "universe/world/layer.h"
#include "universe/message/crossing.h"
#include "universe/world/waiting.h"

int universe_persistent_new(universe_comm *c, const universe_call *call, abi_Request *request)
{
    universe_enter();
    universe_message *m = universe_message_new(c, call, true);
    universe_exit();
    if (!m)
        return universe_fail(c, ABI_ERR_NO_MEM, call->name, "no memory for a request");
    m->base.is_persistent = true;
    *request = universe_request_handle(&m->base);
    return 0;
}

static int request_start(universe_request *r, const char *name)
{
    if (!r->is_persistent || r->is_active || !r->ops->start)
        return universe_fail(r->comm, ABI_ERR_REQUEST, name, "the request is %s", r->is_persistent ? "active" : "not persistent");
    universe_enter();
    r->is_active = true;
    r->is_complete = false;
    r->error = 0;
    int code = r->ops->start(r);
    universe_exit();
    return code;
}

int universe_Start(abi_Request *request)
{
    universe_request *r = universe_request_of(*request);
    return r ? request_start(r, "MPI_Start") : universe.mpi->Start(request);
}

int universe_Startall(int count, abi_Request array_of_requests[])
{
    int own = 0, code = 0;
    for (int i = 0; i < count; i++)
        own += universe_is_own(array_of_requests[i]);
    if (!own)
        return universe.mpi->Startall(count, array_of_requests);
    for (int i = 0; i < count && !code; i++)
        code = universe_Start(&array_of_requests[i]);
    return code;
}
