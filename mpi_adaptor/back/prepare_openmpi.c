/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_adaptor/back/openmpi.h"

int *own_unweighted = MPI_UNWEIGHTED;
int *own_weights_empty = MPI_WEIGHTS_EMPTY;

/* ROMIO is a plugin that calls MPI_*, which it would find in the front: OMPIO does the files. */
void real_prepare(bool is_beside)
{
    if (!is_beside && !getenv("OMPI_MCA_io") && setenv("OMPI_MCA_io", "^romio321", 0) == 0)
        hub_note("files of Open MPI are read and written by OMPIO (OMPI_MCA_io=^romio321)");
}
