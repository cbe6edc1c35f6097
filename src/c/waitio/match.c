/* SPDX-License-Identifier: BSD-3-Clause */
/* Matching: receives as posted meet messages as they came, by source, group and tag, in order. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "waitio/instance.h"

static int truncated(waitio__request *r)
{
    char text[160];
    snprintf(text, sizeof text, "a message of %" PRIu64 " bytes is longer than its buffer of %" PRIu64 " (group %u, tag %" PRId64 ")",
             r->total, r->len, r->group, r->tag);
    waitio__request_done(r, H3OU__ETRUNC, text);
    return H3OU__OK;
}

/* All bytes of r's message have come. */
static void complete(waitio__request *r)
{
    if (r->total > r->len)
        truncated(r);
    else
        waitio__request_done(r, H3OU__OK, NULL);
}

static waitio__request *take_posted(waitio__peer *p, uint32_t group, int64_t tag)
{
    for (waitio__request **at = &p->posted; *at; at = &(*at)->next) {
        waitio__request *r = *at;
        if (r->group != group || r->tag != tag)
            continue;
        *at = r->next;
        if (p->posted_end == &r->next)
            p->posted_end = at;
        r->next = NULL;
        return r;
    }
    return NULL;
}

void waitio__unpost(waitio__request *r)
{
    waitio__peer *p = r->peer;
    for (waitio__request **at = &p->posted; *at; at = &(*at)->next)
        if (*at == r) {
            *at = r->next;
            if (p->posted_end == &r->next)
                p->posted_end = at;
            return;
        }
}

static waitio__message *take_unexpected(waitio__peer *p, uint32_t group, int64_t tag)
{
    for (waitio__message **at = &p->unexpected; *at; at = &(*at)->next) {
        waitio__message *m = *at;
        if (m->taker || m->group != group || m->tag != tag)
            continue;
        *at = m->next;
        if (p->unexpected_end == &m->next)
            p->unexpected_end = at;
        m->next = NULL;
        return m;
    }
    return NULL;
}

static void append_unexpected(waitio__peer *p, waitio__message *m)
{
    *p->unexpected_end = m;
    p->unexpected_end = &m->next;
}

static int send_cts(waitio__instance *w, waitio__request *r, uint64_t send_id)
{
    waitio__frame f = {.kind = WAITIO__CTS, .source = (uint32_t)w->me, .group = r->group, .tag = (int64_t)r->id, .id = send_id};
    return waitio__peer_send(w, r->peer, &f, NULL, 0, false, 0);
}

static void copy_in(waitio__request *r, const char *data, uint64_t length)
{
    uint64_t fits = length < r->len ? length : r->len;
    if (fits)
        memcpy(r->buf, data, fits);
    r->total = r->got = length;
}

static void copy_own(waitio__instance *w, waitio__request *recv, waitio__request *send)
{
    (void)w;
    copy_in(recv, send->buf, send->len);
    waitio__request_done(send, H3OU__OK, NULL);
    complete(recv);
}

static void message_free(waitio__message *m)
{
    free(m->data);
    free(m);
}

void waitio__post(waitio__instance *w, waitio__request *r)
{
    waitio__peer *p = r->peer;
    waitio__message *m = take_unexpected(p, r->group, r->tag);
    if (!m) {
        if (p->is_dead) {
            waitio__request_done(r, H3OU__EPEER, p->death);
            return;
        }
        *p->posted_end = r;
        p->posted_end = &r->next;
        return;
    }
    if (m->own_send) {
        waitio__request *send = waitio__request_of(w, m->own_send);
        if (send)
            copy_own(w, r, send);
        message_free(m);
    } else if (m->is_long) {
        r->total = m->length;
        int err = send_cts(w, r, m->id);
        if (err)
            waitio__request_done(r, err, h3ou__fail_text());
        message_free(m);
    } else if (m->is_whole) {
        copy_in(r, m->data, m->length);
        complete(r);
        message_free(m);
    } else {
        m->taker = r->id; /* its last bytes are on their way: message_whole finishes it */
    }
}

static waitio__message *new_unexpected(const waitio__frame *f)
{
    waitio__message *m = calloc(1, sizeof *m);
    bool is_long = f->kind == WAITIO__RTS;
    if (m && !is_long)
        m->data = malloc(f->length + 1);
    if (!m || (!is_long && !m->data)) {
        free(m);
        h3ou__fail(H3OU__ENOMEM, "out of memory for a message that nobody awaits yet");
        return NULL;
    }
    m->group = f->group;
    m->tag = f->tag;
    m->length = f->length;
    m->is_long = is_long;
    m->id = f->id;
    return m;
}

/* An EAGER frame, whose payload follows, or an RTS. Sets where the payload goes. */
int waitio__arrive(waitio__instance *w, waitio__conn *c, waitio__peer *p, const waitio__frame *f)
{
    waitio__request *r = take_posted(p, f->group, f->tag);
    if (r && f->kind == WAITIO__RTS) {
        r->total = f->length;
        return send_cts(w, r, f->id);
    }
    if (r) {
        r->total = f->length;
        c->request = r->id;
        c->dest = r->buf;
        c->keep = f->length < r->len ? f->length : r->len;
        return H3OU__OK;
    }
    waitio__message *m = new_unexpected(f);
    if (!m)
        return H3OU__ENOMEM;
    append_unexpected(p, m);
    if (f->kind == WAITIO__EAGER) {
        c->message = m;
        c->dest = m->data;
        c->keep = f->length;
    }
    return H3OU__OK;
}

int waitio__arrive_own(waitio__instance *w, waitio__request *send)
{
    waitio__request *r = take_posted(send->peer, send->group, send->tag);
    if (r) {
        copy_own(w, r, send);
        return H3OU__OK;
    }
    waitio__frame f = {.kind = WAITIO__RTS, .group = send->group, .tag = send->tag, .length = send->len};
    waitio__message *m = new_unexpected(&f);
    if (!m)
        return H3OU__ENOMEM;
    m->own_send = send->id;
    append_unexpected(send->peer, m);
    return H3OU__OK;
}

int waitio__message_whole(waitio__instance *w, waitio__message *m)
{
    m->is_whole = true;
    if (!m->taker)
        return H3OU__OK;
    waitio__request *r = waitio__request_of(w, m->taker);
    if (r && !r->is_done) {
        copy_in(r, m->data, m->length);
        complete(r);
    }
    message_free(m);
    return H3OU__OK;
}

/* The receiver is ready: the segments, the last of which completes the send. */
int waitio__cts(waitio__instance *w, waitio__peer *p, const waitio__frame *f)
{
    waitio__request *r = waitio__request_of(w, f->id);
    if (!r || !r->is_send || r->is_done || r->peer != p || r->got > 0 || r->len <= w->eager_limit)
        return h3ou__fail(H3OU__EPROTO, "leave to send a message that is not being sent");
    int err = H3OU__OK;
    while (r->got < r->len && !err) {
        uint64_t left = r->len - r->got, size = left < w->segment ? left : w->segment;
        waitio__frame data = {.kind = WAITIO__DATA,
                              .source = (uint32_t)w->me,
                              .group = r->group,
                              .tag = (int64_t)r->got,
                              .length = size,
                              .id = (uint64_t)f->tag};
        const char *from = r->buf + r->got;
        r->got += size;
        err = waitio__peer_send(w, p, &data, from, size, false, r->got == r->len ? r->id : 0);
    }
    return err;
}
