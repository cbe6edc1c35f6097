/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of elements between machines of unlike byte order: on their way elements are little-endian. Where the
 * machine is, nothing is done; else a send has a copy, which lives until the program learns of its end, and a receive
 * is changed in place when the program learns of its end.
 */
#ifndef WAITIO_MPI_BYTE_ORDER_H
#define WAITIO_MPI_BYTE_ORDER_H

#include <stdbool.h>

#include "waitio.h"

#pragma GCC visibility push(default)
/* Whether this machine's elements have the other order. Tests set it, to be such a machine. */
extern bool waitio__byte_order_is_other;
#pragma GCC visibility pop

/* As waitio_isend and waitio_irecv, of elements whose order depends on the machine in groups of `unit` bytes. */
int waitio__byte_order_isend(waitio_group_t group, int dst, const void *buf, size_t bytes, int unit, waitio_tag_t tag,
                             waitio_req_t *req);
int waitio__byte_order_irecv(waitio_group_t group, int src, void *buf, size_t bytes, int unit, waitio_tag_t tag,
                             waitio_req_t *req);

#endif
