/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/message/crossing.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "universe/message/arrival_order.h"
#include "universe/message/direct.h"
#include "universe/message/inside.h"
#include "universe/packing/packing.h"
#include "universe/message/send_buffer.h"
#include "universe/world/failure.h"
#include "universe/world/waiting.h"

static int call_fail(universe_comm *c, int code, const universe_call *call, const char *what, long long number)
{
    return universe_fail(c, code, call->name, "%s %lld is not valid in a communicator of %d processes", what, number, c->size);
}

int universe_call_check(universe_comm *c, const universe_call *call)
{
    bool is_receive = call->mode == UNIVERSE_RECEIVE;
    if (__builtin_expect(call->count < 0, 0))
        return call_fail(c, ABI_ERR_COUNT, call, "the count", call->count);
    if (__builtin_expect((intptr_t)call->type == ABI_DATATYPE_NULL || !call->type, 0))
        return universe_fail(c, ABI_ERR_TYPE, call->name, "the type is MPI_DATATYPE_NULL");
    if (__builtin_expect((unsigned)call->other >= (unsigned)c->size, 0) && call->other != ABI_PROC_NULL && !(is_receive && call->other == ABI_ANY_SOURCE))
        return call_fail(c, ABI_ERR_RANK, call, "rank", call->other);
    if (__builtin_expect(call->tag < 0 || call->tag > universe.tag_ub, 0) && !(is_receive && call->tag == ABI_ANY_TAG))
        return call_fail(c, ABI_ERR_TAG, call, "tag", call->tag);
    return 0;
}

void universe_status_set(abi_Status *status, int source, int tag, int64_t bytes, bool is_cancelled)
{
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    status->MPI_internal[0] = (int)(bytes & 0xffffffff);
    status->MPI_internal[1] = (int)((uint64_t)bytes >> 32 << 1) | is_cancelled;
}

static bool is_created(abi_Datatype type)
{
    return (intptr_t)type < 0 || (intptr_t)type >= HUB_PREDEFINED;
}

/* A type of one element: MPI_Type_dup would call the program's functions that copy attributes. */
static int type_hold(universe_message *m)
{
    abi_Datatype held;
    int code = universe.mpi->Type_contiguous(1, m->type, &held);
    if (!code)
        code = universe.mpi->Type_commit(&held);
    if (!code) {
        m->type = held;
        m->holds_type = true;
    }
    return code;
}

int universe_message_set(universe_message *m, universe_comm *c, const universe_call *call, bool lasts)
{
    m->base.ops = &universe_message_ops;
    m->base.comm = c;
    m->mode = call->mode;
    m->buf = (void *)(uintptr_t)call->buf;
    m->count = call->count;
    m->type = call->type;
    m->other = call->other;
    m->tag = call->tag;
    universe_status_set(&m->base.status, ABI_ANY_SOURCE, ABI_ANY_TAG, 0, false);
    return lasts && is_created(call->type) ? type_hold(m) : 0;
}

universe_message *universe_message_new(universe_comm *c, const universe_call *call, bool lasts)
{
    universe_message *m = universe_request_new(sizeof *m, &universe_message_ops, c);
    if (!m)
        return NULL;
    if (universe_message_set(m, c, call, lasts)) {
        universe_request_release(&m->base);
        return NULL;
    }
    return m;
}

void universe_message_end(universe_message *m, int error, const char *why)
{
    m->base.is_complete = true;
    m->base.error = error;
    if (error && why && !m->base.why)
        m->base.why = strdup(why);
}

static void end_by_waitio(universe_message *m, int code)
{
    universe_message_end(m, universe_class_of_waitio(code), h3ou__fail_text());
}

static bool is_unlike(const universe_comm *c, int rank)
{
    return universe.has_unlike && universe.is_unlike[universe_job_of(c->world_rank[rank])];
}

