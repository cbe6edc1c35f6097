/* SPDX-License-Identifier: BSD-3-Clause */
/* The back on Open MPI 4.1: handles are pointers, which are the hub's handles. */
#ifndef H3OU_MPI_ADAPTOR_BACK_OPENMPI_H
#define H3OU_MPI_ADAPTOR_BACK_OPENMPI_H

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <mpi.h>
#include <mpi-ext.h>
#include <string.h>

#include "hub_table.h"
#include "mpi_adaptor/back/real.h"
#include "real_openmpi.h"

#define REAL_NAME "Open MPI"
/* Open MPI's plugins need no library, but its symbols, so these must be seen by what is opened later. */
#define REAL_SCOPE RTLD_GLOBAL
#define REAL_TELLING "MPI_Send", "PMPI_Send", "MPI_Init", "ompi_mpi_comm_world"
#define REAL_TELLING_GLOBAL "ompi_mpi_comm_world", "ompi_mpi_comm_null", "ompi_request_null"

/* Codes that are no predefined class were added by the program. */
static inline int own_error_hub(int own)
{
    return own + ABI_LASTCODE;
}

static inline int own_error_own(int hub)
{
    return hub > ABI_LASTCODE ? hub - ABI_LASTCODE : MPI_ERR_OTHER;
}
#include "own_openmpi.h"

#include "mpi_adaptor/own/pointer.h"
#include "mpi_adaptor/own/status_openmpi.h"
#include "mpi_adaptor/own/status_common.h"

#define POINTER_HANDLE(C)                                                                                                                  \
    POINTER_HUB(C)                                                                                                                         \
    POINTER_OWN(C)
OWN_CLASSES(POINTER_HANDLE)
POINTER_HANDLE(T_pvar_handle)

#include "mpi_adaptor/back/direction.h"
#include "mpi_adaptor/own/late_pointer.h"
#include "mpi_adaptor/piece/piece.h"

#endif
