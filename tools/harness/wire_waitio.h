/* SPDX-License-Identifier: BSD-3-Clause */
/* A wire of WaitIO. Opened by itself, each side is a PB of one process; further PBs may take part in the instance
 * without sending anything. */
#ifndef H3OU_TOOL_HARNESS_WIRE_WAITIO_H
#define H3OU_TOOL_HARNESS_WIRE_WAITIO_H

#include "tools/harness/wire.h"
#include "waitio.h"

enum { WIRE_WAITIO_TAGS = 8 }; /* the tags below it are the wire's */

extern const wire_ops wire_waitio;

/* Makes w a wire to a process of a group that the caller has joined. free(w->own) ends it. */
int wire_waitio_use(wire *w, waitio_group_t all, int peer);
/* Makes a group of all processes of the instance, ordered by PB and rank. */
int wire_waitio_group(int gid, waitio_group_t *all);
/* Returns the code of a call of WaitIO, with WaitIO's sentence as h3ou__fail_text(). */
int wire_waitio_result(int code);

#endif
