/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that receive, blocking and not, those that send and receive at once, and the one that makes a persistent receive. */
#include "universe/world/layer.h"
#include "universe/message/arrival_order.h"
#include "universe/message/call_forms.h"
#include "universe/message/direct.h"
#include "universe/message/inside.h"
#include "universe/world/waiting.h"

/* Whether the job's MPI may block for a call that concerns this rank. With MPI_THREAD_MULTIPLE another thread could post a receive from any source
 * meanwhile, and take the message out. */
static bool may_block(const universe_comm *c, int rank)
{
    return rank != ABI_ANY_SOURCE && (rank == ABI_PROC_NULL || c->local_rank[rank] >= 0) && universe.open == 0 && !universe.has_threads &&
           universe_order_is_idle(c);
}

static int rank_inside(const universe_comm *c, int rank)
{
    return rank < 0 ? rank : c->local_rank[rank];
}

static int receive_now(universe_comm *c, const universe_call *call, abi_Status *status)
{
    int code = universe_call_check(c, call);
    if (code)
        return code;
    if (may_block(c, call->other)) {
        code = universe_inside_recv(call->to, call->count, call->type, rank_inside(c, call->other), call->tag, c->local, status);
        universe_status_translate(c, status);
        return universe_fail_inner(c, code, call->name);
    }
    int64_t bytes;
    if (universe_direct_fits(c, call, &bytes))
        return universe_direct_receive(c, call, bytes, status);
    universe_message m = {0}, *const one[] = {&m};
    universe_enter();
    universe_message_set(&m, c, call, false);
    universe_message_start(&m);
    code = universe_messages_wait(one, 1, call->name);
    universe_exit();
    universe_status_give(status, &m.base.status);
    return code;
}

static int receive_start(universe_comm *c, const universe_call *call, abi_Request *request)
{
    int code = universe_call_check(c, call);
    if (code)
        return code;
    universe_enter();
    bool is_inside = call->other == ABI_PROC_NULL || (call->other >= 0 && c->local_rank[call->other] >= 0 && c->is_plain && universe_order_is_idle(c));
    universe_message *m = NULL;
    if (is_inside)
        code = universe_inside_irecv(call->to, call->count, call->type, rank_inside(c, call->other), call->tag, c->local, request);
    else
        m = universe_message_new(c, call, true);
    if (m) {
        universe_message_start(m);
        *request = universe_request_handle(&m->base);
    }
    universe_exit();
    return is_inside || m ? universe_fail_inner(c, code, call->name) : universe_fail(c, ABI_ERR_NO_MEM, call->name, "no memory for a request");
}

static int receive_init(universe_comm *c, const universe_call *call, abi_Request *request)
{
    int code = universe_call_check(c, call);
    return code ? code : universe_persistent_new(c, call, request);
}

/* Waits for a send and a receive. */
static int exchange(universe_message *send, universe_message *receive, abi_Status *status, const char *name)
{
    universe_message *const both[] = {receive, send};
    universe_message_start(receive);
    universe_message_start(send);
    int code = universe_messages_wait(both, 2, name);
    universe_status_give(status, &receive->base.status);
    return code;
}

static int sendrecv_inside(universe_comm *c, const universe_call *send, const universe_call *receive, abi_Status *status)
{
    int code, to = rank_inside(c, send->other), from = rank_inside(c, receive->other);
    if (send->count > INT_MAX || receive->count > INT_MAX)
        code = universe.mpi->Sendrecv_c(send->buf, send->count, send->type, to, send->tag, receive->to, receive->count, receive->type, from,
                                        receive->tag, c->local, status);
    else
        code = universe.mpi->Sendrecv(send->buf, (int)send->count, send->type, to, send->tag, receive->to, (int)receive->count, receive->type, from,
                                      receive->tag, c->local, status);
    universe_status_translate(c, status);
    return universe_fail_inner(c, code, send->name);
}

static int sendrecv(universe_comm *c, const universe_call *send, const universe_call *receive, abi_Status *status)
{
    universe_message out = {0}, in = {0};
    int code = universe_call_check(c, send);
    if (!code)
        code = universe_call_check(c, receive);
    if (code)
        return code;
    if (may_block(c, send->other) && may_block(c, receive->other))
        return sendrecv_inside(c, send, receive, status);
    universe_enter();
    universe_message_set(&out, c, send, false);
    universe_message_set(&in, c, receive, false);
    code = exchange(&out, &in, status, send->name);
    universe_exit();
    return code;
}

/* The values to send are copied first. */
static int sendrecv_replace(universe_comm *c, const universe_call *send, const universe_call *receive, abi_Status *status)
{
    universe_message out = {0}, in = {0};
    int code = universe_call_check(c, send);
    if (!code)
        code = universe_call_check(c, receive);
    if (code)
        return code;
    universe_enter();
    universe_message_set(&out, c, send, false);
    universe_message_set(&in, c, receive, false);
    code = send->other == ABI_PROC_NULL ? 0 : universe_message_copy(&out);
    if (code)
        universe_message_clear(&out);
    else
        code = exchange(&out, &in, status, send->name);
    universe_exit();
    return code;
}

RECEIVES(Recv, int, Status, receive_now)
RECEIVES(Recv_c, abi_Count, Status, receive_now)
RECEIVES(Irecv, int, Request, receive_start)
RECEIVES(Irecv_c, abi_Count, Request, receive_start)
RECEIVES(Recv_init, int, Request, receive_init)
RECEIVES(Recv_init_c, abi_Count, Request, receive_init)
SENDRECVS(Sendrecv, int, Status, sendrecv)
SENDRECVS(Sendrecv_c, abi_Count, Status, sendrecv)
REPLACES(Sendrecv_replace, int, Status, sendrecv_replace)
REPLACES(Sendrecv_replace_c, abi_Count, Status, sendrecv_replace)
