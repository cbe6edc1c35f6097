/* SPDX-License-Identifier: BSD-3-Clause */
/* Joining a WaitIO instance by MPI, which tells rank and size, and by which the PB's processes reach each other. */
#ifndef H3OU_JOIN_MPI_JOIN_BY_MPI_H
#define H3OU_JOIN_MPI_JOIN_BY_MPI_H

#include "mpi/mpi.h"
#include "waitio/joining/job_collectives.h"

typedef struct h3ou__mpi_inside { /* the `self` of a waitio__job_collectives over MPI */
    const h3ou__mpi_ops *mpi;
    h3ou__mpi_comm world;
    double patience; /* seconds */
} h3ou__mpi_inside;

#pragma GCC visibility push(default)
/* Fills `inside`; borrows self, whose fields the caller has set. */
int h3ou__inside_mpi(h3ou__mpi_inside *self, waitio__job_collectives *inside);
/* Sets for how many seconds joining may last: H3OU_JOIN_PATIENCE, else WAITIO_JOIN_PATIENCE, else 600. */
int h3ou__join_patience(double *seconds);
#pragma GCC visibility pop

#endif
