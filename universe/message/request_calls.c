/* SPDX-License-Identifier: BSD-3-Clause */
/* The other calls on requests. */
#include "universe/world/layer.h"
#include "universe/message/completion.h"
#include "universe/message/crossing.h"
#include "universe/message/send_buffer.h"
#include "universe/world/waiting.h"

int universe_Request_free(abi_Request *request)
{
    universe_request *r = universe_request_of(*request);
    if (!r)
        return universe.mpi->Request_free(request);
    if (r->is_active && !r->ops->may_be_freed)
        return universe_fail(r->comm, ABI_ERR_REQUEST, "MPI_Request_free", "a collective call, or a message of several partitions, is not complete");
    universe_enter();
    *request = (abi_Request)ABI_REQUEST_NULL;
    if (r->is_active && !r->is_complete)
        universe_detached_add(r);
    else
        universe_request_release(r);
    universe_exit();
    return 0;
}

int universe_Request_get_status(abi_Request request, int *flag, abi_Status *status)
{
    if (universe_requests_are_inner(1, &request))
        return universe.mpi->Request_get_status(request, flag, status);
    universe_enter();
    int code = 0;
    if (universe_is_own(request))
        universe_move_others();
    else
        code = universe_move();
    if (!code)
        code = universe_request_look(request, flag, status);
    universe_exit();
    return code;
}

int universe_Cancel(abi_Request *request)
{
    universe_request *r = universe_request_of(*request);
    if (!r)
        return universe.mpi->Cancel(request);
    if (r->is_persistent && !r->is_active)
        return universe_fail(r->comm, ABI_ERR_REQUEST, "MPI_Cancel", "the request is not active");
    universe_enter();
    int code = r->is_complete ? 0 : r->ops->cancel(r);
    universe_exit();
    return code;
}
