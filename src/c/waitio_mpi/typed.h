/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of a type of waitio_mpi.h, and messages of it on behalf of collectives. */
#ifndef WAITIO_MPI_TYPED_H
#define WAITIO_MPI_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "waitio_mpi.h"

typedef struct waitio__typed {
    size_t size; /* bytes of an element */
    int kind;    /* enum h3ou__type; H3OU__BYTE: cannot be reduced */
} waitio__typed;

int waitio__typed_find(const char *call, WAITIO_MPI_Datatype type, waitio__typed *out);
/* Bytes of count elements; an error when count is negative or the type is none. */
int waitio__typed_bytes(const char *call, int count, WAITIO_MPI_Datatype type, size_t *bytes);
/* Messages of collectives have tags that no program can give. */
int waitio__typed_start(bool is_send, void *buf, size_t bytes, int peer, WAITIO_MPI_Comm comm, waitio_req_t *req);
int waitio__typed_move(bool is_send, void *buf, size_t bytes, int peer, WAITIO_MPI_Comm comm);
/* Rank and size of a member; an error for who is none, or a root that is none. */
int waitio__typed_place(const char *call, WAITIO_MPI_Comm comm, int root, int *rank, int *size);

#endif
