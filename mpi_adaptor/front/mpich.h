/* SPDX-License-Identifier: BSD-3-Clause */
/* The front of MPICH 3.x and 4, whose handles have 32 bits: pointers of the real MPI get a number from a table. */
#ifndef H3OU_MPI_ADAPTOR_FRONT_MPICH_H
#define H3OU_MPI_ADAPTOR_FRONT_MPICH_H

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#define HAS_LARGE_COUNTS
#define HAS_SESSIONS

#include <stddef.h>
#include <string.h>

#include "hub_table.h"
#include "mpi_adaptor/front/handle_number.h"

#define HANDLE_ADDRESS(symbol) ((intptr_t) & (symbol))
#define HANDLE_VARIABLE(symbol) ((intptr_t)(symbol))
/* Codes that programs add have bit 30 in MPICH, and are above ABI_LASTCODE in the hub. */
enum { ERROR_ADDED = 1 << 30 };

static inline int own_error_hub(int own)
{
    return own & ERROR_ADDED ? own & ~ERROR_ADDED : ABI_ERR_UNKNOWN;
}

static inline int own_error_own(int hub)
{
    return hub > ABI_LASTCODE ? hub | ERROR_ADDED : MPI_ERR_OTHER;
}
#include "own_mpich.h"

#include "mpi_adaptor/own/pointer.h"
#include "mpi_adaptor/own/integer.h"
#include "mpi_adaptor/own/status_mpich.h"
#include "mpi_adaptor/own/status_common.h"

