/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/communicator/making.h"

#include "base/error.h"
#include "universe/communicator/comm_attribute.h"
#include "universe/world/failure.h"
#include "universe/world/handlers.h"
#include "universe/world/waiting.h"

static bool is_one_job(int size, const int world_rank[])
{
    for (int r = 0; r < size; r++)
        if (universe_job_of(world_rank[r]) != universe.job)
            return false;
    return true;
}

int universe_comm_make(universe_comm *parent, int size, const int world_rank[], abi_Comm local, int32_t context, const char *function, abi_Comm *made)
{
    if (is_one_job(size, world_rank)) {
        *made = local;
        return universe.mpi->Comm_set_errhandler(local, parent->errhandler);
    }
    universe_comm *c = universe_comm_new(size, world_rank, local, context);
    if (!c)
        return universe_fail_waitio(parent, H3OU__ENOMEM, function);
    c->errhandler = parent->errhandler;
    universe_handler_hold(c->errhandler);
    *made = universe_comm_handle(c);
    return 0;
}

int universe_comm_discard(universe_comm *c, const char *function)
{
    int code = universe_attributes_delete(c);
    if (code)
        return universe_fail(c, code, function, "the delete function of an attribute returned %d", code);
    universe_enter();
    universe_comm_drop(c);
    universe_exit();
    return 0;
}
