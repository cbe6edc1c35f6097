/* SPDX-License-Identifier: BSD-3-Clause */
/* What libmpi.so.40 has beyond MPI. */
#include "mpi_adaptor/front/openmpi.h"

__attribute__((visibility("default"))) int MPIX_Query_cuda_support(void);

/* Buffers in a GPU's memory are passed to the real MPI, which is not asked whether it knows them. */
int MPIX_Query_cuda_support(void)
{
    return 0;
}
