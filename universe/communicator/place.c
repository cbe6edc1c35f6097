/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of a communicator, the rank of this process in it, and whether it has two groups, which none over several jobs has. */
#include "universe/world/layer.h"

int universe_Comm_rank(abi_Comm comm, int *rank)
{
    const universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_rank(comm, rank);
    *rank = c->rank;
    return 0;
}

int universe_Comm_size(abi_Comm comm, int *size)
{
    const universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Comm_size(comm, size);
    *size = c->size;
    return 0;
}

int universe_Comm_test_inter(abi_Comm comm, int *flag)
{
    if (!universe_comm_of(comm))
        return universe.mpi->Comm_test_inter(comm, flag);
    *flag = 0;
    return 0;
}
