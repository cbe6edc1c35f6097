/* SPDX-License-Identifier: BSD-3-Clause */
/* The beginning and the end of this process's MPI, with time limits for those MPI calls that may never return. */
#ifndef H3OU_COMM_MPI_LIFE_H
#define H3OU_COMM_MPI_LIFE_H

#include "mpi/mpi.h"

/* Finds the process's MPI and calls MPI_Init unless the program did, then waits until all processes of the job have
 * called this. comm: Fortran handle of the communicator whose processes are the job; NULL: MPI_COMM_WORLD. Collective over
 * the job. */
int h3ou__mpi_begin(const int *comm, const h3ou__mpi_ops **mpi, int *did_init);
/* Calls MPI_Finalize. */
int h3ou__mpi_end(const h3ou__mpi_ops *mpi);
/* Calls MPI_Abort if MPI is initialised; returns only if it failed. mpi may be NULL. */
void h3ou__mpi_kill(const h3ou__mpi_ops *mpi, int code);

#endif
