/* SPDX-License-Identifier: BSD-3-Clause */
/* The front of Open MPI 4: its predefined handles are addresses of objects in the program, whose first words are the hub's handle and the
 * real MPI's. */
#ifndef H3OU_MPI_ADAPTOR_FRONT_OPENMPI_H
#define H3OU_MPI_ADAPTOR_FRONT_OPENMPI_H

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC visibility push(default)
#include <mpi.h>
#include <mpi-ext.h>
#pragma GCC visibility pop
#undef MPI_Aint_add
#undef MPI_Aint_diff
#undef PMPI_Aint_add
#undef PMPI_Aint_diff
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint displacement);
MPI_Aint PMPI_Aint_diff(MPI_Aint a, MPI_Aint b);

#include <string.h>

#include "hub_table.h"
#include "mpi_adaptor/front/handle_number.h"

#define HANDLE_ADDRESS(symbol) ((intptr_t) & (symbol))
#define HANDLE_VARIABLE(symbol) ((intptr_t)(symbol))
static inline int own_error_hub(int own)
{
    return own > ABI_LASTCODE ? own : ABI_ERR_UNKNOWN;
}

static inline int own_error_own(int hub)
{
    return hub > ABI_LASTCODE ? hub : MPI_ERR_OTHER;
}
#include "own_openmpi.h"

#define POINTER_IS_NUMBER(at) ((at) < 0)
#include "mpi_adaptor/own/pointer.h"
#include "mpi_adaptor/own/status_openmpi.h"
#include "mpi_adaptor/own/status_common.h"

/* Where the objects are: in the program, which has copies of those that it names, and in this library. */
struct objects {
    uintptr_t first, bytes;
};
extern struct objects objects_of_program __attribute__((visibility("hidden")));
extern struct objects objects_of_library __attribute__((visibility("hidden")));

#ifdef FRONT_BESIDE
/* The real library's objects, with what that keeps there: the hub's handle of each is in a table, by its place. */
struct object_places {
    struct objects at;
    uint16_t *hub; /* [at.bytes / 8] */
};
extern struct object_places places_of_program __attribute__((visibility("hidden")));
extern struct object_places places_of_library __attribute__((visibility("hidden")));

static inline intptr_t object_hub(intptr_t own)
{
    uintptr_t place = (uintptr_t)own - places_of_program.at.first;
    const struct object_places *places = &places_of_program;
    if (place >= places->at.bytes) {
        places = &places_of_library;
        place = (uintptr_t)own - places->at.first;
        if (place >= places->at.bytes)
            return own;
    }
    intptr_t known = place % sizeof(intptr_t) == 0 ? places->hub[place / sizeof(intptr_t)] : 0;
    return known ? known : own;
}
#else
/* Created handles of MPICH are negative, those of an MPI with pointers are elsewhere. */
static inline intptr_t object_hub(intptr_t own)
{
    if (own >= 0 && ((uintptr_t)own - objects_of_program.first < objects_of_program.bytes ||
                     (uintptr_t)own - objects_of_library.first < objects_of_library.bytes))
        return *(const intptr_t *)own;
    return own;
}
#endif

#define OBJECT_HANDLE(C)                                                                                                                   \
    static inline abi_##C C##_hub(MPI_##C h) { return (abi_##C)object_hub((intptr_t)h); }                                                  \
    POINTER_OWN(C)                                                                                                                         \
    POINTER_NEW(C)
OBJECT_HANDLE(Comm)
OBJECT_HANDLE(Group)
OBJECT_HANDLE(Win)
OBJECT_HANDLE(Message)
OBJECT_HANDLE(Info)
OBJECT_HANDLE(Errhandler)
OBJECT_HANDLE(Request)
OBJECT_HANDLE(Op)
OBJECT_HANDLE(Datatype)
static inline abi_File File_hub(MPI_File h)
{
    return (abi_File)object_hub((intptr_t)h);
}
POINTER_OWN(File)
FILE_NEW
POINTER_HUB(T_pvar_handle)
POINTER_OWN(T_pvar_handle)
POINTER_NEW(T_pvar_handle)

#include "mpi_adaptor/front/shortcut.h"

static inline void predefined_take(int handle, intptr_t real)
{
    ((intptr_t *)own_of[handle])[1] = real;
}

#ifdef FRONT_BESIDE
SHORTCUT_INLINE int object_real(intptr_t own, intptr_t *real)
{
    *real = own;
    return 0;
}
#else
SHORTCUT_INLINE int object_real(intptr_t own, intptr_t *real)
{
    *real = own;
    if (own < 0)
        return shortcut.is_number;
    if ((uintptr_t)own - objects_of_program.first < objects_of_program.bytes ||
        (uintptr_t)own - objects_of_library.first < objects_of_library.bytes) {
        *real = ((const intptr_t *)own)[1];
        return *real != 0;
    }
    return shortcut.is_pointer;
}
#endif

#define OBJECT_REAL(C)                                                                                                                     \
    SHORTCUT_INLINE int C##_real(MPI_##C h, intptr_t *real)                                                                                \
    {                                                                                                                                      \
        return object_real((intptr_t)h, real);                                                                                             \
    }
OBJECT_REAL(Comm)
OBJECT_REAL(Request)
OBJECT_REAL(Datatype)

SHORTCUT_INLINE MPI_Request Request_own_real(intptr_t real)
{
    if (real == shortcut_request_null)
        return MPI_REQUEST_NULL;
    return (MPI_Request)(shortcut.is_number ? (intptr_t)(0xffffffff00000000u | (uintptr_t)real) : real);
}

SHORTCUT_INLINE MPI_Request Request_own_changed_real(MPI_Request was, intptr_t real)
{
    (void)was;
    return Request_own_real(real);
}

#include "mpi_adaptor/front/direction.h"
#include "mpi_adaptor/own/late_pointer.h"
#include "mpi_adaptor/piece/piece.h"

#ifdef FRONT_BESIDE
/* The layer's handles are odd. */
SHORTCUT_INLINE intptr_t Comm_layer(MPI_Comm h)
{
    return ((intptr_t)h & 1) && (intptr_t)h >= HUB_PREDEFINED ? (intptr_t)h : 0;
}

SHORTCUT_INLINE int Request_is_layer(MPI_Request h)
{
    return (int)((intptr_t)h & 1);
}
#include "mpi_adaptor/beside/inside.h"
#endif

#define outer_null_copy(kind) ((void *)MPI_##kind##_NULL_COPY_FN)
#define outer_dup(kind) ((void *)MPI_##kind##_DUP_FN)
#define outer_null_delete(kind) ((void *)MPI_##kind##_NULL_DELETE_FN)

#endif
