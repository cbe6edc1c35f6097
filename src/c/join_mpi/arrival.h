/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting, with a time limit, until all processes of a job have called h3ou_init or waitio_init. A blocking collective
 * call of MPI would wait for ever for a program that never calls them: one that has ended, or that is in a collective
 * call of its own on MPI_COMM_WORLD, in which it waits for this process.
 */
#ifndef H3OU_JOIN_MPI_ARRIVAL_H
#define H3OU_JOIN_MPI_ARRIVAL_H

#include "mpi/mpi.h"

#pragma GCC visibility push(default)
/* Collective over the job. H3OU__ETIMEOUT after `patience` seconds, naming the ranks in the job's communicator that have
 * not called it. H3OU__EJOIN when the processes of a job do not know of each other, because it was started by the wrong
 * mpirun. */
int h3ou__arrive(const h3ou__mpi_ops *mpi, double patience);
#pragma GCC visibility pop

#endif
