/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes, and matched probes with their receives. */
#include <stdlib.h>

#include "base/error.h"
#include "universe/world/layer.h"
#include "universe/message/arrival_order.h"
#include "universe/message/completion.h"
#include "universe/message/inside.h"
#include "universe/world/waiting.h"

/* A message that MPI_Mprobe has matched. Its handle is the address plus 1. */
typedef struct matched_message {
    universe_comm *comm; /* held */
    abi_Message inside;  /* of the job's MPI */
    bool is_crossing;    /* it comes from another job, and is received to `data` */
    waitio_req_t req;
    void *data;
    int64_t bytes;
} matched_message;

static matched_message *matched_of(abi_Message handle)
{
    return universe_is_own(handle) ? (matched_message *)((intptr_t)handle - 1) : NULL;
}

static int check(universe_comm *c, int source, int tag, const char *name)
{
    return universe_call_check(c, &(universe_call){.name = name, .mode = UNIVERSE_RECEIVE, .type = (abi_Datatype)ABI_BYTE, .other = source, .tag = tag});
}

static bool may_be_inside(const universe_comm *c, int source)
{
    return source < 0 || c->local_rank[source] >= 0;
}

static bool may_be_outside(const universe_comm *c, int source)
{
    return source == ABI_ANY_SOURCE || (source >= 0 && c->local_rank[source] < 0);
}

static int rank_inside(const universe_comm *c, int source)
{
    return source < 0 ? source : c->local_rank[source];
}

/* Looks at WaitIO. */
static int look_outside(universe_comm *c, int source, int tag, int *flag, abi_Status *status, waitio_status_t *w)
{
    int err = waitio_iprobe(c->group, source == ABI_ANY_SOURCE ? WAITIO_ANY_SOURCE : c->peer[source], tag == ABI_ANY_TAG ? WAITIO_ANY_TAG : tag, flag, w);
    if (err)
        return err;
    if (*flag && status)
        universe_status_set(status, c->rank_of_peer[w->source], (int)w->tag, (int64_t)w->length, false);
    return 0;
}

/* Looks at what is kept, then at the job's MPI, unless receives are kept: then it has nothing more. */
static int look_inside(universe_comm *c, int source, int tag, int *flag, abi_Status *status)
{
    universe_order_pull(c);
    universe_stray *s = universe_order_find(c, rank_inside(c, source), tag);
    int code = 0;
    *flag = s != NULL;
    if (s)
        universe_status_give(status, &s->status);
    else if (!universe_order_keeps(c))
        code = universe.mpi->Iprobe(rank_inside(c, source), tag, c->local, flag, status);
    if (*flag)
        universe_status_translate(c, status);
    return code;
}

/* Looks once. Returns a code of the hub, for which the handler has been called. */
static int probe(universe_comm *c, int source, int tag, int *flag, abi_Status *status, const char *name)
{
    waitio_status_t w;
    int code = 0, err = 0;
    *flag = 0;
    universe_enter();
    universe_move_others();
    if (may_be_inside(c, source))
        code = look_inside(c, source, tag, flag, status);
    if (!code && !*flag && may_be_outside(c, source))
        err = look_outside(c, source, tag, flag, status, &w);
    universe_exit();
    return err ? universe_fail_waitio(c, err, name) : universe_fail_inner(c, code, name);
}

/* The same on a communicator of the job, whose MPI has all that it asks for. */
static int probe_job(abi_Comm comm, int source, int tag, int *flag, abi_Status *status, const char *name)
{
    int err = 0;
    if (universe.open > 0) {
        universe_enter();
        err = universe_move();
        universe_exit();
    }
    return err ? universe_fail_waitio(universe.comm, err, name) : universe.mpi->Iprobe(source, tag, comm, flag, status);
}

int universe_Iprobe(int source, int tag, abi_Comm comm, int *flag, abi_Status *status)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return probe_job(comm, source, tag, flag, status, "MPI_Iprobe");
    int code = check(c, source, tag, "MPI_Iprobe");
    return code ? code : probe(c, source, tag, flag, status, "MPI_Iprobe");
}

static int turn(universe_comm *c, h3ou__pause *pause, const char *name)
{
    universe_enter();
    int err = universe_turn(pause);
    universe_exit();
    return err ? universe_fail_waitio(c, err, name) : 0;
}

int universe_Probe(int source, int tag, abi_Comm comm, abi_Status *status)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c && universe.open == 0)
        return universe.mpi->Probe(source, tag, comm, status);
    int code = c ? check(c, source, tag, "MPI_Probe") : 0, found = 0;
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    while (!code && !found) {
        code = c ? probe(c, source, tag, &found, status, "MPI_Probe") : universe.mpi->Iprobe(source, tag, comm, &found, status);
        if (!code && !found)
            code = turn(c ? c : universe.comm, &pause, "MPI_Probe");
    }
    return code;
}

static void matched_free(matched_message *m)
{
    universe_comm_drop(m->comm);
    free(m->data);
    free(m);
}

/* Begins to receive a message of another job, whose length is known, to memory of its own. */
static int match_outside(matched_message *m, const waitio_status_t *w)
{
    m->bytes = (int64_t)w->length;
    m->data = malloc(w->length ? w->length : 1);
    if (!m->data)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a message of %zu bytes", w->length);
    m->is_crossing = true;
    int err = waitio_irecv(m->comm->group, w->source, m->data, w->length, w->tag, &m->req);
    if (!err)
        universe.open++;
    return err;
}

