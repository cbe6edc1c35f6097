/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of libmpi.so.40 that programs name to copy and delete attributes in the usual ways. */
#include "mpi_adaptor/front/openmpi.h"

#define USUAL(KIND, C)                                                                                                                     \
    int OMPI_C_MPI_##KIND##NULL_DELETE_FN(MPI_##C object, int keyval, void *value, void *state)                                           \
    {                                                                                                                                      \
        (void)object;                                                                                                                      \
        (void)keyval;                                                                                                                      \
        (void)value;                                                                                                                       \
        (void)state;                                                                                                                       \
        return MPI_SUCCESS;                                                                                                                \
    }                                                                                                                                      \
                                                                                                                                           \
    int OMPI_C_MPI_##KIND##NULL_COPY_FN(MPI_##C object, int keyval, void *state, void *in, void *out, int *flag)                          \
    {                                                                                                                                      \
        (void)object;                                                                                                                      \
        (void)keyval;                                                                                                                      \
        (void)state;                                                                                                                       \
        (void)in;                                                                                                                          \
        (void)out;                                                                                                                         \
        *flag = 0;                                                                                                                         \
        return MPI_SUCCESS;                                                                                                                \
    }                                                                                                                                      \
                                                                                                                                           \
    int OMPI_C_MPI_##KIND##DUP_FN(MPI_##C object, int keyval, void *state, void *in, void *out, int *flag)                                \
    {                                                                                                                                      \
        (void)object;                                                                                                                      \
        (void)keyval;                                                                                                                      \
        (void)state;                                                                                                                       \
        *(void **)out = in;                                                                                                                \
        *flag = 1;                                                                                                                         \
        return MPI_SUCCESS;                                                                                                                \
    }

USUAL(COMM_, Comm)
USUAL(TYPE_, Datatype)
USUAL(WIN_, Win)
USUAL(, Comm)
