/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames as they come in: read, checked, and given to whom they concern. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "waitio/instance.h"

/* The connection is over: what that means depends on how far it had come. */
static void lost(waitio__conn *c, int code, const char *why)
{
    waitio__instance *w = c->instance;
    waitio__peer *p = c->peer;
    char text[WAITIO__TEXT];
    snprintf(text, sizeof text, "%s", why);
    if (c->state == WAITIO__LINK) {
        waitio__conn_close(c);
        waitio__link_lost(c, text);
        return;
    }
    bool is_current = p && p->conn == c, was_link = c->is_link;
    int state = c->state;
    waitio__conn_close(c);
    if (state == WAITIO__ASKING) {
        if (code == H3OU__EPROTO)
            h3ou__log(H3OU__LOG_WHISPER, "stranger", "refused=\"%s\"", text);
        return;
    }
    if (!is_current || state == WAITIO__LEAVING || p->said_bye)
        return;
    if (code == H3OU__EPEER)
        snprintf(text, sizeof text, "%s (%s)", state == WAITIO__READY ? "died or left without goodbye" : "cannot be reached", why);
    waitio__peer_die(w, p, H3OU__EPEER, text);
    /* A King's link ends without goodbye when its job ends: nothing can be awaited from that job any more. */
    if (was_link) {
        waitio__fail_instance(w, H3OU__EPEER, "%s", p->death);
        waitio__requests_fail(w, NULL, H3OU__EPEER, p->death);
        if (w->rank == 0 && w->pb == 0)
            for (int pb = 1; pb < w->npb; pb++) {
                waitio__peer *king = waitio__peer_get(w, w->first[pb]);
                waitio__frame f = {.kind = WAITIO__ABORT, .source = (uint32_t)w->me};
                if (king && king != p && king->conn)
                    waitio__conn_send(king->conn, &f, p->death, strlen(p->death));
            }
    }
}

static int allowed(const waitio__conn *c)
{
    static const unsigned kinds[] = {
        [WAITIO__OPENING] = 0,
        [WAITIO__ASKED] = 1u << WAITIO__HELLO_ACK | 1u << WAITIO__CROSSED,
        [WAITIO__ASKING] = 1u << WAITIO__HELLO | 1u << WAITIO__HERE,
        [WAITIO__READY] = 1u << WAITIO__EAGER | 1u << WAITIO__RTS | 1u << WAITIO__CTS | 1u << WAITIO__DATA | 1u << WAITIO__BYE |
                          1u << WAITIO__ABORT,
        [WAITIO__LEAVING] = 1u << WAITIO__ABORT,
        [WAITIO__LINK] = 1u << WAITIO__HERE | 1u << WAITIO__WELCOME | 1u << WAITIO__JOIN | 1u << WAITIO__TABLE |
                         1u << WAITIO__REFUSE | 1u << WAITIO__ABORT,
        [WAITIO__CLOSED] = 0,
    };
    if (kinds[c->state] >> c->frame.kind & 1u)
        return H3OU__OK;
    return h3ou__fail(H3OU__EPROTO, "frame of kind %d in state %d", c->frame.kind, c->state);
}

/* A segment of a long message: it must be the next of a receive that awaits it. */
static int begin_data(waitio__conn *c)
{
    const waitio__frame *f = &c->frame;
    waitio__request *r = waitio__request_of(c->instance, f->id);
    if (!r || r->is_send || r->is_done || r->peer != c->peer || r->group != f->group || f->length == 0 ||
        f->tag < 0 || (uint64_t)f->tag != r->got || f->length > r->total - r->got)
        return h3ou__fail(H3OU__EPROTO, "a segment of %" PRIu64 " bytes that nobody awaits", f->length);
    c->request = r->id;
    uint64_t room = r->len > r->got ? r->len - r->got : 0;
    c->dest = r->buf + r->got;
    c->keep = f->length < room ? f->length : room;
    return H3OU__OK;
}

int waitio__begin_payload(waitio__conn *c)
{
    const waitio__frame *f = &c->frame;
    int err = allowed(c);
    c->dest = NULL;
    c->keep = 0;
    c->message = NULL;
    c->request = 0;
    c->rest = waitio__frame_payload(f);
    if (err)
        return err;
    if (f->kind == WAITIO__EAGER || f->kind == WAITIO__RTS)
        return waitio__arrive(c->instance, c, c->peer, f);
    if (f->kind == WAITIO__DATA)
        return begin_data(c);
    if (f->kind == WAITIO__JOIN && c->pb < 0)
        return h3ou__fail(H3OU__EPROTO, "endpoints from a King that did not say which PB it is");
    if (c->rest == 0)
        return H3OU__OK;
    c->own = malloc(c->rest + 1);
    if (!c->own)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a frame of %" PRIu64 " bytes", c->rest);
    c->own[c->rest] = 0;
    c->dest = c->own;
    c->keep = c->rest;
    return H3OU__OK;
}

static void take_name(waitio__conn *c)
{
    if (c->own)
        snprintf(c->peer->name, sizeof c->peer->name, "%s", c->own);
}

