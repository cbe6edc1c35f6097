/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/message/parted_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "universe/message/completion.h"
#include "universe/world/layer.h"
#include "universe/world/waiting.h"

/* Above the tags of the library's other messages (world/member_exchange.c). So many of the same rank and tag are not under way at a time. */
static const int64_t TAGS = (int64_t)1 << 61, ORDERS = (int64_t)1 << 28;

typedef struct parted {
    universe_request base;
    universe_message *message; /* all partitions */
    int n, nready;
    bool *is_ready; /* [n] of a send */
    bool is_started;
} parted;

static void message_begin(parted *p)
{
    p->is_started = true;
    p->message->base.ops->start(&p->message->base);
}

static int parted_start(universe_request *r)
{
    parted *p = (parted *)r;
    p->nready = 0;
    p->is_started = false;
    memset(p->is_ready, 0, (size_t)p->n * sizeof *p->is_ready);
    if (p->message->mode == UNIVERSE_RECEIVE || p->n == 0)
        message_begin(p);
    return 0;
}

static void parted_test(universe_request *r)
{
    parted *p = (parted *)r;
    universe_request *m = &p->message->base;
    if (p->is_started && !m->is_complete)
        universe_message_test(p->message);
    if (!p->is_started || !m->is_complete)
        return;
    r->status = m->status;
    r->error = m->error;
    r->why = m->why;
    m->why = NULL;
    r->is_complete = true;
}

static abi_Request *parted_inner(universe_request *r)
{
    (void)r;
    return NULL;
}

static int parted_cancel(universe_request *r)
{
    universe_exit();
    int code = universe_fail(r->comm, ABI_ERR_REQUEST, "MPI_Cancel", "a message of several partitions cannot be cancelled");
    universe_enter();
    return code;
}

static void parted_release(universe_request *r)
{
    parted *p = (parted *)r;
    if (p->message)
        universe_request_release(&p->message->base);
    free(p->is_ready);
}

static const universe_request_ops parted_ops = {
    .start = parted_start,
    .test = parted_test,
    .inner = parted_inner,
    .cancel = parted_cancel,
    .release = parted_release,
};

/* Returns the number of this message among those of the same rank and tag; negative: no memory. */
static int64_t order_next(universe_comm *c, const universe_call *call)
{
    bool is_send = call->mode != UNIVERSE_RECEIVE;
    universe_parted_count *at = c->parted;
    while (at && (at->rank != call->other || at->tag != call->tag || at->is_send != is_send))
        at = at->next;
    if (!at) {
        at = calloc(1, sizeof *at);
        if (!at)
            return -1;
        *at = (universe_parted_count){.rank = call->other, .tag = call->tag, .is_send = is_send, .next = c->parted};
        c->parted = at;
    }
    return at->n++;
}

void universe_parted_free(universe_comm *c)
{
    while (c->parted) {
        universe_parted_count *first = c->parted;
        c->parted = first->next;
        free(first);
    }
}

/* With the lock. */
static parted *parted_new(universe_comm *c, const universe_call *call, int partitions)
{
    parted *p = universe_request_new(sizeof *p, &parted_ops, c);
    if (!p)
        return NULL;
    p->n = partitions;
    p->is_ready = calloc((size_t)partitions + 1, sizeof *p->is_ready);
    p->message = universe_message_new(c, call, true);
    int64_t order = p->is_ready && p->message ? order_next(c, call) : -1;
    if (order < 0) {
        universe_request_release(&p->base);
        return NULL;
    }
    p->message->own_tag = TAGS | order % ORDERS << 32 | call->tag;
    p->base.is_persistent = true;
    p->message->base.is_persistent = true;
    return p;
}

/* call: of one partition */
static int parted_init(universe_comm *c, universe_call *call, int partitions, abi_Request *request)
{
    if (partitions < 0)
        return universe_fail(c, ABI_ERR_ARG, call->name, "%d partitions", partitions);
    if (call->other == ABI_ANY_SOURCE || call->tag == ABI_ANY_TAG)
        return universe_fail(c, call->tag == ABI_ANY_TAG ? ABI_ERR_TAG : ABI_ERR_RANK, call->name, "a message of several partitions needs a rank and a tag");
    int code = universe_call_check(c, call);
    if (code)
        return code;
    call->count *= partitions;
    universe_enter();
    parted *p = parted_new(c, call, partitions);
    universe_exit();
    if (!p)
        return universe_fail(c, ABI_ERR_NO_MEM, call->name, "no memory for a request");
    *request = universe_request_handle(&p->base);
    return 0;
}

