/* SPDX-License-Identifier: BSD-3-Clause */
/* What libmpich.so.12 has beyond MPI: memory of a GPU is passed to the real MPI, which is not asked whether it knows it. */
#include "mpi_adaptor/front/mpich.h"

#define WEAK(name) __typeof__(PMPIX_##name) MPIX_##name __attribute__((weak, alias("PMPIX_" #name)));

int PMPIX_Query_cuda_support(void)
{
    return 0;
}
WEAK(Query_cuda_support)

int PMPIX_Query_hip_support(void)
{
    return 0;
}
WEAK(Query_hip_support)

int PMPIX_Query_ze_support(void)
{
    return 0;
}
WEAK(Query_ze_support)

int PMPIX_GPU_query_support(int kind, int *is_supported)
{
    (void)kind;
    *is_supported = 0;
    return MPI_SUCCESS;
}
WEAK(GPU_query_support)
