/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/incoming.h"

#include <stdio.h>
#include <stdlib.h>

#include "waitio/match.h"
#include "waitio/request.h"

/* Which frames may come in which state of a connection. */
static bool is_expected(const waitio__conn *c, const waitio__frame *f)
{
    switch (f->kind) {
    case WAITIO__HELLO:
        return c->state == WAITIO__GUEST;
    case WAITIO__HELLO_ACK:
    case WAITIO__CROSSED:
        return c->state == WAITIO__OPENING;
    case WAITIO__EAGER:
    case WAITIO__RTS:
    case WAITIO__CTS:
    case WAITIO__DATA:
    case WAITIO__BYE:
    case WAITIO__ABORT:
        return c->state == WAITIO__READY && !c->peer->heard_bye;
    }
    return false;
}

static int take_text(waitio__conn *c, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    free(c->text);
    c->text = calloc(1, f->length + 1);
    if (!c->text)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a name");
    *place = (unsigned char *)c->text;
    *room = f->length;
    return H3OU__OK;
}

static int take_eager(waitio__conn *c, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    waitio__request *r = waitio__match_posted(c->peer, f->group, f->tag);
    if (r) {
        c->receiver = r;
        r->expected = f->length;
        *place = r->data;
        *room = f->length < r->length ? f->length : r->length;
        return H3OU__OK;
    }
    c->arrival = waitio__match_keep(c->peer, f->group, f->tag, f->length, f->length);
    if (!c->arrival)
        return H3OU__ENOMEM;
    *place = c->arrival->data;
    *room = f->length;
    return H3OU__OK;
}

static int take_data(waitio__conn *c, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    waitio__request *r = waitio__request_find(c->in, f->id);
    if (!r || r->peer != c->peer || r->kind != WAITIO__RECV || r->state != WAITIO__MOVING)
        return h3ou__fail(H3OU__EPROTO, "data for a receive that is not there");
    uint64_t take = r->expected < r->length ? r->expected : r->length;
    if (f->tag < 0 || (uint64_t)f->tag != r->arrived || !f->length || f->length > take - r->arrived)
        return h3ou__fail(H3OU__EPROTO, "%zu bytes of data at %lld, expected are %zu at %zu", (size_t)f->length,
                          (long long)f->tag, (size_t)(take - r->arrived), (size_t)r->arrived);
    c->receiver = r;
    *place = r->data + r->arrived;
    *room = f->length;
    return H3OU__OK;
}

static int incoming_frame(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    waitio__conn *c = owner;
    if (!is_expected(c, f))
        return h3ou__fail(H3OU__EPROTO, "frame %s out of order", waitio__frame_name(f->kind));
    if (c->peer && f->source != c->peer->global)
        return h3ou__fail(H3OU__EPROTO, "frame %s from process %d on the connection of process %d",
                          waitio__frame_name(f->kind), f->source, c->peer->global);
    switch (f->kind) {
    case WAITIO__HELLO:
    case WAITIO__HELLO_ACK:
    case WAITIO__ABORT:
        return take_text(c, f, place, room);
    case WAITIO__EAGER:
        return c->in->failed ? H3OU__OK : take_eager(c, f, place, room);
    case WAITIO__DATA:
        return c->in->failed ? H3OU__OK : take_data(c, f, place, room);
    }
    return H3OU__OK;
}

static int announced(waitio__conn *c, const waitio__frame *f)
{
    waitio__request *r = waitio__match_posted(c->peer, f->group, f->tag);
    if (r) {
        waitio__match_take(r, f->id, f->length);
        return H3OU__OK;
    }
    waitio__arrival *a = waitio__match_keep(c->peer, f->group, f->tag, f->length, 0);
    if (!a)
        return H3OU__ENOMEM;
    a->is_announced = true;
    a->partner = f->id;
    return H3OU__OK;
}

static void data_sent(waitio__out *o, int code)
{
    if (!code)
        waitio__request_complete((waitio__request *)o, H3OU__OK, NULL);
}

