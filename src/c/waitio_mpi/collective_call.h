/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call of MPI as a schedule over WaitIO. */
#ifndef WAITIO_MPI_COLLECTIVE_CALL_H
#define WAITIO_MPI_COLLECTIVE_CALL_H

#include "coll/execute.h"
#include "coll/select.h"
#include "waitio_mpi.h"
#include "waitio_mpi/layers.h"
#include "waitio_mpi/waitio_link.h"

/* Runs a call between all members of a communicator, to its end. name: of the call of MPI, for errors. call: without
 * size and me, which are set here; data: without element. unit: of the elements (byte_order.h). Fails when this process
 * is not a member, or the root is not a rank. */
int waitio__collective_run(const char *name, h3ou__call *call, h3ou__coll_data *data, WAITIO_MPI_Comm comm, int unit);
/* Runs a whole call, with size and me, between the members of a link; by the schedules of the paper's algorithm, or,
 * with WAITIO__HYBRID, by those that h3ou__coll_select takes. data: without element. */
int waitio__collective_execute(enum waitio__algorithm algorithm, h3ou__call *call, h3ou__coll_data *data,
                               waitio__group_link *link, uint32_t number);

#endif
