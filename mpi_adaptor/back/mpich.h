/* SPDX-License-Identifier: BSD-3-Clause */
/* The back on MPICH 4: created handles are numbers, which the hub has with sign. */
#ifndef H3OU_MPI_ADAPTOR_BACK_MPICH_H
#define H3OU_MPI_ADAPTOR_BACK_MPICH_H

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <mpi.h>
#define HAS_LARGE_COUNTS
#define HAS_SESSIONS

#include <stddef.h>
#include <string.h>

#include "hub_table.h"
#include "mpi_adaptor/back/real.h"
#include "real_mpich.h"

#define REAL_NAME "MPICH"
#define REAL_SCOPE RTLD_LOCAL
#define REAL_TELLING "MPI_Send", "PMPI_Send", "MPI_Init"
#define REAL_TELLING_GLOBAL NULL
/* Codes that programs add have bit 30 in MPICH, and are above ABI_LASTCODE in the hub. */
enum { ERROR_ADDED = 1 << 30 };

int own_error_hub(int own);
static inline int own_error_own(int hub)
{
    return hub > ABI_LASTCODE ? (hub - ABI_LASTCODE) | ERROR_ADDED : MPI_ERR_OTHER;
}
#include "own_mpich.h"

#define POINTER_IS_NUMBER(at) ((at) < 0)
#include "mpi_adaptor/own/pointer.h"
#include "mpi_adaptor/own/integer.h"
#include "mpi_adaptor/own/status_mpich.h"
#include "mpi_adaptor/own/status_common.h"

#define INTEGER_HANDLE(C, find)                                                                                                            \
    static inline abi_##C C##_hub(MPI_##C h)                                                                                               \
    {                                                                                                                                      \
        intptr_t known = find(h);                                                                                                          \
        return (abi_##C)(known ? known : created_hub(h));                                                                                  \
    }                                                                                                                                      \
    POINTER_OWN(C)
INTEGER_HANDLE(Comm, predefined_find)
INTEGER_HANDLE(Group, predefined_find)
INTEGER_HANDLE(Win, predefined_find)
INTEGER_HANDLE(Session, predefined_find)
INTEGER_HANDLE(Message, message_find)
INTEGER_HANDLE(Info, predefined_find)
INTEGER_HANDLE(Errhandler, predefined_find)
INTEGER_HANDLE(Request, predefined_find)
INTEGER_HANDLE(Op, predefined_find)
INTEGER_HANDLE(Datatype, predefined_find)
POINTER_HUB(File)
POINTER_OWN(File)
POINTER_HUB(T_pvar_handle)
POINTER_OWN(T_pvar_handle)

#include "mpi_adaptor/back/direction.h"
#include "mpi_adaptor/piece/piece.h"

/* MPICH writes a communicator's handle once, before the call returns. */
static inline inner_Comm *late_comm(outer_Comm *made)
{
    static _Thread_local inner_Comm handle;
    (void)made;
    return &handle;
}

static inline void late_comm_after(const inner_Comm *late, outer_Comm *made, const outer_Request *request, int error)
{
    (void)request;
    if (error == 0)
        *made = Comm_hub(*late);
}

#endif
