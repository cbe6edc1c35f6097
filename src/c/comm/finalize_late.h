/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize at the exit of a program that called MPI_Init itself and left MPI_Finalize to this library. */
#ifndef H3OU_COMM_FINALIZE_LATE_H
#define H3OU_COMM_FINALIZE_LATE_H

#include "mpi/mpi.h"

/* Registers a call of MPI_Finalize at the program's exit with status 0, unless the program has called it by then. A
 * program that exits with an error does not call it, since MPI_Finalize could wait for processes that wait for this
 * one. */
int h3ou__finalize_late(const h3ou__mpi_ops *mpi);

#endif