/* Makes room for the values as they travel. Returns whether there is. */
static bool room_make(universe_message *m, int64_t bytes)
{
    m->packed_bytes = bytes;
    m->packed = malloc(bytes > 0 ? (size_t)bytes : 1);
    if (!m->packed)
        universe_message_end(m, ABI_ERR_NO_MEM, "no memory for a packed message");
    return m->packed != NULL;
}

/* Copies a send's values in the form in which they travel to its receiver. */
static bool send_pack(universe_message *m, bool unlike)
{
    int64_t bytes = 0;
    int code = universe_packed_size(m->count, m->type, unlike, &bytes);
    if (!code && !room_make(m, bytes))
        return false;
    if (!code)
        code = universe_pack(m->buf, m->count, m->type, unlike, m->packed, bytes);
    if (code)
        universe_message_end(m, code, NULL);
    return !code;
}

int universe_message_copy(universe_message *m)
{
    const universe_comm *c = m->base.comm;
    m->is_copied = send_pack(m, c->local_rank[m->other] < 0 && is_unlike(c, m->other));
    return m->base.error;
}

static waitio_group_t group_of(const universe_message *m)
{
    return m->own_tag ? m->base.comm->beyond : m->base.comm->group;
}

static waitio_tag_t tag_of(const universe_message *m)
{
    return m->own_tag ? m->own_tag : m->tag;
}

static void send_cross(universe_message *m)
{
    universe_comm *c = m->base.comm;
    abi_Count size;
    char *data = m->packed;
    size_t bytes = (size_t)m->packed_bytes;
    if (!m->is_copied) {
        bool unlike = is_unlike(c, m->other);
        if (universe_type_is_bytes(m->type, &size) && !unlike) {
            data = m->buf;
            bytes = (size_t)(m->count * size);
        } else {
            if (!send_pack(m, unlike))
                return;
            data = m->packed;
            bytes = (size_t)m->packed_bytes;
        }
    }
    int peer = c->peer[m->other];
    waitio_group_t group = group_of(m);
    int code = m->mode == UNIVERSE_SYNCHRONOUS ? waitio_issend(group, peer, data, bytes, tag_of(m), &m->req)
                                               : waitio_isend(group, peer, data, bytes, tag_of(m), &m->req);
    if (code) {
        end_by_waitio(m, code);
        return;
    }
    m->is_crossing = true;
    universe.open++;
}

/* Whether a job whose messages the receive may match has the other byte order. */
static bool may_be_unlike(const universe_message *m)
{
    const universe_comm *c = m->base.comm;
    return m->other == ABI_ANY_SOURCE ? universe.has_unlike : is_unlike(c, m->other);
}

void universe_message_cross(universe_message *m)
{
    universe_comm *c = m->base.comm;
    bool is_any = m->other == ABI_ANY_SOURCE;
    abi_Count size;
    bool is_bytes = universe_type_is_bytes(m->type, &size);
    int64_t bytes = m->count * size;
    char *to = m->buf;
    if (size < 0) {
        universe_message_end(m, ABI_ERR_TYPE, "the type is not valid");
        return;
    }
    if (!is_bytes || may_be_unlike(m)) {
        if (!m->packed && !room_make(m, bytes))
            return;
        to = m->packed;
    }
    int peer = is_any ? WAITIO_ANY_SOURCE : c->peer[m->other];
    waitio_tag_t tag = m->tag == ABI_ANY_TAG ? WAITIO_ANY_TAG : tag_of(m);
    int code = waitio_irecv(group_of(m), peer, to, (size_t)bytes, tag, &m->req);
    if (code) {
        end_by_waitio(m, code);
        return;
    }
    m->is_crossing = true;
    universe.open++;
}

