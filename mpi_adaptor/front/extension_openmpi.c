/* SPDX-License-Identifier: BSD-3-Clause */
/* What libmpi.so.40 has beyond MPI, except what the hub has by a name of MPI-4. */
#include "mpi_adaptor/front/openmpi.h"
#include "mpi_adaptor/piece/piece.h"

/* Buffers in a GPU's memory are passed to the real MPI, which is not asked whether it knows them. */
#pragma GCC visibility push(default)
int MPIX_Query_cuda_support(void)
{
    return 0;
}

int OMPI_Affinity_str(ompi_affinity_fmt_t format, char bound[OMPI_AFFINITY_STRING_MAX], char binding[OMPI_AFFINITY_STRING_MAX],
                      char exists[OMPI_AFFINITY_STRING_MAX])
{
    (void)format;
    *bound = *binding = *exists = '\0';
    return error_outer(hub_refuse("OMPI_Affinity_str"));
}
#pragma GCC visibility pop
