/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/connection.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "os/clock.h"
#include "waitio/incoming.h"
#include "waitio/match.h"
#include "waitio/request.h"

static const double grace = 0.3;     /* s: a peer that is lost fails then, unless an ABORT says why it left */
static const double silence = 10;    /* s: a guest that has not said who it is goes then */
static const double unconnected = 1; /* s: a receive makes a connection then, to know whether its sender lives */

static void bury(waitio__conn *c)
{
    waitio__channel_close(&c->channel);
    if (c->state == WAITIO__GUEST) {
        waitio__conn **place = &c->in->guest;
        while (*place && *place != c)
            place = &(*place)->next;
        if (*place)
            *place = c->next;
    }
    c->next = c->in->buried;
    c->in->buried = c;
}

void waitio__conns_bury(waitio__instance *in)
{
    while (in->buried) {
        waitio__conn *c = in->buried;
        in->buried = c->next;
        free(c->text);
        free(c);
    }
}

int waitio__peer_get(waitio__instance *in, int global, waitio__peer **out)
{
    *out = waitio__map_get(&in->peers, global);
    if (*out)
        return H3OU__OK;
    waitio__peer *p = calloc(1, sizeof *p);
    int code = p ? waitio__map_put(&in->peers, global, p) : h3ou__fail(H3OU__ENOMEM, "no memory for a peer");
    if (code) {
        free(p);
        return code;
    }
    p->in = in;
    p->global = global;
    p->next = in->peer;
    in->peer = p;
    *out = p;
    return H3OU__OK;
}

/* The connection broke: when nobody says why in time, the peer has failed. */
static void lose(waitio__peer *p, const char *how, const char *cause)
{
    char who[WAITIO__WHO], text[H3OU__ERROR_TEXT];
    p->conn = NULL;
    if (p->failed || p->lost > 0)
        return;
    snprintf(text, sizeof text, "%s %s: %s", waitio__who(p->in, p->global, who), how, cause);
    p->lost = h3ou__now();
    p->why = strdup(text);
    h3ou__log(H3OU__LOG_LOUD, "peer_lost", "peer=%d reason=\"%s\"", p->global, cause);
}

static int say_hello(waitio__conn *c, int kind)
{
    waitio__instance *in = c->in;
    waitio__frame f = {
        .kind = kind, .source = in->me, .tag = c->peer->global, .length = strlen(in->name), .id = in->id};
    return waitio__channel_send_copy(&c->channel, &f, in->name);
}

void waitio__peer_connect(waitio__peer *p)
{
    waitio__instance *in = p->in;
    if (p->conn || p->failed || p->lost > 0 || p->heard_bye || p->global == in->me)
        return;
    waitio__link link;
    const waitio__address *to = waitio__endpoints_address(&in->table, p->global);
    waitio__conn *c = calloc(1, sizeof *c);
    int code = c ? waitio__tcp.open(to, &link) : h3ou__fail(H3OU__ENOMEM, "no memory for a connection");
    if (!code)
        code = waitio__channel_open(&c->channel, &in->hub, &link, true, &waitio__incoming, c);
    if (code) {
        free(c);
        lose(p, "cannot be reached", h3ou__fail_text());
        return;
    }
    c->in = in;
    c->peer = p;
    c->state = WAITIO__OPENING;
    c->since = h3ou__now();
    p->conn = c;
    h3ou__log(H3OU__LOG_LOUD, "connect", "peer=%d route=%s", p->global, link.conduit->name);
    say_hello(c, WAITIO__HELLO);
}

void waitio__conn_arrived(void *instance, waitio__link *link)
{
    waitio__instance *in = instance;
    waitio__conn *c = calloc(1, sizeof *c);
    if (!c) {
        link->conduit->close(link);
        return;
    }
    c->in = in;
    c->state = WAITIO__GUEST;
    c->since = h3ou__now();
    if (waitio__channel_open(&c->channel, &in->hub, link, false, &waitio__incoming, c)) {
        free(c);
        return;
    }
    c->next = in->guest;
    in->guest = c;
}