int universe_Psend_init(const void *buf, int partitions, abi_Count count, abi_Datatype datatype, int dest, int tag, abi_Comm comm, abi_Info info,
                        abi_Request *request)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Psend_init(buf, partitions, count, datatype, dest, tag, comm, info, request);
    return parted_init(c, &(universe_call){"MPI_Psend_init", UNIVERSE_STANDARD, buf, count, datatype, dest, tag, NULL}, partitions, request);
}

int universe_Precv_init(void *buf, int partitions, abi_Count count, abi_Datatype datatype, int dest, int tag, abi_Comm comm, abi_Info info,
                        abi_Request *request)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Precv_init(buf, partitions, count, datatype, dest, tag, comm, info, request);
    return parted_init(c, &(universe_call){"MPI_Precv_init", UNIVERSE_RECEIVE, buf, count, datatype, dest, tag, buf}, partitions, request);
}

/* Returns the request if it is one of several partitions and of this direction; NULL: the error handler was called, with *code. */
static parted *parted_of(abi_Request request, bool is_send, const char *function, int *code)
{
    universe_request *r = universe_request_of(request);
    parted *p = r->ops == &parted_ops ? (parted *)r : NULL;
    *code = 0;
    if (p && (p->message->mode != UNIVERSE_RECEIVE) == is_send)
        return p;
    *code = universe_fail(r->comm, ABI_ERR_REQUEST, function, "the request is not of MPI_P%s_init", is_send ? "send" : "recv");
    return NULL;
}

/* Marks partitions first, first + 1, ..., or those of a list, and sends when all are ready. */
static int ready(abi_Request request, int n, int first, const int list[], const char *function)
{
    int code = 0, bad = -1;
    parted *p = parted_of(request, true, function, &code);
    if (!p)
        return code;
    if (!p->base.is_active)
        return universe_fail(p->base.comm, ABI_ERR_REQUEST, function, "the request is not active");
    universe_enter();
    for (int i = 0; i < n && bad < 0; i++) {
        int partition = list ? list[i] : first + i;
        if (partition < 0 || partition >= p->n || p->is_ready[partition]) {
            bad = i;
            continue;
        }
        p->is_ready[partition] = true;
        if (++p->nready == p->n)
            message_begin(p);
    }
    universe_exit();
    return bad < 0 ? 0 : universe_fail(p->base.comm, ABI_ERR_ARG, function, "partition %d of %d does not exist, or is ready already",
                                       list ? list[bad] : first + bad, p->n);
}

int universe_Pready(int partition, abi_Request request)
{
    return universe_is_own(request) ? ready(request, 1, partition, NULL, "MPI_Pready") : universe.mpi->Pready(partition, request);
}

int universe_Pready_range(int partition_low, int partition_high, abi_Request request)
{
    if (!universe_is_own(request))
        return universe.mpi->Pready_range(partition_low, partition_high, request);
    return ready(request, partition_high - partition_low + 1, partition_low, NULL, "MPI_Pready_range");
}

int universe_Pready_list(int length, int array_of_partitions[], abi_Request request)
{
    return universe_is_own(request) ? ready(request, length, 0, array_of_partitions, "MPI_Pready_list")
                                    : universe.mpi->Pready_list(length, array_of_partitions, request);
}

int universe_Parrived(abi_Request request, int partition, int *flag)
{
    int code = 0;
    if (!universe_is_own(request))
        return universe.mpi->Parrived(request, partition, flag);
    parted *p = parted_of(request, false, "MPI_Parrived", &code);
    if (!p)
        return code;
    if (partition < 0 || partition >= p->n)
        return universe_fail(p->base.comm, ABI_ERR_ARG, "MPI_Parrived", "partition %d of %d does not exist", partition, p->n);
    universe_enter();
    int err = p->base.is_active ? universe_move() : H3OU__OK;
    if (!err)
        universe_request_look(request, flag, NULL);
    universe_exit();
    return err ? universe_fail_waitio(p->base.comm, err, "MPI_Parrived") : 0;
}
