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

#ifdef FRONT_BESIDE
#include <dlfcn.h>

/* A front beside the real library stands before it in the order of the search, so that library finds these functions, too, where it means its own. Returns
 * the library's own function when that is the caller, or the back, because the library's PMPI functions end with a jump; else NULL. */
static void *own_of_library(const char *name, const void *caller)
{
    void *own = dlsym(RTLD_NEXT, name);
    Dl_info of_own, of_back, of_caller;
    if (!own || !dladdr(own, &of_own) || !dladdr((void *)(uintptr_t)hub->Type_size, &of_back) || !dladdr(caller, &of_caller))
        return NULL;
    return of_caller.dli_fbase == of_own.dli_fbase || of_caller.dli_fbase == of_back.dli_fbase ? own : NULL;
}
#define IF_OF_LIBRARY(NAME, ...)                                                                                                           \
    void *own = own_of_library(#NAME, __builtin_return_address(0));                                                                        \
    if (own)                                                                                                                               \
        return ((__typeof__(&NAME))own)(__VA_ARGS__);
#else
#define IF_OF_LIBRARY(NAME, ...)
#endif

#define ATTRIBUTE_CALLS(NAME, C)                                                                                                           \
    SHOWN int MPII_##NAME##_get_attr(MPI_##C object, int keyval, void *value, int *flag, int kind);                                        \
    int MPII_##NAME##_get_attr(MPI_##C object, int keyval, void *value, int *flag, int kind)                                               \
    {                                                                                                                                      \
        IF_OF_LIBRARY(MPII_##NAME##_get_attr, object, keyval, value, flag, kind)                                                           \
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
        IF_OF_LIBRARY(MPII_##NAME##_set_attr, object, keyval, value, kind)                                                                 \
        (void)kind;                                                                                                                        \
        return PMPI_##NAME##_set_attr(object, keyval, value);                                                                              \
    }

ATTRIBUTE_CALLS(Comm, Comm)
ATTRIBUTE_CALLS(Type, Datatype)
ATTRIBUTE_CALLS(Win, Win)
