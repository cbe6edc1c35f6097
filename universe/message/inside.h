/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that the job's MPI carries, with any count: the functions for large counts are called only for these, since not every MPI has them. */
#ifndef H3OU_UNIVERSE_MESSAGE_INSIDE_H
#define H3OU_UNIVERSE_MESSAGE_INSIDE_H

#include <limits.h>

#include "universe/message/crossing.h"

/* A ready send is a standard one here: its receive may be kept, so that the MPI does not have it yet. */
static inline int universe_inside_send(enum universe_mode mode, const void *buf, abi_Count count, abi_Datatype type, int rank, int tag, abi_Comm comm)
{
    const struct hub *mpi = universe.mpi;
    if (count > INT_MAX)
        return mode == UNIVERSE_SYNCHRONOUS ? mpi->Ssend_c(buf, count, type, rank, tag, comm) : mpi->Send_c(buf, count, type, rank, tag, comm);
    return mode == UNIVERSE_SYNCHRONOUS ? mpi->Ssend(buf, (int)count, type, rank, tag, comm) : mpi->Send(buf, (int)count, type, rank, tag, comm);
}

static inline int universe_inside_isend(enum universe_mode mode, const void *buf, abi_Count count, abi_Datatype type, int rank, int tag, abi_Comm comm,
                                        abi_Request *request)
{
    const struct hub *mpi = universe.mpi;
    if (count > INT_MAX)
        return mode == UNIVERSE_SYNCHRONOUS ? mpi->Issend_c(buf, count, type, rank, tag, comm, request)
                                            : mpi->Isend_c(buf, count, type, rank, tag, comm, request);
    return mode == UNIVERSE_SYNCHRONOUS ? mpi->Issend(buf, (int)count, type, rank, tag, comm, request)
                                        : mpi->Isend(buf, (int)count, type, rank, tag, comm, request);
}

static inline int universe_inside_recv(void *buf, abi_Count count, abi_Datatype type, int rank, int tag, abi_Comm comm, abi_Status *status)
{
    if (count > INT_MAX)
        return universe.mpi->Recv_c(buf, count, type, rank, tag, comm, status);
    return universe.mpi->Recv(buf, (int)count, type, rank, tag, comm, status);
}

static inline int universe_inside_irecv(void *buf, abi_Count count, abi_Datatype type, int rank, int tag, abi_Comm comm, abi_Request *request)
{
    if (count > INT_MAX)
        return universe.mpi->Irecv_c(buf, count, type, rank, tag, comm, request);
    return universe.mpi->Irecv(buf, (int)count, type, rank, tag, comm, request);
}

static inline int universe_inside_imrecv(void *buf, abi_Count count, abi_Datatype type, abi_Message *message, abi_Request *request)
{
    if (count > INT_MAX)
        return universe.mpi->Imrecv_c(buf, count, type, message, request);
    return universe.mpi->Imrecv(buf, (int)count, type, message, request);
}

#endif
