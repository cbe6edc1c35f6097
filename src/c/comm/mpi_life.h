/* SPDX-License-Identifier: BSD-3-Clause */
/* The beginning and the end of this process's MPI: the calls of it that may never return have a bound. */
#ifndef H3OU_COMM_MPI_LIFE_H
#define H3OU_COMM_MPI_LIFE_H

#include "mpi/mpi.h"

/* Finds the process's MPI and calls MPI_Init unless the program did, then waits until all processes of the job are
 * there. Collective over the job. */
int h3ou__mpi_begin(const h3ou__mpi_ops **mpi, int *did_init);
/* MPI_Finalize. */
int h3ou__mpi_end(const h3ou__mpi_ops *mpi);
/* MPI_Abort, where MPI runs; returns only if it failed. mpi may be NULL. */
void h3ou__mpi_kill(const h3ou__mpi_ops *mpi, int code);

#endif
