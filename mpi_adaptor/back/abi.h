/* SPDX-License-Identifier: BSD-3-Clause */
/* The back on a library of the MPI standard ABI, libmpi_abi.so.0: its types, handles, constants and sentinels are the
 * hub's and pass. What a library may keep its own way is the private part of a status and error codes that are no
 * class. */
#ifndef H3OU_MPI_ADAPTOR_BACK_ABI_H
#define H3OU_MPI_ADAPTOR_BACK_ABI_H

#include <string.h>

#include "hub_table.h"
#include "mpi_adaptor/back/real.h"
#include "real_abi.h"

extern struct shortcut back_shortcut __attribute__((visibility("hidden")));
#define BACK_SHORTCUT (&back_shortcut)

#define REAL_NAME  "the MPI standard ABI's library"
#define REAL_SCOPE RTLD_LOCAL
/* The library may be several, which dlsym() finds from the first; all of them are its own. */
#define REAL_TELLING                  NULL
#define REAL_TELLING_GLOBAL           NULL
#define MPI_ERR_UNSUPPORTED_OPERATION ABI_ERR_UNSUPPORTED_OPERATION

static inline void predefined_fill(intptr_t *own_of)
{
    (void)own_of;
}

/* A code that the real MPI returned, in the hub: a predefined class, or the number that code_added() gave. */
int code_hub(int native);
int code_native(int hub);
/* Learns a class or code that the program has added. Returns its number in the hub, above ABI_LASTCODE. */
int code_added(int native);

static inline int error_outer(int native)
{
    return native == 0 ? 0 : code_hub(native);
}

#define class_outer(native_class) error_outer(native_class)

static inline int error_inner(int hub)
{
    return hub <= ABI_LASTCODE ? hub : code_native(hub);
}

/* The count and cancelled of a status, each way; a status may be converted in place. */
void status_outer(abi_Status *to, const abi_Status *from);
void status_inner(abi_Status *to, const abi_Status *from);
/* What the real MPI reads a status from: the hub's itself, or `room` with what it says. */
const abi_Status *status_known(const abi_Status *status, abi_Status *room);

#include "mpi_adaptor/back/direction_abi.h"
#include "mpi_adaptor/own/late_pointer.h"
#include "mpi_adaptor/piece/piece.h"

#endif
