/* SPDX-License-Identifier: BSD-3-Clause */
#include "join_mpi/job_mpi.h"

#include "base/error.h"

static struct {
    const h3ou__mpi_ops *mpi; /* NULL: none */
    h3ou__mpi_comm comm;
} kept;

void h3ou__job_mpi_keep(const h3ou__mpi_ops *mpi, h3ou__mpi_comm comm)
{
    kept.mpi = mpi;
    kept.comm = comm;
}

bool h3ou__job_mpi_find(const h3ou__mpi_ops **mpi, h3ou__mpi_comm *comm)
{
    int running = 0, finalized = 0;
    *mpi = kept.mpi;
    *comm = kept.comm;
    return kept.mpi && !kept.mpi->initialized(&running, &finalized) && running && !finalized;
}
