/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a collective call that the processes of a job make in memory of their host. */
#ifndef WAITIO_MPI_HOST_PART_H
#define WAITIO_MPI_HOST_PART_H

#include "host/host_call.h"
#include "waitio_mpi/layers.h"

/* Returns the memory that the processes of a block share, whose MPI is known; *out is NULL if they share none. At the first call the
 * processes of the job agree on it, so all of them call this. */
int waitio__host_part_find(const waitio__layers *l, h3ou__host_block **out);
/* Makes a call to its end. what: for errors. */
int waitio__host_part_run(const waitio__layers *l, h3ou__host_call *call, const char *what);

#endif
