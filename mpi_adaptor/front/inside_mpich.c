/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions inside of MPICH that its Fortran library calls: attributes as integers, and functions of the program in Fortran. */
#include "mpi_adaptor/front/mpich.h"

#define SHOWN __attribute__((visibility("default")))

/* The library calls these right after it has made the keyval or the request, in the same thread. */
SHOWN void MPII_Keyval_set_proxy(int keyval, void *copy, void *delete);
void MPII_Keyval_set_proxy(int keyval, void *copy, void *delete)
{
    (void)keyval;
    keyval_set_proxy(copy, delete);
}

SHOWN void MPII_Grequest_set_lang_f77(MPI_Request request);
void MPII_Grequest_set_lang_f77(MPI_Request request)
{
    (void)request;
    grequest_set_fortran();
}

/* In C predefined attributes are pointers to integers, in Fortran the integers. */
static intptr_t integer_of(int keyval, void *value)
{
    const int integers[] = {MPI_TAG_UB,      MPI_HOST,          MPI_IO,           MPI_WTIME_IS_GLOBAL, MPI_APPNUM,
                           MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        if (keyval == integers[i])
            return *(int *)value;
    return keyval == MPI_WIN_SIZE ? *(MPI_Aint *)value : (intptr_t)value;
}

/* Predefined keyvals of Fortran are those of C plus 1. */
static int keyval_of_c(int keyval)
{
    const int block = ~0x1f;
    int is_predefined = (keyval & block) == (MPI_TAG_UB & block) || (keyval & block) == (MPI_WIN_BASE & block);
    return is_predefined && keyval % 2 == 0 ? keyval - 1 : keyval;
}

#define ATTRIBUTE_CALLS(NAME, C)                                                                                                           \
    SHOWN int MPII_##NAME##_get_attr(MPI_##C object, int keyval, void *value, int *flag, int kind);                                        \
    int MPII_##NAME##_get_attr(MPI_##C object, int keyval, void *value, int *flag, int kind)                                               \
    {                                                                                                                                      \
        void *kept = NULL;                                                                                                                 \
        keyval = keyval_of_c(keyval);                                                                                                      \
        int error = PMPI_##NAME##_get_attr(object, keyval, &kept, flag);                                                                   \
        if (error == MPI_SUCCESS && *flag)                                                                                                 \
            *(void **)value = kind ? (void *)integer_of(keyval, kept) : kept;                                                              \
        return error;                                                                                                                      \
    }                                                                                                                                      \
    SHOWN int MPII_##NAME##_set_attr(MPI_##C object, int keyval, void *value, int kind);                                                   \
    int MPII_##NAME##_set_attr(MPI_##C object, int keyval, void *value, int kind)                                                          \
    {                                                                                                                                      \
        (void)kind;                                                                                                                        \
        return PMPI_##NAME##_set_attr(object, keyval, value);                                                                              \
    }

ATTRIBUTE_CALLS(Comm, Comm)
ATTRIBUTE_CALLS(Type, Datatype)
ATTRIBUTE_CALLS(Win, Win)