/* The connection stands: what has waited for it leaves. */
static void ready(waitio__conn *c)
{
    waitio__peer *p = c->peer;
    c->state = WAITIO__READY;
    if (p->shadow) {
        bury(p->shadow);
        p->shadow = NULL;
    }
    if (p->last_word) {
        waitio__frame f = {
            .kind = WAITIO__ABORT, .source = p->in->me, .tag = H3OU__EABORT, .length = strlen(p->last_word)};
        waitio__channel_send_copy(&c->channel, &f, p->last_word);
        free(p->last_word);
        p->last_word = NULL;
    }
    while (p->pending && c->channel.is_open) {
        waitio__request *r = p->pending;
        p->pending = r->next;
        if (!p->pending)
            p->pending_last = NULL;
        r->next = NULL;
        waitio__channel_send(&c->channel, &r->out);
    }
    if (p->in->is_leaving && !p->active)
        waitio__peer_say_bye(p);
}

static void adopt(waitio__conn *c, waitio__peer *p)
{
    waitio__conn **place = &c->in->guest;
    while (*place != c)
        place = &(*place)->next;
    *place = c->next;
    c->next = NULL;
    c->peer = p;
    c->state = WAITIO__READY;
}

/* A guest has said who it is; its name is in c->text. */
int waitio__conn_hello(waitio__conn *c, const waitio__frame *f)
{
    waitio__instance *in = c->in;
    waitio__peer *p;
    if (f->id != in->id || f->source < 0 || f->source >= waitio__endpoints_count(&in->table) || f->source == in->me ||
        f->tag != in->me)
        return h3ou__fail(H3OU__EPROTO, "a process of another run, or a connection meant for another process");
    int code = waitio__peer_get(in, f->source, &p);
    if (code)
        return code;
    if (p->failed || p->lost > 0 || p->heard_bye)
        return h3ou__fail(H3OU__EPROTO, "process %d, which had gone, came again", f->source);
    snprintf(p->name, sizeof p->name, "%s", c->text ? c->text : "");
    waitio__conn *mine = p->conn;
    if (mine && (mine->state == WAITIO__READY || (mine->state == WAITIO__OPENING && in->me < p->global))) {
        adopt(c, p);
        c->state = WAITIO__SHADOW;
        if (p->shadow)
            bury(p->shadow);
        p->shadow = c;
        h3ou__log(H3OU__LOG_LOUD, "crossed", "peer=%d kept=mine", p->global);
        waitio__frame crossed = {.kind = WAITIO__CROSSED, .source = in->me};
        code = waitio__channel_send_copy(&c->channel, &crossed, NULL);
        if (mine->state == WAITIO__READY) {
            p->shadow = NULL;
            bury(c);
        }
        return code;
    }
    adopt(c, p);
    if (mine)
        bury(mine);
    p->conn = c;
    code = say_hello(c, WAITIO__HELLO_ACK);
    if (!code)
        ready(c);
    return code;
}

int waitio__conn_acknowledged(waitio__conn *c, const waitio__frame *f)
{
    if (f->id != c->in->id)
        return h3ou__fail(H3OU__EPROTO, "a process of another run answers there");
    snprintf(c->peer->name, sizeof c->peer->name, "%s", c->text ? c->text : "");
    ready(c);
    return H3OU__OK;
}

int waitio__conn_crossed(waitio__conn *c)
{
    if (c->in->me < c->peer->global)
        return h3ou__fail(H3OU__EPROTO, "frame CROSSED from the higher rank");
    c->state = WAITIO__WAITING;
    return H3OU__OK;
}

