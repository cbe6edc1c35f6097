/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/harness/wire_waitio.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

enum { WORDS = 1, STREAM = 2, JOIN_SECONDS = 120, SHORT = 1024, PBS_MOST = 8 };

typedef struct line {
    waitio_group_t all;
    int peer;
    waitio_req_t word, req[WIRE_WINDOW_MOST]; /* of words; of the stream */
} line;

int wire_waitio_result(int code)
{
    char text[H3OU__ERROR_TEXT]; /* WaitIO's sentence may lie where h3ou__fail writes */
    if (!code)
        return H3OU__OK;
    snprintf(text, sizeof text, "%s", waitio_error());
    return h3ou__fail(code, "%s", text);
}

static int accept_all(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

int wire_waitio_group(int gid, waitio_group_t *all)
{
    waitio_filter_func_t members[PBS_MOST];
    int npb, order[PBS_MOST], code = waitio_pb_size(&npb);
    *all = NULL;
    if (code)
        return wire_waitio_result(code);
    for (int pb = 0; pb < npb && pb < PBS_MOST; pb++) {
        members[pb] = accept_all;
        order[pb] = pb;
    }
    *all = waitio_create_group(gid, members, order);
    return *all ? H3OU__OK : wire_waitio_result(WAITIO_EARG);
}

int wire_waitio_use(wire *w, waitio_group_t all, int peer)
{
    line *l = calloc(1, sizeof *l);
    w->own = l;
    if (!l)
        return h3ou__no_memory("a wire");
    l->all = all;
    l->peer = peer;
    return H3OU__OK;
}

static int open_wire(wire *w, int side)
{
    waitio_group_t all;
    int code = wire_waitio_result(waitio_init(JOIN_SECONDS));
    if (!code)
        code = wire_waitio_group(1, &all);
    return code ? code : wire_waitio_use(w, all, 1 - side);
}

static int send_word(wire *w, char *buf, size_t n)
{
    line *l = w->own;
    int code = waitio_isend(l->all, l->peer, buf, n, WORDS, &l->word);
    if (!code)
        code = waitio_wait(&l->word);
    return wire_waitio_result(code);
}

static int receive_word(wire *w, char *buf, size_t n)
{
    line *l = w->own;
    int code = waitio_irecv(l->all, l->peer, buf, n, WORDS, &l->word);
    if (!code)
        code = waitio_wait(&l->word);
    return wire_waitio_result(code);
}

static int post_send(line *l, wire_stream *s, int k)
{
    return waitio_isend(l->all, l->peer, s->slot[k], s->size, STREAM, &l->req[k]);
}

/* Sends n messages. Each window of short ones is completed by one waitall, so that its messages can leave together; of
 * long ones the oldest is waited for, so that the connection always has something to send. */
static int push_windows(line *l, wire_stream *s, long n)
{
    int code = 0;
    for (long i = 0; i < n && !code; i += s->window) {
        int most = n - i < s->window ? (int)(n - i) : s->window;
        for (int k = 0; k < most && !code; k++)
            code = post_send(l, s, k);
        if (!code)
            code = waitio_waitall(most, l->req, NULL);
    }
    return code;
}

static int push_oldest(line *l, wire_stream *s, long n)
{
    int code = 0;
    for (long i = 0; i < n && !code; i++) {
        int k = (int)(i % s->window);
        if (i >= s->window)
            code = waitio_wait(&l->req[k]);
        if (!code)
            code = post_send(l, s, k);
    }
    for (long i = n > s->window ? n - s->window : 0; i < n && !code; i++)
        code = waitio_wait(&l->req[i % s->window]);
    return code;
}

static int push_stream(wire *w, wire_stream *s, long n)
{
    return wire_waitio_result(s->size <= SHORT ? push_windows(w->own, s, n) : push_oldest(w->own, s, n));
}

static int post_receive(line *l, wire_stream *s, int k)
{
    return waitio_irecv(l->all, l->peer, s->slot[k], s->size, STREAM, &l->req[k]);
}

static int post_stream(wire *w, wire_stream *s, long n)
{
    int code = 0;
    for (int i = 0; i < s->window && i < n && !code; i++)
        code = post_receive(w->own, s, i);
    return wire_waitio_result(code);
}

static int pull_stream(wire *w, wire_stream *s, long n)
{
    line *l = w->own;
    int code = 0;
    for (long i = 0; i < n && !code; i++) {
        int k = (int)(i % s->window);
        code = waitio_wait(&l->req[k]);
        if (!code && i + s->window < n)
            code = post_receive(l, s, k);
    }
    return wire_waitio_result(code);
}

const wire_ops wire_waitio = {
    .name = "waitio",
    .open = open_wire,
    .send = send_word,
    .recv = receive_word,
    .push = push_stream,
    .post = post_stream,
    .pull = pull_stream,
};
