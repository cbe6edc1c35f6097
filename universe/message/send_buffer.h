/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that nobody waits for: buffered sends on communicators over several jobs, whose values are copied, and requests that were freed while
 * they were active.
 */
#ifndef H3OU_UNIVERSE_MESSAGE_SEND_BUFFER_H
#define H3OU_UNIVERSE_MESSAGE_SEND_BUFFER_H

#include "universe/message/crossing.h"

#pragma GCC visibility push(hidden)
/* All with the lock. */

/* Sends a copy of the values; MPI_ERR_BUFFER: the attached buffer would have no room for it. Does not call the error handler. */
int universe_buffer_send(universe_comm *c, const void *buf, abi_Count count, abi_Datatype type, int dest, int tag);
/* Takes a request over that the program has freed. */
void universe_detached_add(universe_request *r);
/* Is universe.sweep while there is anything of this, or receives are kept (arrival_order.h). */
void universe_sweep(void);
/* Waits for all that is detached, except for receives, which are cancelled: MPI_Finalize. */
void universe_detached_wait(void);
#pragma GCC visibility pop

#endif
