/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of the types of waitio_mpi.h, and messages of them for collectives. */
#ifndef WAITIO_MPI_TYPED_H
#define WAITIO_MPI_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "waitio_mpi.h"

typedef struct waitio__typed {
    int size;    /* bytes of an element */
    int unit;    /* bytes whose order depends on the machine: half of a complex element */
    int element; /* enum waitio__element */
} waitio__typed;

int waitio__typed_find(const char *call, WAITIO_MPI_Datatype type, waitio__typed *out);
/* Sets *bytes to the size of count elements; fails when count is negative or the type unknown. */
int waitio__typed_bytes(const char *call, int count, WAITIO_MPI_Datatype type, size_t *bytes);
/* Returns the tag of the messages of the n-th schedule on a communicator, which no program can use. */
waitio_tag_t waitio__typed_tag(uint32_t n);
/* Sets rank and size; fails when this process is not a member, or root is not a rank. */
int waitio__typed_place(const char *call, WAITIO_MPI_Comm comm, int root, int *rank, int *size);

#endif
