/* SPDX-License-Identifier: BSD-3-Clause */
/* Connections: made at first use from either side, never two for a pair. */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/error.h"
#include "base/log.h"
#include "waitio/instance.h"

int waitio__conn_add(waitio__instance *w, const waitio__pipe *pipe, int state, waitio__conn **out)
{
    waitio__conn *c = calloc(1, sizeof *c);
    if (!c)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a connection");
    c->instance = w;
    c->state = state;
    c->pb = -1;
    c->pipe = *pipe;
    c->events = EPOLLIN | (state == WAITIO__OPENING ? EPOLLOUT : 0);
    int err = waitio__watch(w, pipe->fd, c->events, c, true);
    if (err) {
        free(c);
        return err;
    }
    c->next = w->conns;
    w->conns = c;
    *out = c;
    return H3OU__OK;
}

int waitio__conn_open(waitio__instance *w, const h3ou__addr *to, waitio__conn **out)
{
    waitio__pipe pipe;
    int err = waitio__conduit_tcp.open(to, &pipe);
    if (err)
        return err;
    if ((err = waitio__conn_add(w, &pipe, WAITIO__OPENING, out)) != H3OU__OK)
        pipe.conduit->close(&pipe);
    return err;
}

void waitio__conn_events(waitio__conn *c, uint32_t events)
{
    if (c->events == events || c->state == WAITIO__CLOSED)
        return;
    c->events = events;
    waitio__watch(c->instance, c->pipe.fd, events, c, false);
}

int waitio__conn_send(waitio__conn *c, const waitio__frame *f, const char *payload, uint64_t size)
{
    waitio__frame frame = *f;
    frame.length = size;
    waitio__parcel *q = waitio__parcel_new(&frame, payload, size, true);
    if (!q)
        return H3OU__ENOMEM;
    if (c->last)
        c->last->next = q;
    else
        c->first = q;
    c->last = q;
    if (c->state != WAITIO__OPENING)
        waitio__conn_flush(c);
    return H3OU__OK;
}

void waitio__conn_close(waitio__conn *c)
{
    if (c->state == WAITIO__CLOSED)
        return;
    waitio__unwatch(c->instance, c->pipe.fd);
    c->pipe.conduit->close(&c->pipe);
    c->state = WAITIO__CLOSED;
    if (c->peer && c->peer->conn == c)
        c->peer->conn = NULL;
}

void waitio__conns_sweep(waitio__instance *w)
{
    for (waitio__conn **at = &w->conns; *at;) {
        waitio__conn *c = *at;
        if (c->state != WAITIO__CLOSED) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        while (c->first) {
            waitio__parcel *next = c->first->next;
            waitio__parcel_free(c->first);
            c->first = next;
        }
        free(c->own);
        free(c);
    }
}

/* My HELLO goes first on a connection that I open. */
static int say_hello(waitio__conn *c, int to)
{
    const waitio__instance *w = c->instance;
    waitio__frame f = {.kind = WAITIO__HELLO, .source = (uint32_t)w->me, .tag = to, .id = w->id};
    return waitio__conn_send(c, &f, w->name, strlen(w->name));
}

int waitio__peer_connect(waitio__instance *w, waitio__peer *p)
{
    h3ou__addr to;
    if (p->conn || p->is_dead || p->said_bye)
        return H3OU__OK;
    int err = waitio__endpoint(w, p->rank, &to);
    if (!err)
        err = waitio__conn_open(w, &to, &p->conn);
    if (err) {
        p->conn = NULL;
        waitio__peer_die(w, p, err == H3OU__EREFUSED ? H3OU__EPEER : err, h3ou__fail_text());
        return err;
    }
    p->conn->peer = p;
    h3ou__log(H3OU__LOG_LOUD, "connect", "peer=%d conduit=%s", p->rank, p->conn->pipe.conduit->name);
    return say_hello(p->conn, p->rank);
}

/* The next parcel to write: one that is half written, then the connection's own, then the peer's. */
static waitio__parcel **next_parcel(waitio__conn *c, waitio__parcel ***last)
{
    waitio__peer *p = c->peer;
    bool ready = c->state == WAITIO__READY && p && p->conn == c;
    if (ready && p->first && p->first->written > 0) {
        *last = &p->last;
        return &p->first;
    }
    *last = &c->last;
    if (c->first)
        return &c->first;
    *last = ready ? &p->last : NULL;
    return ready ? &p->first : NULL;
}

static int64_t write_parcel(waitio__conn *c, waitio__parcel *q)
{
    struct iovec part[2];
    int n = 0;
    if (!q->is_numbered) {
        q->frame.seq = c->seq_out++;
        q->is_numbered = true;
        waitio__frame_write(&q->frame, q->bytes);
    }
    uint64_t in_payload = 0;
    if (q->written < WAITIO__FRAME)
        part[n++] = (struct iovec){q->bytes + q->written, WAITIO__FRAME - q->written};
    else
        in_payload = q->written - WAITIO__FRAME;
    if (q->size > in_payload)
        part[n++] = (struct iovec){(char *)(uintptr_t)q->payload + in_payload, q->size - in_payload};
    return c->pipe.conduit->writev(&c->pipe, part, n);
}

void waitio__conn_flush(waitio__conn *c)
{
    waitio__parcel **first, **last;
    while (c->state != WAITIO__CLOSED && (first = next_parcel(c, &last)) != NULL && *first) {
        waitio__parcel *q = *first;
        int64_t moved = write_parcel(c, q);
        if (moved < 0) {
            /* What the other end said before it went is still to be read: the reading side finds the end, and says so. */
            waitio__conn_events(c, EPOLLIN);
            return;
        }
        q->written += (uint64_t)moved;
        if (q->written < WAITIO__FRAME + q->size) {
            waitio__conn_events(c, EPOLLIN | EPOLLOUT);
            return;
        }
        *first = q->next;
        if (!*first)
            *last = NULL;
        waitio__request *r = q->request ? waitio__request_of(c->instance, q->request) : NULL;
        if (r)
            waitio__request_done(r, H3OU__OK, NULL);
        waitio__parcel_free(q);
    }
    if (c->state != WAITIO__OPENING)
        waitio__conn_events(c, EPOLLIN);
}
