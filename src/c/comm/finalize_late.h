/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize at the end of a program that started MPI itself and leaves its end to this library. */
#ifndef H3OU_COMM_FINALIZE_LATE_H
#define H3OU_COMM_FINALIZE_LATE_H

#include "mpi/mpi.h"

/* From here on the program's exit with status 0 calls MPI_Finalize, unless the program has called it by then. A program
 * that fails leaves its end to the launcher: MPI_Finalize could wait for others that wait for it. */
int h3ou__finalize_late(const h3ou__mpi_ops *mpi);

#endif
