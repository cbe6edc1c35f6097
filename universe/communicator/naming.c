/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, hints and comparisons of communicators. Name and hints are kept by the job's MPI, on the members inside the job. */
#include <stdlib.h>
#include <string.h>

#include "universe/communicator/process_group.h"
#include "universe/world/layer.h"

int universe_Comm_set_name(abi_Comm comm, const char *comm_name)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_set_name(comm, comm_name);
    return universe_fail_inner(c, universe.mpi->Comm_set_name(c->local, comm_name), "MPI_Comm_set_name");
}

int universe_Comm_get_name(abi_Comm comm, char *comm_name, int *resultlen)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_get_name(comm, comm_name, resultlen);
    return universe_fail_inner(c, universe.mpi->Comm_get_name(c->local, comm_name, resultlen), "MPI_Comm_get_name");
}

int universe_Comm_set_info(abi_Comm comm, abi_Info info)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_set_info(comm, info);
    return universe_fail_inner(c, universe.mpi->Comm_set_info(c->local, info), "MPI_Comm_set_info");
}

int universe_Comm_get_info(abi_Comm comm, abi_Info *info_used)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_get_info(comm, info_used);
    return universe_fail_inner(c, universe.mpi->Comm_get_info(c->local, info_used), "MPI_Comm_get_info");
}

int universe_Comm_remote_size(abi_Comm comm, int *size)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_remote_size(comm, size);
    return universe_fail(c, ABI_ERR_COMM, "MPI_Comm_remote_size", "the communicator is not an inter-communicator");
}

/* A communicator over several jobs is none inside a job, whatever the other's members are. */
int universe_Comm_compare(abi_Comm comm1, abi_Comm comm2, int *result)
{
    universe_comm *a = universe_comm_of(comm1), *b = universe_comm_of(comm2);
    if (!a && !b)
        return universe.mpi->Comm_compare(comm1, comm2, result);
    *result = a == b ? ABI_IDENT : ABI_UNEQUAL;
    if ((intptr_t)comm1 == ABI_COMM_NULL || (intptr_t)comm2 == ABI_COMM_NULL)
        return universe_fail(a ? a : b, ABI_ERR_COMM, "MPI_Comm_compare", "a communicator is MPI_COMM_NULL");
    if (!a || !b || a == b || a->size != b->size)
        return 0;
    abi_Group groups[2];
    if (universe_group_make(a->size, a->world_rank, &groups[0]) || universe_group_make(b->size, b->world_rank, &groups[1]))
        return universe_fail(a, ABI_ERR_NO_MEM, "MPI_Comm_compare", "no memory for a group");
    universe_Group_compare(groups[0], groups[1], result);
    if (*result == ABI_IDENT)
        *result = ABI_CONGRUENT;
    universe_Group_free(&groups[0]);
    universe_Group_free(&groups[1]);
    return 0;
}
