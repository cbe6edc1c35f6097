/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking calls that send one message to another job, or receive one from there: a call of WaitIO, without a universe_message. The values are bytes as they
 * stand, and the job's machine has this one's byte order.
 */
#ifndef H3OU_UNIVERSE_MESSAGE_DIRECT_H
#define H3OU_UNIVERSE_MESSAGE_DIRECT_H

#include "universe/message/crossing.h"
#include "universe/packing/packing.h"
#include "universe/world/waiting_way.h"

/* Whether a wait for WaitIO alone may be one of WaitIO. */
static inline bool universe_direct_waits(void)
{
    return !universe.has_threads && universe_waits != UNIVERSE_POLL;
}

/* Whether a call goes so, whose arguments have been checked. bytes: out, of its buffer. */
static inline bool universe_direct_fits(const universe_comm *c, const universe_call *call, int64_t *bytes)
{
    abi_Count size;
    if (call->other < 0 || c->local_rank[call->other] >= 0 || universe.has_unlike || !universe_direct_waits() ||
        !universe_type_is_bytes(call->type, &size))
        return false;
    *bytes = call->count * size;
    return true;
}

#pragma GCC visibility push(hidden)
/* These call the error handler. */
int universe_direct_send(universe_comm *c, const universe_call *call, int64_t bytes);
int universe_direct_receive(universe_comm *c, const universe_call *call, int64_t bytes, abi_Status *status);

/* With the lock, where universe_direct_waits(): waits for a request of WaitIO as WaitIO does, and moves what else this process owes. Returns an error of
 * WaitIO, of the message or of the run. status: NULL is allowed. */
int universe_direct_wait(waitio_req_t *req, waitio_status_t *status);
#pragma GCC visibility pop

#endif
