/* SPDX-License-Identifier: BSD-3-Clause */
/* What own_NAME.h and status_NAME.h give put together, and sentinels that are pointers. Included by fronts and backs. */
#ifndef H3OU_MPI_ADAPTOR_STATUS_COMMON_H
#define H3OU_MPI_ADAPTOR_STATUS_COMMON_H

#define ABI_IN_PLACE ((void *)1)
#define ABI_UNWEIGHTED ((int *)10)
#define ABI_WEIGHTS_EMPTY ((int *)11)

static inline void status_hub(abi_Status *to, const MPI_Status *from)
{
    to->MPI_SOURCE = rank_of_status_hub(from->MPI_SOURCE);
    to->MPI_TAG = tag_of_status_hub(from->MPI_TAG);
    count_hub(to, from);
}

static inline void status_own(MPI_Status *to, const abi_Status *from)
{
    to->MPI_SOURCE = rank_of_status_own(from->MPI_SOURCE);
    to->MPI_TAG = tag_of_status_own(from->MPI_TAG);
    count_own(to, from);
}

/* MPI's buffers of both ways are void * here; a const one is only passed on. */
static inline void *buffer_hub(const void *own)
{
    return own == MPI_IN_PLACE ? ABI_IN_PLACE : (void *)(uintptr_t)own;
}

static inline void *buffer_own(const void *hub)
{
    return hub == ABI_IN_PLACE ? MPI_IN_PLACE : (void *)(uintptr_t)hub;
}

#endif
