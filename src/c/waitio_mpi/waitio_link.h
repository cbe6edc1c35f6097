/* SPDX-License-Identifier: BSD-3-Clause */
/* WaitIO as a transport of schedules, between some members of a group. */
#ifndef WAITIO_MPI_WAITIO_LINK_H
#define WAITIO_MPI_WAITIO_LINK_H

#include "coll/execute.h"
#include "mpi/mpi.h"
#include "waitio.h"

/* The link of a run. Member i of the schedule is rank first + i of the group, or, if ranks is not NULL, rank ranks[i].
 */
typedef struct waitio__group_link {
    waitio_group_t group;
    int first;
    const int *ranks; /* borrowed */
    int unit;         /* of the elements (byte_order.h) */
    /* The job's MPI, which is polled now and then while this waits, since what other processes of the job wait for may
     * need it; NULL: none. */
    const h3ou__mpi_ops *mpi;
    h3ou__mpi_comm inside;
} waitio__group_link;

#pragma GCC visibility push(default)
extern const h3ou__link_ops waitio__link_ops;
#pragma GCC visibility pop

#endif
