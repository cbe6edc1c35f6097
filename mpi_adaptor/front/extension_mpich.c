/* SPDX-License-Identifier: BSD-3-Clause */
/* What libmpich.so.12 has beyond MPI: memory of a GPU is passed to the real MPI, which is not asked whether it knows it. */
#include "mpi_adaptor/front/mpich.h"

int MPIX_Query_cuda_support(void)
{
    return 0;
}

int MPIX_Query_hip_support(void)
{
    return 0;
}

int MPIX_Query_ze_support(void)
{
    return 0;
}

int MPIX_GPU_query_support(int kind, int *is_supported)
{
    (void)kind;
    *is_supported = 0;
    return MPI_SUCCESS;
}
