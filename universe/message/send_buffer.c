/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/message/send_buffer.h"

#include "base/error.h"
#include "universe/world/layer.h"
#include "universe/message/arrival_order.h"
#include "universe/world/waiting.h"

static universe_request *detached;
static int64_t attached_bytes, used_bytes; /* of MPI_Buffer_attach; of messages that are on their way */

static bool is_buffered(const universe_request *r)
{
    return r->ops == &universe_message_ops && ((const universe_message *)r)->is_copied;
}

void universe_detached_add(universe_request *r)
{
    r->is_freed = true;
    r->next = detached;
    detached = r;
    universe.sweep = universe_sweep;
}

/* Releases what has become complete. */
static void detached_sweep(void)
{
    for (universe_request **at = &detached; *at;) {
        universe_request *r = *at;
        if (!r->is_complete)
            r->ops->test(r);
        if (!r->is_complete) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        if (is_buffered(r))
            used_bytes -= ((universe_message *)r)->packed_bytes;
        universe_request_release(r);
    }
}

void universe_sweep(void)
{
    bool are_kept = universe_orders_pull();
    detached_sweep();
    if (!are_kept && !detached)
        universe.sweep = NULL;
}

int universe_buffer_send(universe_comm *c, const void *buf, abi_Count count, abi_Datatype type, int dest, int tag)
{
    universe_call call = {.mode = UNIVERSE_BUFFERED, .buf = buf, .count = count, .type = type, .other = dest, .tag = tag};
    if (dest == ABI_PROC_NULL)
        return 0;
    detached_sweep();
    universe_message *m = universe_message_new(c, &call, false);
    if (!m)
        return ABI_ERR_NO_MEM;
    int code = universe_message_copy(m);
    if (!code && used_bytes + m->packed_bytes > attached_bytes)
        code = ABI_ERR_BUFFER;
    if (!code) {
        universe_message_start(m);
        code = m->base.error;
    }
    if (code || m->base.is_complete) {
        universe_request_release(&m->base);
        return code;
    }
    used_bytes += m->packed_bytes;
    universe_detached_add(&m->base);
    detached_sweep(); /* a short message has left */
    return 0;
}

static bool is_awaited(bool with_all)
{
    for (const universe_request *r = detached; r; r = r->next)
        if (with_all || is_buffered(r))
            return true;
    return false;
}

static void detached_await(bool with_all)
{
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    for (detached_sweep(); is_awaited(with_all); detached_sweep())
        if (universe_turn(&pause))
            universe_end(1, "%s", h3ou__fail_text());
}

void universe_detached_wait(void)
{
    for (universe_request *r = detached; r; r = r->next)
        if (r->ops == &universe_message_ops && ((universe_message *)r)->mode == UNIVERSE_RECEIVE)
            r->ops->cancel(r);
    detached_await(true);
}

static int attach(int code, abi_Count size)
{
    if (!code)
        attached_bytes = size;
    return code;
}

static void detach(void)
{
    if (!universe.comm)
        return;
    universe_enter();
    detached_await(false);
    attached_bytes = 0;
    universe_exit();
}

int universe_Buffer_attach(void *buffer, int size)
{
    return attach(universe.mpi->Buffer_attach(buffer, size), size);
}

int universe_Buffer_attach_c(void *buffer, abi_Count size)
{
    return attach(universe.mpi->Buffer_attach_c(buffer, size), size);
}

int universe_Buffer_detach(void *buffer_addr, int *size)
{
    detach();
    return universe.mpi->Buffer_detach(buffer_addr, size);
}

int universe_Buffer_detach_c(void *buffer_addr, abi_Count *size)
{
    detach();
    return universe.mpi->Buffer_detach_c(buffer_addr, size);
}
