/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of reductions, on elements of the types of waitio_mpi.h. */
#ifndef WAITIO_MPI_OPERATION_H
#define WAITIO_MPI_OPERATION_H

#include <stdint.h>

#include "coll/execute.h"
#include "waitio_mpi.h"

/* What an element is for a reduction. */
enum waitio__element {
    WAITIO__LETTER, /* has no operation */
    WAITIO__RAW,    /* bitwise operations only */
    WAITIO__TRUTH,  /* a LOGICAL of Fortran: logical operations only */
    WAITIO__INT8,
    WAITIO__UINT8,
    WAITIO__INT16,
    WAITIO__UINT16,
    WAITIO__INT32,
    WAITIO__UINT32,
    WAITIO__INT64,
    WAITIO__UINT64,
    WAITIO__FLOAT,
    WAITIO__DOUBLE,
    WAITIO__FLOAT_COMPLEX,
    WAITIO__DOUBLE_COMPLEX,
    WAITIO__ELEMENTS
};

/* Fails, naming the call, when there is no such operation, or not for these elements. */
int waitio__operation_check(const char *call, WAITIO_MPI_Op op, int element);
/* The `combine` of h3ou__coll_data, whose type is an enum waitio__element and whose op is a WAITIO_MPI_Op. Sums and
 * products of integers wrap around. */
void waitio__operation_combine(const h3ou__coll_data *data, void *to, const void *from, int64_t n, bool is_left);

#endif
