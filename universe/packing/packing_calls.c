/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pack and its like: what they make is the same in all jobs, as packing.h says. */
#include "universe/world/layer.h"

static abi_Comm inside(abi_Comm comm)
{
    const universe_comm *c = universe_comm_of(comm);
    return c ? c->local : comm;
}

static int told(abi_Comm comm, int code, const char *name)
{
    universe_comm *c = universe_comm_of(comm);
    return c ? universe_fail_inner(c, code, name) : code;
}

int universe_Pack(const void *inbuf, int incount, abi_Datatype datatype, void *outbuf, int outsize, int *position, abi_Comm comm)
{
    return told(comm, universe.mpi->Pack(inbuf, incount, datatype, outbuf, outsize, position, inside(comm)), "MPI_Pack");
}

int universe_Pack_c(const void *inbuf, abi_Count incount, abi_Datatype datatype, void *outbuf, abi_Count outsize, abi_Count *position, abi_Comm comm)
{
    return told(comm, universe.mpi->Pack_c(inbuf, incount, datatype, outbuf, outsize, position, inside(comm)), "MPI_Pack_c");
}

int universe_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, abi_Datatype datatype, abi_Comm comm)
{
    return told(comm, universe.mpi->Unpack(inbuf, insize, position, outbuf, outcount, datatype, inside(comm)), "MPI_Unpack");
}

int universe_Unpack_c(const void *inbuf, abi_Count insize, abi_Count *position, void *outbuf, abi_Count outcount, abi_Datatype datatype, abi_Comm comm)
{
    return told(comm, universe.mpi->Unpack_c(inbuf, insize, position, outbuf, outcount, datatype, inside(comm)), "MPI_Unpack_c");
}

int universe_Pack_size(int incount, abi_Datatype datatype, abi_Comm comm, int *size)
{
    return told(comm, universe.mpi->Pack_size(incount, datatype, inside(comm), size), "MPI_Pack_size");
}

int universe_Pack_size_c(abi_Count incount, abi_Datatype datatype, abi_Comm comm, abi_Count *size)
{
    return told(comm, universe.mpi->Pack_size_c(incount, datatype, inside(comm), size), "MPI_Pack_size_c");
}