void waitio__conn_closed(waitio__conn *c, int code)
{
    waitio__peer *p = c->peer;
    waitio__instance *in = c->in;
    const char *cause = h3ou__fail_text();
    if (c->arrival && !c->arrival->is_whole)
        c->arrival = NULL; /* stays in the list until the peer fails */
    switch (c->state) {
    case WAITIO__GUEST:
        /* Who lost a crossing closes in silence; whoever else comes and goes is a stranger. */
        if (code == H3OU__EPROTO)
            h3ou__log(H3OU__LOG_WHISPER, "stranger_refused", "reason=\"%s\"", cause);
        break;
    case WAITIO__SHADOW:
        if (p->shadow == c)
            p->shadow = NULL;
        break;
    case WAITIO__OPENING:
    case WAITIO__WAITING:
        /* In leaving, a connection that was made only to know whether the peer lives is not missed. */
        if (in->is_leaving && !p->active)
            p->conn = NULL;
        else
            lose(p, "cannot be reached",
                 code == H3OU__EREFUSED ? "it refuses connections, so the process has ended" : cause);
        break;
    case WAITIO__READY:
        if (p->heard_bye)
            p->conn = NULL;
        else
            lose(p, "died or left without goodbye", cause);
        break;
    }
    bury(c);
}

static void append_pending(waitio__peer *p, waitio__request *r)
{
    r->next = NULL;
    if (p->pending_last)
        p->pending_last->next = r;
    else
        p->pending = r;
    p->pending_last = r;
}

void waitio__peer_send(waitio__peer *p, waitio__request *r)
{
    if (p->conn && p->conn->state == WAITIO__READY) {
        waitio__channel_send(&p->conn->channel, &r->out);
        return;
    }
    append_pending(p, r);
    waitio__peer_connect(p);
}

int waitio__peer_send_frame(waitio__peer *p, const waitio__frame *f, const void *payload)
{
    if (!p->conn || p->conn->state != WAITIO__READY)
        return h3ou__fail(H3OU__EPEER, "not connected");
    return waitio__channel_send_copy(&p->conn->channel, f, payload);
}

void waitio__peer_fail(waitio__peer *p, int code, const char *text)
{
    char *why = strdup(text);
    if (!p->failed) {
        p->failed = code;
        free(p->why);
        p->why = why;
        why = NULL;
        h3ou__log(H3OU__LOG_WHISPER, "peer_failed", "peer=%d reason=\"%s\"", p->global, text);
    }
    free(why);
    if (p->conn)
        bury(p->conn);
    if (p->shadow)
        bury(p->shadow);
    p->conn = p->shadow = NULL;
    p->pending = p->pending_last = NULL;
    p->posted = p->posted_last = NULL;
    while (p->active)
        waitio__request_complete(p->active, p->failed, p->why);
    waitio__match_free(p);
}

void waitio__peer_say_bye(waitio__peer *p)
{
    waitio__frame f = {.kind = WAITIO__BYE, .source = p->in->me};
    if (!p->said_bye && !waitio__peer_send_frame(p, &f, NULL))
        p->said_bye = true;
}

static void tick_guests(waitio__instance *in, double now)
{
    for (waitio__conn *c = in->guest, *next; c; c = next) {
        next = c->next;
        if (now - c->since > silence) {
            h3ou__log(H3OU__LOG_WHISPER, "stranger_refused", "reason=\"it said nothing for %g s\"", silence);
            bury(c);
        }
    }
}

void waitio__conns_tick(waitio__instance *in, double now)
{
    tick_guests(in, now);
    for (waitio__peer *p = in->peer; p; p = p->next) {
        if (p->lost > 0 && !p->failed && now - p->lost > grace) {
            char text[H3OU__ERROR_TEXT];
            snprintf(text, sizeof text, "%s", p->why ? p->why : "a peer was lost");
            waitio__peer_fail(p, H3OU__EPEER, text);
        }
        if (p->posted && !p->conn && !in->is_leaving && now - p->posted->since > unconnected)
            waitio__peer_connect(p);
    }
    waitio__listener_retry(&in->ear);
}

void waitio__conns_free(waitio__instance *in)
{
    while (in->guest)
        bury(in->guest);
    while (in->peer) {
        waitio__peer *p = in->peer;
        in->peer = p->next;
        if (p->conn)
            bury(p->conn);
        if (p->shadow)
            bury(p->shadow);
        p->failed = p->failed ? p->failed : H3OU__ESTATE;
        in->failed = in->failed ? in->failed : H3OU__ESTATE;
        waitio__match_free(p);
        free(p->why);
        free(p->last_word);
        free(p);
    }
    waitio__conns_bury(in);
    waitio__map_free(&in->peers);
}
