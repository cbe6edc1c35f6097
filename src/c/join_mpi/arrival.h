/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All processes of a job call h3ou_init or waitio_init: until the others have, a process waits here, with patience. A
 * blocking collective call of MPI would wait for ever for a program that never comes: one that has ended, or that is in
 * a collective call of its own on MPI_COMM_WORLD, in which it waits for this process.
 */
#ifndef H3OU_JOIN_MPI_ARRIVAL_H
#define H3OU_JOIN_MPI_ARRIVAL_H

#include "mpi/mpi.h"

#pragma GCC visibility push(default)
/* Collective over the job. H3OU__ETIMEOUT, with the ranks in MPI_COMM_WORLD of those that have not come, after
 * `patience` seconds. H3OU__EJOIN when the processes of a job do not know of each other, for lack of the right mpirun. */
int h3ou__arrive(const h3ou__mpi_ops *mpi, double patience);
#pragma GCC visibility pop

#endif
