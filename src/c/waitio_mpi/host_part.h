/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a collective call that the processes of a job make in memory of their hosts, and between these by its MPI. */
#ifndef WAITIO_MPI_HOST_PART_H
#define WAITIO_MPI_HOST_PART_H

#include "coll/execute.h"
#include "host/host_call.h"
#include "waitio_mpi/layers.h"

/* Makes a call to its end. values: how they are combined between hosts, without buffers. what: for errors. */
int waitio__host_part_run(const waitio__layers *l, h3ou__host_call *call, const h3ou__coll_data *values, const char *what);

#endif
