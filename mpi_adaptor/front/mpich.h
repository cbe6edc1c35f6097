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
NUMBER_HANDLE(Request, predefined_find, MPI_REQUEST_NULL)
NUMBER_HANDLE(Op, predefined_find, MPI_OP_NULL)
NUMBER_HANDLE(Datatype, predefined_find, MPI_DATATYPE_NULL)
POINTER_HUB(File)
POINTER_OWN(File)
FILE_NEW
POINTER_HUB(T_pvar_handle)
POINTER_OWN(T_pvar_handle)
POINTER_NEW(T_pvar_handle)

#include "mpi_adaptor/front/direction.h"
#include "mpi_adaptor/piece/piece.h"

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