/* Starts a receive from a process of this job, or a send to one. */
static void start_inside(universe_message *m)
{
    const universe_comm *c = m->base.comm;
    int rank = c->local_rank[m->other], code;
    if (m->mode == UNIVERSE_RECEIVE)
        code = universe_inside_irecv(m->buf, m->count, m->type, rank, m->tag, c->local, &m->inner);
    else if (m->is_copied)
        code = universe_inside_isend(m->mode, m->packed, m->packed_bytes, (abi_Datatype)ABI_PACKED, rank, m->tag, c->local, &m->inner);
    else
        code = universe_inside_isend(m->mode, m->buf, m->count, m->type, rank, m->tag, c->local, &m->inner);
    if (code)
        universe_message_end(m, code, NULL);
    else
        m->is_inside = true;
}

void universe_message_start(universe_message *m)
{
    const universe_comm *c = m->base.comm;
    m->base.is_active = true;
    m->base.is_complete = m->is_cancelled = false;
    m->base.error = 0;
    bool is_outside = m->other >= 0 && (m->own_tag || c->local_rank[m->other] < 0);
    if (m->other == ABI_PROC_NULL) {
        universe_status_set(&m->base.status, ABI_PROC_NULL, ABI_ANY_TAG, 0, false);
        universe_message_end(m, 0, NULL);
    } else if (is_outside && m->mode == UNIVERSE_RECEIVE) {
        universe_message_cross(m);
    } else if (is_outside) {
        send_cross(m);
    } else if (m->mode != UNIVERSE_RECEIVE || (m->other != ABI_ANY_SOURCE && universe_order_is_idle(c))) {
        start_inside(m);
    } else {
        universe_order_post(m);
    }
}

void universe_message_take(universe_message *m, abi_Message *found)
{
    int code = universe_inside_imrecv(m->buf, m->count, m->type, found, &m->inner);
    if (code)
        universe_message_end(m, code, NULL);
    else
        m->is_inside = true;
}

/* Sets the status of a message that has crossed, and puts the values of a receive where they belong. */
static void receive_finish(universe_message *m, const waitio_status_t *w)
{
    const universe_comm *c = m->base.comm;
    int source = c->rank_of_peer[w->source];
    bool unlike = is_unlike(c, source);
    int64_t bytes = (int64_t)w->length;
    if (m->packed && !m->base.error) {
        int64_t room = 0;
        int code = universe_packed_size(m->count, m->type, unlike, &room);
        if (!code && bytes > room)
            universe_message_end(m, ABI_ERR_TRUNCATE, "the message is longer than the buffer");
        if (!code)
            code = universe_unpack(m->packed, bytes < room ? bytes : room, m->buf, m->count, m->type, unlike);
        if (code)
            universe_message_end(m, code, NULL);
    }
    universe_status_set(&m->base.status, source, m->own_tag ? m->tag : (int)w->tag, bytes, false);
}

static void crossing_end(universe_message *m, int code)
{
    waitio_status_t w;
    m->is_crossing = false;
    universe.open--;
    if (m->is_kept)
        universe_order_remove(m);
    universe_message_end(m, code ? universe_class_of_waitio(code) : 0, code ? h3ou__fail_text() : NULL);
    bool has_status = waitio_get_status(&m->req, &w) == H3OU__OK;
    if (has_status && w.is_cancelled)
        universe_status_set(&m->base.status, ABI_ANY_SOURCE, ABI_ANY_TAG, 0, true);
    else if (has_status && m->mode == UNIVERSE_RECEIVE && (!code || code == H3OU__ETRUNC))
        receive_finish(m, &w);
}

static void inside_end(universe_message *m, const abi_Status *status, int code)
{
    m->is_inside = false;
    m->base.status = *status;
    if (m->mode == UNIVERSE_RECEIVE)
        universe_status_translate(m->base.comm, &m->base.status);
    universe_message_end(m, code, NULL);
}

void universe_message_test(universe_message *m)
{
    int done = 0;
    if (m->is_kept)
        universe_order_pull(m->base.comm);
    if (m->is_crossing) {
        int code = waitio_test(&m->req, &done);
        if (done || code)
            crossing_end(m, code);
    } else if (m->is_inside) {
        abi_Status status;
        universe_stray_ignore(true);
        int code = universe.mpi->Test(&m->inner, &done, &status);
        universe_stray_ignore(false);
        if (done || code)
            inside_end(m, &status, code);
    }
}

