/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call of MPI as a schedule over WaitIO. */
#ifndef WAITIO_MPI_COLLECTIVE_CALL_H
#define WAITIO_MPI_COLLECTIVE_CALL_H

#include "coll/execute.h"
#include "coll/select.h"
#include "waitio_mpi.h"

/* Runs a call on a communicator, to its end. name: of the call of MPI, for errors. call: without size and me, which are set
 * here; data: without element. Fails when this process is not a member, or the root is not a rank. */
int waitio__collective_run(const char *name, h3ou__call *call, h3ou__coll_data *data, WAITIO_MPI_Comm comm);

#endif
