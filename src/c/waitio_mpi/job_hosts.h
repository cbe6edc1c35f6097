/* SPDX-License-Identifier: BSD-3-Clause */
/* On which hosts the processes of a job are, and the memory that those of this host share. */
#ifndef WAITIO_MPI_JOB_HOSTS_H
#define WAITIO_MPI_JOB_HOSTS_H

#include "host/host_block.h"
#include "host/host_map.h"
#include "waitio_mpi/layers.h"

typedef struct waitio__job_hosts {
    h3ou__host_map map;      /* processes by their places in the job */
    h3ou__host_block *block; /* NULL: this process is alone on its host */
} waitio__job_hosts;

/* Finds them for a block that is a job, whose MPI is known; *out is NULL if not all processes that share a host can share memory, or no two
 * share a host. At the first call the processes of the job agree, so all of them call this. */
int waitio__job_hosts_find(const waitio__layers *l, const waitio__job_hosts **out);

#endif