/* Another process wants to talk. Of two that ask each other at once, the connection of the lower rank is kept. */
static int hello(waitio__conn *c)
{
    waitio__instance *w = c->instance;
    const waitio__frame *f = &c->frame;
    if (w->boot || f->id != w->id || f->source >= (uint32_t)w->first[w->npb] || f->tag != w->me || f->source == (uint32_t)w->me)
        return h3ou__fail(H3OU__EPROTO, "a process of another WaitIO instance");
    waitio__peer *p = waitio__peer_get(w, (int)f->source);
    if (!p)
        return H3OU__ENOMEM;
    c->peer = p;
    take_name(c);
    waitio__conn *mine = p->conn;
    bool keep_mine = mine && (mine->state == WAITIO__READY || w->me < p->rank);
    waitio__frame answer = {.kind = keep_mine ? WAITIO__CROSSED : WAITIO__HELLO_ACK, .source = (uint32_t)w->me, .id = w->id};
    if (keep_mine) {
        c->state = WAITIO__LEAVING;
        return waitio__conn_send(c, &answer, NULL, 0);
    }
    if (mine)
        waitio__conn_close(mine);
    p->conn = c;
    c->state = WAITIO__READY;
    int err = waitio__conn_send(c, &answer, w->name, strlen(w->name));
    waitio__conn_flush(c);
    return err;
}

static int answered(waitio__conn *c)
{
    if (c->frame.kind == WAITIO__CROSSED) {
        waitio__conn_close(c); /* the other's is on its way; what waits for the peer goes there */
        return H3OU__OK;
    }
    take_name(c);
    c->state = WAITIO__READY;
    waitio__conn_flush(c);
    return H3OU__OK;
}

static void data_done(waitio__conn *c)
{
    waitio__request *r = waitio__request_of(c->instance, c->request);
    if (!r || r->is_done)
        return;
    r->got += c->frame.length;
    if (r->got < r->total)
        return;
    char text[128];
    snprintf(text, sizeof text, "a message of %" PRIu64 " bytes is longer than its buffer of %" PRIu64 " (tag %" PRId64 ")", r->total,
             r->len, r->tag);
    waitio__request_done(r, r->total > r->len ? H3OU__ETRUNC : H3OU__OK, text);
}

static int eager_done(waitio__conn *c)
{
    if (c->message)
        return waitio__message_whole(c->instance, c->message);
    data_done(c);
    return H3OU__OK;
}

static int bye(waitio__conn *c)
{
    c->peer->said_bye = true;
    return H3OU__OK;
}

static int aborted(waitio__conn *c)
{
    waitio__instance *w = c->instance;
    const char *text = c->own && *c->own ? c->own : "another job ended the run";
    waitio__fail_instance(w, H3OU__EABORT, "%s", text);
    waitio__requests_fail(w, NULL, H3OU__EABORT, text);
    return H3OU__OK;
}

int waitio__frame_done(waitio__conn *c)
{
    switch (c->frame.kind) {
    case WAITIO__HELLO:
        return hello(c);
    case WAITIO__HELLO_ACK:
    case WAITIO__CROSSED:
        return answered(c);
    case WAITIO__EAGER:
        return eager_done(c);
    case WAITIO__RTS:
        return H3OU__OK;
    case WAITIO__CTS:
        return waitio__cts(c->instance, c->peer, &c->frame);
    case WAITIO__DATA:
        data_done(c);
        return H3OU__OK;
    case WAITIO__BYE:
        return bye(c);
    case WAITIO__ABORT:
        return aborted(c);
    }
    return waitio__link_frame(c);
}

static int end_frame(waitio__conn *c)
{
    c->have = 0;
    c->in_payload = false;
    int err = waitio__frame_done(c);
    free(c->own);
    c->own = NULL;
    return err;
}

/* Sorts bytes into frames. */
static int feed(waitio__conn *c, const char *bytes, uint64_t n)
{
    int err = H3OU__OK;
    while (n > 0 && !err && c->state != WAITIO__CLOSED) {
        if (!c->in_payload) {
            uint64_t take = (uint64_t)(WAITIO__FRAME - c->have) < n ? (uint64_t)(WAITIO__FRAME - c->have) : n;
            memcpy(c->head + c->have, bytes, take);
            c->have += (int)take;
            bytes += take;
            n -= take;
            if (c->have < WAITIO__FRAME)
                break;
            if ((err = waitio__frame_read(c->head, c->seq_in, c->instance->eager_limit, &c->frame)) != H3OU__OK)
                break;
            c->seq_in++;
            c->in_payload = true;
            err = waitio__begin_payload(c);
        } else {
            uint64_t take = c->rest < n ? c->rest : n, kept = take < c->keep ? take : c->keep;
            if (kept) {
                memcpy(c->dest, bytes, kept);
                c->dest += kept;
                c->keep -= kept;
            }
            c->rest -= take;
            bytes += take;
            n -= take;
        }
        if (!err && c->in_payload && c->rest == 0)
            err = end_frame(c);
    }
    return err;
}

/* A long payload goes straight to where it belongs. */
static int64_t read_straight(waitio__conn *c)
{
    int64_t got = c->pipe.conduit->read(&c->pipe, c->dest, (int64_t)c->keep);
    if (got > 0) {
        c->dest += got;
        c->keep -= (uint64_t)got;
        c->rest -= (uint64_t)got;
    }
    return got;
}

void waitio__conn_read(waitio__conn *c)
{
    enum { TURNS = 16 }; /* a peer that never stops sending must not keep the others waiting */
    waitio__instance *w = c->instance;
    for (int turn = 0; turn < TURNS && c->state != WAITIO__CLOSED; turn++) {
        int err = H3OU__OK;
        bool straight = c->in_payload && c->keep >= WAITIO__STAGE;
        int64_t got = straight ? read_straight(c) : c->pipe.conduit->read(&c->pipe, w->stage, WAITIO__STAGE);
        if (got == 0)
            return;
        if (got < 0) {
            lost(c, (int)got, h3ou__fail_text());
            return;
        }
        if (!straight)
            err = feed(c, w->stage, (uint64_t)got);
        else if (c->rest == 0)
            err = end_frame(c);
        if (err) {
            lost(c, err, h3ou__fail_text());
            return;
        }
    }
}
