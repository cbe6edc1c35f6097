/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_adaptor/back/mpich.h"

int *own_unweighted;
int *own_weights_empty;
uint16_t predefined_hub[64][256];

void real_prepare(bool is_beside)
{
    (void)is_beside;
    own_unweighted = (int *)HANDLE_VARIABLE(MPI_UNWEIGHTED);
    own_weights_empty = (int *)HANDLE_VARIABLE(MPI_WEIGHTS_EMPTY);
    predefined_index();
}

/* A code of MPICH holds its class and where its sentence stands. Of codes that the program has not added only the class passes. */
int own_error_hub(int own)
{
    int class = MPI_ERR_UNKNOWN;
    if (own & ERROR_ADDED)
        return (own & ~ERROR_ADDED) + ABI_LASTCODE;
    if (real.Error_class(own, &class) != MPI_SUCCESS || class == own)
        return ABI_ERR_UNKNOWN;
    return error_hub(class);
}
