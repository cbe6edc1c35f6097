/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI of a job as a transport of schedules between its hosts, for each of which one process takes part. */
#ifndef WAITIO_MPI_HOSTS_LINK_H
#define WAITIO_MPI_HOSTS_LINK_H

#include "coll/execute.h"
#include "waitio_mpi/job_hosts.h"

typedef struct waitio__hosts_link {
    const waitio__layers *layers;
    int root, root_host; /* place of the root in the job, which takes part for its host; of the others the first process does */
    const char *what;    /* for errors */
} waitio__hosts_link;

extern const h3ou__link_ops waitio__hosts_link_ops;

#endif
