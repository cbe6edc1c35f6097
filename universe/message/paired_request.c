/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Isendrecv and MPI_Isendrecv_replace: one request that is complete when its send and its receive are. */
#include "universe/message/call_forms.h"
#include "universe/world/layer.h"
#include "universe/world/waiting.h"

typedef struct pair {
    universe_request base;
    universe_message *receive, *send;
} pair;

/* Takes the error of a part, unless there is one already. */
static void take_error(universe_request *r, universe_request *part)
{
    if (r->error || !part->error)
        return;
    r->error = part->error;
    r->why = part->why;
    part->why = NULL;
}

static void pair_test(universe_request *r)
{
    pair *p = (pair *)r;
    universe_message *const parts[] = {p->receive, p->send};
    for (int i = 0; i < 2; i++)
        if (!parts[i]->base.is_complete)
            universe_message_test(parts[i]);
    if (!p->receive->base.is_complete || !p->send->base.is_complete)
        return;
    r->status = p->receive->base.status;
    take_error(r, &p->receive->base);
    take_error(r, &p->send->base);
    r->is_complete = true;
}

static abi_Request *pair_inner(universe_request *r)
{
    (void)r;
    return NULL;
}

static int pair_cancel(universe_request *r)
{
    universe_exit();
    int code = universe_fail(r->comm, ABI_ERR_REQUEST, "MPI_Cancel", "a send and receive at once cannot be cancelled");
    universe_enter();
    return code;
}

static void pair_release(universe_request *r)
{
    pair *p = (pair *)r;
    if (p->receive)
        universe_request_release(&p->receive->base);
    if (p->send)
        universe_request_release(&p->send->base);
}

static const universe_request_ops pair_ops = {
    .test = pair_test,
    .inner = pair_inner,
    .cancel = pair_cancel,
    .release = pair_release,
    .may_be_freed = true,
};

/* Starts both with the lock. is_replaced: the values to send are copied first. NULL: no memory. */
static pair *pair_start(universe_comm *c, const universe_call *send, const universe_call *receive, bool is_replaced)
{
    pair *p = universe_request_new(sizeof *p, &pair_ops, c);
    if (!p)
        return NULL;
    p->receive = universe_message_new(c, receive, true);
    p->send = universe_message_new(c, send, true);
    if (!p->receive || !p->send || (is_replaced && send->other != ABI_PROC_NULL && universe_message_copy(p->send))) {
        universe_request_release(&p->base);
        return NULL;
    }
    p->base.is_active = true;
    universe_message_start(p->receive);
    universe_message_start(p->send);
    return p;
}

static int pair_new(universe_comm *c, const universe_call *send, const universe_call *receive, bool is_replaced, abi_Request *request)
{
    int code = universe_call_check(c, send);
    if (!code)
        code = universe_call_check(c, receive);
    if (code)
        return code;
    universe_enter();
    pair *p = pair_start(c, send, receive, is_replaced);
    universe_exit();
    if (!p)
        return universe_fail(c, ABI_ERR_NO_MEM, send->name, "no memory for a request");
    *request = universe_request_handle(&p->base);
    return 0;
}

static int pair_send(universe_comm *c, const universe_call *send, const universe_call *receive, abi_Request *request)
{
    return pair_new(c, send, receive, false, request);
}

static int pair_replace(universe_comm *c, const universe_call *send, const universe_call *receive, abi_Request *request)
{
    return pair_new(c, send, receive, true, request);
}

SENDRECVS(Isendrecv, int, Request, pair_send)
SENDRECVS(Isendrecv_c, abi_Count, Request, pair_send)
REPLACES(Isendrecv_replace, int, Request, pair_replace)
REPLACES(Isendrecv_replace_c, abi_Count, Request, pair_replace)
