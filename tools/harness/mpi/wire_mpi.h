/* SPDX-License-Identifier: BSD-3-Clause */
/* The wire of an MPI, inside one job. A source of programs that are compiled once for each MPI. */
#ifndef H3OU_TOOL_HARNESS_WIRE_MPI_H
#define H3OU_TOOL_HARNESS_WIRE_MPI_H

#include <mpi.h>

#include "tools/harness/wire.h"

/* Side 0 is an even rank, its partner the next one. WIRE_YIELD: a process that waits yields its core between two tests;
 * else MPI's blocking calls wait. */
extern const wire_ops wire_mpi;

/* Waits for a request as w->wait says. */
int wire_mpi_wait(const wire *w, MPI_Request *req);

#endif