/* The receiver takes `length` bytes of a long message. */
static int cleared(waitio__conn *c, const waitio__frame *f)
{
    waitio__request *r = waitio__request_find(c->in, f->id);
    if (!r || r->peer != c->peer || r->kind != WAITIO__SEND || r->state != WAITIO__ANNOUNCED || f->length > r->length)
        return h3ou__fail(H3OU__EPROTO, "a receive for a message that was not announced");
    if (!f->length) {
        waitio__request_complete(r, H3OU__OK, NULL);
        return H3OU__OK;
    }
    r->state = WAITIO__MOVING;
    r->out.frame =
        (waitio__frame){.kind = WAITIO__DATA, .source = c->in->me, .group = r->group, .id = (uint64_t)f->tag};
    r->out.data = r->data;
    r->out.length = f->length;
    r->out.is_segmented = true;
    r->out.done = data_sent;
    waitio__channel_send(&c->channel, &r->out);
    return H3OU__OK;
}

static void eager_arrived(waitio__conn *c)
{
    waitio__request *r = c->receiver;
    waitio__arrival *a = c->arrival;
    c->receiver = NULL;
    c->arrival = NULL;
    if (r) {
        r->arrived = r->expected < r->length ? r->expected : r->length;
        waitio__request_received(r);
    } else if (a) {
        waitio__match_whole(c->peer, a);
    }
}

static void data_arrived(waitio__conn *c, const waitio__frame *f)
{
    waitio__request *r = c->receiver;
    c->receiver = NULL;
    if (!r)
        return;
    r->arrived += f->length;
    if (r->arrived == (r->expected < r->length ? r->expected : r->length))
        waitio__request_received(r);
}

static int heard_abort(waitio__conn *c, const waitio__frame *f)
{
    int code = f->tag < 0 && f->tag > -1000 ? (int)f->tag : H3OU__EABORT;
    c->peer->heard_abort = true;
    waitio__instance_fail(c->in, code, c->text && *c->text ? c->text : "another process ended the run");
    waitio__peer_say_bye(c->peer);
    return H3OU__OK;
}

/* Nothing follows: who waits for a message waits in vain. */
static int heard_bye(waitio__conn *c)
{
    waitio__peer *p = c->peer;
    p->heard_bye = true;
    while (p->posted) {
        waitio__request *r = p->posted;
        char who[WAITIO__WHO], why[WAITIO__WHO + 128];
        snprintf(why, sizeof why, "%s has left the run (waitio_finalize) without sending tag %lld",
                 waitio__who(p->in, p->global, who), (long long)r->tag);
        waitio__match_unpost(r);
        waitio__request_complete(r, H3OU__EPEER, why);
    }
    return H3OU__OK;
}

static int incoming_payload(void *owner, const waitio__frame *f)
{
    waitio__conn *c = owner;
    switch (f->kind) {
    case WAITIO__HELLO:
        return waitio__conn_hello(c, f);
    case WAITIO__HELLO_ACK:
        return waitio__conn_acknowledged(c, f);
    case WAITIO__CROSSED:
        return waitio__conn_crossed(c);
    case WAITIO__EAGER:
        eager_arrived(c);
        return H3OU__OK;
    case WAITIO__RTS:
        return c->in->failed ? H3OU__OK : announced(c, f);
    case WAITIO__CTS:
        return c->in->failed ? H3OU__OK : cleared(c, f);
    case WAITIO__DATA:
        data_arrived(c, f);
        return H3OU__OK;
    case WAITIO__BYE:
        return heard_bye(c);
    case WAITIO__ABORT:
        return heard_abort(c, f);
    }
    return H3OU__OK;
}

static void incoming_closed(void *owner, int code)
{
    waitio__conn_closed(owner, code);
}

const waitio__channel_ops waitio__incoming = {
    .frame = incoming_frame,
    .payload = incoming_payload,
    .closed = incoming_closed,
};

void waitio__incoming_let_go(waitio__conn *c, waitio__request *r)
{
    if (c->receiver != r)
        return;
    c->receiver = NULL;
    c->channel.place_left = 0;
}