bool universe_message_withdraw(universe_message *m)
{
    int done = 0;
    waitio_status_t w;
    if (waitio_cancel(&m->req) || waitio_test(&m->req, &done) || !done || waitio_get_status(&m->req, &w) || !w.is_cancelled)
        return false;
    m->is_crossing = false;
    universe.open--;
    return true;
}

void universe_message_clear(universe_message *m)
{
    if (m->holds_type)
        universe.mpi->Type_free(&m->type);
    if (m->packed)
        free(m->packed);
    if (m->base.why)
        free(m->base.why);
    m->packed = NULL;
    m->base.why = NULL;
    m->holds_type = m->is_copied = false;
}

/* Waits for what is with WaitIO only. */
static void message_await(universe_request *r)
{
    universe_message *m = (universe_message *)r;
    if (m->is_crossing && !m->is_kept && universe_direct_waits())
        crossing_end(m, universe_direct_wait(&m->req, NULL));
}

static void message_wait(universe_message *m, const char *name)
{
    h3ou__pause pause;
    if (m->base.is_complete)
        return;
    message_await(&m->base);
    if (!m->base.is_complete)
        universe_message_test(m);
    if (!m->base.is_complete)
        h3ou__pause_begin(&pause);
    while (!m->base.is_complete) {
        if (universe_turn(&pause))
            universe_end(1, "%s: %s", name, h3ou__fail_text());
        universe_message_test(m);
    }
}

int universe_messages_wait(universe_message *const m[], int n, const char *name)
{
    int error = 0, first = 0;
    for (int i = 0; i < n; i++)
        message_wait(m[i], name);
    for (; first < n && !error; first++)
        error = m[first]->base.error;
    char *why = error ? m[first - 1]->base.why : NULL;
    if (error)
        m[first - 1]->base.why = NULL;
    for (int i = 0; i < n; i++)
        universe_message_clear(m[i]);
    universe_exit();
    error = universe_fail_request(m[0]->base.comm, error, why, name);
    universe_enter();
    return error;
}

static int message_restart(universe_request *r)
{
    universe_message *m = (universe_message *)r;
    free(m->packed);
    m->packed = NULL;
    if (m->mode == UNIVERSE_BUFFERED)
        universe_message_end(m, universe_buffer_send(r->comm, m->buf, m->count, m->type, m->other, m->tag), NULL);
    else
        universe_message_start(m);
    return 0;
}

static void message_test(universe_request *r)
{
    universe_message_test((universe_message *)r);
}

static abi_Request *message_inner(universe_request *r)
{
    universe_message *m = (universe_message *)r;
    return m->is_inside ? &m->inner : NULL;
}

static void message_inner_done(universe_request *r, const abi_Status *status, int error)
{
    inside_end((universe_message *)r, status, error);
}

static int message_cancel(universe_request *r)
{
    universe_message *m = (universe_message *)r;
    if (m->is_crossing)
        return waitio_cancel(&m->req) ? ABI_ERR_OTHER : 0;
    if (m->is_inside)
        return universe.mpi->Cancel(&m->inner);
    if (m->is_kept) {
        universe_order_remove(m);
        universe_status_set(&m->base.status, ABI_ANY_SOURCE, ABI_ANY_TAG, 0, true);
        universe_message_end(m, 0, NULL);
    }
    return 0;
}

static void message_release(universe_request *r)
{
    universe_message_clear((universe_message *)r);
}

const universe_request_ops universe_message_ops = {
    .start = message_restart,
    .test = message_test,
    .await = message_await,
    .inner = message_inner,
    .inner_done = message_inner_done,
    .cancel = message_cancel,
    .release = message_release,
    .may_be_freed = true,
};