static int match_inside(matched_message *m, int source, int tag, int *flag, abi_Status *status)
{
    universe_comm *c = m->comm;
    int code = 0;
    universe_order_pull(c);
    universe_stray *s = universe_order_find(c, rank_inside(c, source), tag);
    *flag = s != NULL;
    if (s) {
        universe_status_give(status, &s->status);
        m->inside = universe_order_pick(c, s);
    } else if (!universe_order_keeps(c)) {
        code = universe.mpi->Improbe(rank_inside(c, source), tag, c->local, flag, &m->inside, status);
    }
    if (*flag)
        universe_status_translate(c, status);
    return code;
}

static int match(universe_comm *c, int source, int tag, int *flag, abi_Message *message, abi_Status *status, const char *name)
{
    matched_message *m = calloc(1, sizeof *m);
    waitio_status_t w;
    int code = 0, err = 0;
    *flag = 0;
    if (!m)
        return universe_fail(c, ABI_ERR_NO_MEM, name, "no memory for a message");
    universe_enter();
    m->comm = c;
    universe_comm_hold(c);
    universe_move_others();
    if (may_be_inside(c, source))
        code = match_inside(m, source, tag, flag, status);
    if (!code && !*flag && may_be_outside(c, source)) {
        err = look_outside(c, source, tag, flag, status, &w);
        if (!err && *flag)
            err = match_outside(m, &w);
    }
    if (*flag && !code && !err)
        *message = (abi_Message)((intptr_t)m + 1);
    else
        matched_free(m);
    universe_exit();
    return err ? universe_fail_waitio(c, err, name) : universe_fail_inner(c, code, name);
}

static int match_job(abi_Comm comm, int source, int tag, int *flag, abi_Message *message, abi_Status *status)
{
    int found, code = universe.open > 0 ? probe_job(comm, source, tag, &found, NULL, "MPI_Improbe") : 0;
    return code ? code : universe.mpi->Improbe(source, tag, comm, flag, message, status);
}

int universe_Improbe(int source, int tag, abi_Comm comm, int *flag, abi_Message *message, abi_Status *status)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return match_job(comm, source, tag, flag, message, status);
    int code = check(c, source, tag, "MPI_Improbe");
    if (!code && source == ABI_PROC_NULL)
        return universe_fail_inner(c, universe.mpi->Improbe(source, tag, c->local, flag, message, status), "MPI_Improbe");
    return code ? code : match(c, source, tag, flag, message, status, "MPI_Improbe");
}

int universe_Mprobe(int source, int tag, abi_Comm comm, abi_Message *message, abi_Status *status)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c && universe.open == 0)
        return universe.mpi->Mprobe(source, tag, comm, message, status);
    int code = c ? check(c, source, tag, "MPI_Mprobe") : 0, found = 0;
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    if (!code && c && source == ABI_PROC_NULL)
        return universe_fail_inner(c, universe.mpi->Mprobe(source, tag, c->local, message, status), "MPI_Mprobe");
    while (!code && !found) {
        code = c ? match(c, source, tag, &found, message, status, "MPI_Mprobe") : universe.mpi->Improbe(source, tag, comm, &found, message, status);
        if (!code && !found)
            code = turn(c ? c : universe.comm, &pause, "MPI_Mprobe");
    }
    return code;
}

/* Makes m the receive of the message, which is taken. */
static void receive_matched(universe_message *m, matched_message *from)
{
    m->base.is_active = true;
    if (from->is_crossing) {
        m->req = from->req;
        m->packed = from->data;
        m->packed_bytes = from->bytes;
        m->is_crossing = true;
        from->data = NULL;
    } else {
        universe_message_take(m, &from->inside);
    }
    matched_free(from);
}

static int mrecv(matched_message *from, const universe_call *call, abi_Message *message, abi_Status *status)
{
    universe_message m = {0}, *const one[] = {&m};
    universe_comm *c = from->comm;
    universe_enter();
    universe_comm_hold(c);
    universe_message_set(&m, c, call, false);
    receive_matched(&m, from);
    *message = (abi_Message)ABI_MESSAGE_NULL;
    int code = universe_messages_wait(one, 1, call->name);
    universe_comm_drop(c);
    universe_exit();
    universe_status_give(status, &m.base.status);
    return code;
}

static int imrecv(matched_message *from, const universe_call *call, abi_Message *message, abi_Request *request)
{
    universe_comm *c = from->comm;
    universe_enter();
    universe_message *m = universe_message_new(c, call, true);
    if (m) {
        receive_matched(m, from);
        *message = (abi_Message)ABI_MESSAGE_NULL;
        *request = universe_request_handle(&m->base);
    }
    universe_exit();
    return m ? 0 : universe_fail(c, ABI_ERR_NO_MEM, call->name, "no memory for a request");
}

#define CALL(name) &(const universe_call){"MPI_" #name, UNIVERSE_RECEIVE, buf, count, datatype, ABI_ANY_SOURCE, ABI_ANY_TAG, buf}
#define MRECV(name, number)                                                                                                                \
    int universe_##name(void *buf, number count, abi_Datatype datatype, abi_Message *message, abi_Status *status)                          \
    {                                                                                                                                      \
        matched_message *m = matched_of(*message);                                                                                         \
        return m ? mrecv(m, CALL(name), message, status) : universe.mpi->name(buf, count, datatype, message, status);                      \
    }
#define IMRECV(name, number)                                                                                                               \
    int universe_##name(void *buf, number count, abi_Datatype datatype, abi_Message *message, abi_Request *request)                        \
    {                                                                                                                                      \
        matched_message *m = matched_of(*message);                                                                                         \
        return m ? imrecv(m, CALL(name), message, request) : universe.mpi->name(buf, count, datatype, message, request);                   \
    }

MRECV(Mrecv, int)
MRECV(Mrecv_c, abi_Count)
IMRECV(Imrecv, int)
IMRECV(Imrecv_c, abi_Count)
