/* SPDX-License-Identifier: BSD-3-Clause */
/* The status of Open MPI and that of the hub; MPI_ERROR is left alone. Included by fronts and backs. */
#ifndef H3OU_MPI_ADAPTOR_STATUS_OPENMPI_H
#define H3OU_MPI_ADAPTOR_STATUS_OPENMPI_H

static inline void count_hub(abi_Status *to, const MPI_Status *from)
{
    to->MPI_internal[0] = (int)(from->_ucount & 0xffffffff);
    to->MPI_internal[1] = (int)((from->_ucount >> 32) << 1) | (from->_cancelled ? 1 : 0);
}

static inline void count_own(MPI_Status *to, const abi_Status *from)
{
    to->_cancelled = from->MPI_internal[1] & 1;
    to->_ucount = (size_t)(unsigned)from->MPI_internal[0] | (size_t)((unsigned)from->MPI_internal[1] >> 1) << 32;
}

#endif
