/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_dup and MPI_Comm_dup_with_info. */
#include "base/error.h"
#include "universe/communicator/comm_attribute.h"
#include "universe/communicator/making.h"
#include "universe/world/layer.h"
#include "universe/world/topology.h"
#include "universe/world/member_exchange.h"
#include "universe/world/asked.h"
#include "universe/world/waiting.h"

/* local: the duplicate of c->local, which is taken. */
static int finish(universe_comm *c, abi_Comm local, int32_t context, const char *function, abi_Comm *newcomm)
{
    abi_Comm made;
    int code = universe_comm_make(c, c->size, c->world_rank, local, context, function, &made);
    if (code)
        return code;
    universe_comm *d = universe_comm_of(made);
    universe_topology_hold(d->topology = c->topology);
    code = universe_attributes_copy(c, d);
    if (code) {
        universe_comm_discard(d, function);
        return universe_fail(c, code, function, "the copy function of an attribute returned %d", code);
    }
    *newcomm = made;
    return 0;
}

int universe_Comm_dup(abi_Comm comm, abi_Comm *newcomm)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_dup(comm, newcomm);
    int32_t context;
    abi_Comm local;
    int err = universe_agree_context(c, &context);
    if (err)
        return universe_fail_waitio(c, err, "MPI_Comm_dup");
    int code = universe.mpi->Comm_dup(c->local, &local);
    if (code)
        return universe_fail_inner(c, code, "MPI_Comm_dup");
    return finish(c, local, context, "MPI_Comm_dup", newcomm);
}

int universe_Comm_dup_with_info(abi_Comm comm, abi_Info info, abi_Comm *newcomm)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_dup_with_info(comm, info, newcomm);
    int32_t context;
    abi_Comm local;
    int err = universe_agree_context(c, &context);
    if (err)
        return universe_fail_waitio(c, err, "MPI_Comm_dup_with_info");
    int code = universe.mpi->Comm_dup_with_info(c->local, info, &local);
    if (code)
        return universe_fail_inner(c, code, "MPI_Comm_dup_with_info");
    return finish(c, local, context, "MPI_Comm_dup_with_info", newcomm);
}

static int give_up(abi_Comm *comm, universe_comm *c, const char *function)
{
    if (c == universe.comm)
        return universe_fail(c, ABI_ERR_COMM, function, "MPI_COMM_WORLD cannot be freed");
    int code = universe_comm_discard(c, function);
    if (!code)
        *comm = (abi_Comm)ABI_COMM_NULL;
    return code;
}

int universe_Comm_free(abi_Comm *comm)
{
    universe_comm *c = universe_comm_of(*comm);
    return c ? give_up(comm, c, "MPI_Comm_free") : universe.mpi->Comm_free(comm);
}

/* Waits for the messages of our own requests. Those that are the job's MPI's own, inside the job, keep its communicator until they are complete. */
int universe_Comm_disconnect(abi_Comm *comm)
{
    universe_comm *c = universe_comm_of(*comm);
    if (!c)
        return universe.mpi->Comm_disconnect(comm);
    universe_enter();
    int err = c == universe.comm ? H3OU__OK : universe_requests_settle(c);
    universe_exit();
    return err ? universe_fail_waitio(c, err, "MPI_Comm_disconnect") : give_up(comm, c, "MPI_Comm_disconnect");
}
