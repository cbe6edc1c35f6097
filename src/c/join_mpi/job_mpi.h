/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI by which waitio_init joined, for calls that all processes of the job make later. */
#ifndef H3OU_JOIN_MPI_JOB_MPI_H
#define H3OU_JOIN_MPI_JOB_MPI_H

#include <stdbool.h>

#include "mpi/mpi.h"

#pragma GCC visibility push(default)
/* Keeps a communicator of all processes of the job, until MPI_Finalize. */
void h3ou__job_mpi_keep(const h3ou__mpi_ops *mpi, h3ou__mpi_comm comm);
/* Returns whether this process joined by an MPI that still runs, and sets both to it and to the communicator, in which
 * the ranks are those in the PB. All processes of a job that have come as far in their program get the same answer. */
bool h3ou__job_mpi_find(const h3ou__mpi_ops **mpi, h3ou__mpi_comm *comm);
/* Starts the MPI with which the program is linked, if it has one that has not been started; and ends it, if this started it.
 * Collective over the job. */
int h3ou__job_mpi_start(void);
int h3ou__job_mpi_end(void);
#pragma GCC visibility pop

#endif
