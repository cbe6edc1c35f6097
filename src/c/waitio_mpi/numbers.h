/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups by number: in Fortran a group is a default integer. */
#ifndef WAITIO_MPI_NUMBERS_H
#define WAITIO_MPI_NUMBERS_H

#include "waitio.h"

/* Gives the group a number: 1, 2, ...; 0 for NULL. Borrows the group, which lives until the process ends. */
int waitio__numbers_add(waitio_group_t group, int *number);
/* Returns the group with this number, NULL for a number that was never given; for -1 WAITIO_MPI_COMM_WORLD. */
waitio_group_t waitio__numbers_find(int number);

#endif