/* Numbers from the table: the class's null handle plus 1, 2, ..., which no handle of MPICH is. */
#define NUMBER_HANDLE(C, find, null)                                                                                                       \
    static inline abi_##C C##_hub(MPI_##C h)                                                                                               \
    {                                                                                                                                      \
        if (h > (null) && h <= (null) + (int)NUMBER_MASK)                                                                                  \
            return (abi_##C)number_handle(&numbers[NUMBER_##C], (unsigned)h & NUMBER_MASK);                                                \
        intptr_t known = find(h);                                                                                                          \
        return (abi_##C)(known ? known : created_hub(h));                                                                                  \
    }                                                                                                                                      \
    static inline MPI_##C C##_own(abi_##C h)                                                                                               \
    {                                                                                                                                      \
        if ((uintptr_t)h < HUB_PREDEFINED)                                                                                                 \
            return (MPI_##C)own_of[(uintptr_t)h];                                                                                          \
        return (intptr_t)h < 0 ? (MPI_##C)(intptr_t)h : (MPI_##C)((null) + (int)number_find(&numbers[NUMBER_##C], (intptr_t)h));           \
    }                                                                                                                                      \
    static inline MPI_##C C##_own_new(abi_##C h)                                                                                           \
    {                                                                                                                                      \
        if ((uintptr_t)h < HUB_PREDEFINED)                                                                                                 \
            return (MPI_##C)own_of[(uintptr_t)h];                                                                                          \
        return (intptr_t)h < 0 ? (MPI_##C)(intptr_t)h : (MPI_##C)((null) + (int)number_add(&numbers[NUMBER_##C], (intptr_t)h));            \
    }                                                                                                                                      \
    static inline MPI_##C C##_own_changed(MPI_##C was, abi_##C h)                                                                          \
    {                                                                                                                                      \
        if (was > (null) && was <= (null) + (int)NUMBER_MASK)                                                                              \
            number_release(&numbers[NUMBER_##C], (unsigned)was & NUMBER_MASK);                                                             \
        return C##_own_new(h);                                                                                                             \
    }
NUMBER_HANDLE(Comm, predefined_find, MPI_COMM_NULL)
NUMBER_HANDLE(Group, predefined_find, MPI_GROUP_NULL)
NUMBER_HANDLE(Win, predefined_find, MPI_WIN_NULL)
NUMBER_HANDLE(Session, predefined_find, MPI_SESSION_NULL)
NUMBER_HANDLE(Message, message_find, MPI_MESSAGE_NULL)
NUMBER_HANDLE(Info, predefined_find, MPI_INFO_NULL)
NUMBER_HANDLE(Errhandler, predefined_find, MPI_ERRHANDLER_NULL)
NUMBER_HANDLE(Op, predefined_find, MPI_OP_NULL)
NUMBER_HANDLE(Datatype, predefined_find, MPI_DATATYPE_NULL)

static inline abi_Request Request_hub(MPI_Request h)
{
    unsigned number = (unsigned)h - (unsigned)MPI_REQUEST_NULL;
    if (number == 0)
        return (abi_Request)ABI_REQUEST_NULL;
    return (abi_Request)(number <= NUMBER_MASK ? request_handle(number) : created_hub(h));
}

static inline MPI_Request Request_own_new(abi_Request h)
{
    if ((intptr_t)h == ABI_REQUEST_NULL)
        return MPI_REQUEST_NULL;
    return (intptr_t)h < 0 ? (MPI_Request)(intptr_t)h : MPI_REQUEST_NULL + (int)request_add((intptr_t)h);
}

static inline MPI_Request Request_own(abi_Request h)
{
    return Request_own_new(h);
}

static inline MPI_Request Request_own_changed(MPI_Request was, abi_Request h)
{
    unsigned number = (unsigned)was - (unsigned)MPI_REQUEST_NULL;
    if (number != 0 && number <= NUMBER_MASK)
        request_release(number);
    return Request_own_new(h);
}

POINTER_HUB(File)
POINTER_OWN(File)
FILE_NEW
POINTER_HUB(T_pvar_handle)
POINTER_OWN(T_pvar_handle)
POINTER_NEW(T_pvar_handle)

/* Shortcuts serve an MPI whose handles are pointers; on another one the tables below stay empty, so that all goes by the hub. */
#define SHORTCUT_IS_NUMBER 0
#include "mpi_adaptor/front/shortcut.h"

/* Predefined handles by their index, and what they are in the real MPI. */
struct predefined_real {
    intptr_t own, real;
};
enum { Comm_reals = 4, Datatype_reals = 256 };
extern unsigned shortcut_numbers __attribute__((visibility("hidden"))); /* NUMBER_MASK, or 0 while nothing has a shortcut */
extern struct predefined_real comm_reals[Comm_reals] __attribute__((visibility("hidden")));
extern struct predefined_real datatype_reals[Datatype_reals] __attribute__((visibility("hidden")));

static inline void predefined_take(int handle, intptr_t real)
{
    enum { BUILTIN = 1 << 30 };
    struct predefined_real both = {own_of[handle], real};
    shortcut_numbers = shortcut.is_pointer ? NUMBER_MASK : 0;
    if (!shortcut.is_pointer || ((unsigned)both.own & 3u << 30) != BUILTIN)
        return;
    if (handle >= Comm_first && handle <= Comm_last)
        comm_reals[both.own & (Comm_reals - 1)] = both;
    else if (handle >= Datatype_first && handle <= Datatype_last)
        datatype_reals[both.own & (Datatype_reals - 1)] = both;
}

#define NUMBER_REAL(C, table, null)                                                                                                        \
    SHORTCUT_INLINE int C##_real(MPI_##C h, intptr_t *real)                                                                                \
    {                                                                                                                                      \
        const struct predefined_real *p = &table[(unsigned)h & (C##_reals - 1)];                                                           \
        *real = p->real;                                                                                                                   \
        if (__builtin_expect(p->own == h, 1))                                                                                              \
            return 1;                                                                                                                      \
        unsigned number = (unsigned)h - (unsigned)(null);                                                                                  \
        *real = number <= shortcut_numbers ? number_handle(&numbers[NUMBER_##C], number) : 0;                                              \
        return *real != 0;                                                                                                                 \
    }
NUMBER_REAL(Comm, comm_reals, MPI_COMM_NULL)
NUMBER_REAL(Datatype, datatype_reals, MPI_DATATYPE_NULL)

SHORTCUT_INLINE int Request_real(MPI_Request h, intptr_t *real)
{
    unsigned number = (unsigned)h - (unsigned)MPI_REQUEST_NULL;
    *real = number <= NUMBER_MASK ? request_handle(number) : 0;
    if (number == 0)
        *real = shortcut_request_null;
    return *real != 0;
}

SHORTCUT_INLINE MPI_Request Request_own_real(intptr_t real)
{
    return real == shortcut_request_null ? MPI_REQUEST_NULL : MPI_REQUEST_NULL + (int)request_add(real);
}

SHORTCUT_INLINE MPI_Request Request_own_changed_real(MPI_Request was, intptr_t real)
{
    unsigned number = (unsigned)was - (unsigned)MPI_REQUEST_NULL;
    if (number != 0)
        request_release(number);
    return Request_own_real(real);
}

#include "mpi_adaptor/front/direction.h"
#include "mpi_adaptor/piece/piece.h"

#ifdef FRONT_BESIDE
/* Of the layer are the numbers from the table. */
SHORTCUT_INLINE intptr_t Comm_layer(MPI_Comm h)
{
    unsigned number = (unsigned)h - (unsigned)MPI_COMM_NULL;
    return __builtin_expect(number - 1 < NUMBER_MASK, 0) ? number_handle(&numbers[NUMBER_Comm], number) : 0;
}

SHORTCUT_INLINE int Request_is_layer(MPI_Request h)
{
    return (unsigned)h - (unsigned)MPI_REQUEST_NULL - 1 < NUMBER_MASK;
}
#include "mpi_adaptor/beside/inside.h"
#endif

static inline inner_Comm *late_comm(outer_Comm *made)
{
    (void)made;
    return scratch_get(sizeof(inner_Comm));
}

static inline void late_comm_after(inner_Comm *late, outer_Comm *made, const outer_Request *request, int error)
{
    if (error == 0) {
        *made = Comm_own_new(*late);
        kept_until(late, *request);
    } else {
        free(late);
    }
}

#define outer_null_copy(kind) ((void *)0)
#define outer_dup(kind) ((void *)MPIR_Dup_fn)
#define outer_null_delete(kind) ((void *)0)

#endif
