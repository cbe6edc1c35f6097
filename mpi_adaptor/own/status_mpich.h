/* SPDX-License-Identifier: BSD-3-Clause */
/* The status of MPICH and that of the hub; MPI_ERROR is left alone. Included by fronts and backs. */
#ifndef H3OU_MPI_ADAPTOR_STATUS_MPICH_H
#define H3OU_MPI_ADAPTOR_STATUS_MPICH_H

static inline void count_hub(abi_Status *to, const MPI_Status *from)
{
    to->MPI_internal[0] = from->count_lo;
    to->MPI_internal[1] = from->count_hi_and_cancelled;
}

static inline void count_own(MPI_Status *to, const abi_Status *from)
{
    to->count_lo = from->MPI_internal[0];
    to->count_hi_and_cancelled = from->MPI_internal[1];
}

#endif
