/* SPDX-License-Identifier: BSD-3-Clause */
/* WaitIO as a transport of schedules, between the members of a group. */
#ifndef WAITIO_MPI_WAITIO_LINK_H
#define WAITIO_MPI_WAITIO_LINK_H

#include "coll/execute.h"
#include "waitio.h"

/* Members are ranks of the group, and the link of a run is that group. */
extern const h3ou__link_ops waitio__link_ops;

#endif
