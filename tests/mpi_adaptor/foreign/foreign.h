/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of the MPI standard ABI as the back on it meets one: it calls a back of h3ou, so the hub is its inner MPI,
 * and keeps what the ABI leaves open its own way. The private part of its statuses is reversed, and its error codes
 * hold more than the class. */
#ifndef H3OU_TEST_FOREIGN_H
#define H3OU_TEST_FOREIGN_H

#include <string.h>

#include "hub_table.h"
#include "real_abi.h"

enum { MORE = 0x5000000, CLASSES = 1000 };
#define BACK_SHORTCUT NULL

/* Statuses and codes are the hub's, by FOREIGN_PLAIN. */
extern int is_plain __attribute__((visibility("hidden")));

static inline int error_outer(int hub)
{
    return hub > 0 && hub < CLASSES && !is_plain ? hub + MORE : hub;
}

static inline int error_inner(int foreign)
{
    return foreign > MORE ? foreign - MORE : foreign;
}

#define class_outer(hub_class) (hub_class)
#define code_added(hub_code)   (hub_code)

static inline void status_outer(abi_Status *to, const abi_Status *from)
{
    abi_Status made = *from;
    for (int i = 0; i < 5 && !is_plain; i++)
        made.MPI_internal[i] = ~from->MPI_internal[4 - i];
    *to = made;
}

static inline void status_inner(abi_Status *to, const abi_Status *from)
{
    status_outer(to, from);
}

static inline const abi_Status *status_known(const abi_Status *status, abi_Status *room)
{
    status_inner(room, status);
    return room;
}

#include "mpi_adaptor/back/direction_abi.h"
#include "mpi_adaptor/own/late_pointer.h"
#include "mpi_adaptor/piece/piece.h"

#endif
