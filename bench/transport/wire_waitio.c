/* SPDX-License-Identifier: BSD-3-Clause */
/* WaitIO: each side is a PB of one process; further PBs may take part in the instance without sending anything. */
#include <errno.h>
#include <stdlib.h>

#include "waitio.h"
#include "wire.h"

enum { WORDS = 1, STREAM = 2, MOST_PBS = 8, JOIN_SECONDS = 120, SHORT = 1024 };

typedef struct line {
    waitio_group_t all;
    int peer;
    waitio_req_t word, req[MOST_WINDOW]; /* of words; of the stream */
} line;

static void check_call(int code)
{
    if (code) {
        errno = 0;
        die(waitio_error());
    }
}

static int accept_all(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

static void waitio_wire_open(wire *w, int side)
{
    line *l = calloc(1, sizeof *l);
    int npb, order[MOST_PBS];
    waitio_filter_func_t members[MOST_PBS];
    if (!l)
        die("waitio_wire_open");
    check_call(waitio_init(JOIN_SECONDS));
    check_call(waitio_pb_size(&npb));
    for (int pb = 0; pb < npb && pb < MOST_PBS; pb++) {
        members[pb] = accept_all;
        order[pb] = pb;
    }
    l->all = waitio_create_group(1, members, order);
    if (!l->all)
        check_call(-1);
    l->peer = 1 - side;
    w->own = l;
}

static void waitio_wire_send(wire *w, char *buf, size_t n)
{
    line *l = w->own;
    check_call(waitio_isend(l->all, l->peer, buf, n, WORDS, &l->word));
    check_call(waitio_wait(&l->word));
}

static void waitio_wire_recv(wire *w, char *buf, size_t n)
{
    line *l = w->own;
    check_call(waitio_irecv(l->all, l->peer, buf, n, WORDS, &l->word));
    check_call(waitio_wait(&l->word));
}

static void send_message(line *l, stream *s, int k)
{
    check_call(waitio_isend(l->all, l->peer, s->slot[k], s->size, STREAM, &l->req[k]));
}

/* Sends n messages. Each window of short ones is completed by one waitall, so that its messages can leave together; of
 * long ones the oldest is waited for, so that the connection always has something to send. */
static void push_windows(line *l, stream *s, long n)
{
    for (long i = 0; i < n; i += s->window) {
        int most = n - i < s->window ? (int)(n - i) : s->window;
        for (int k = 0; k < most; k++)
            send_message(l, s, k);
        check_call(waitio_waitall(most, l->req, NULL));
    }
}

static void waitio_wire_push(wire *w, stream *s, long n)
{
    line *l = w->own;
    if (s->size <= SHORT) {
        push_windows(l, s, n);
        return;
    }
    for (long i = 0; i < n; i++) {
        int k = (int)(i % s->window);
        if (i >= s->window)
            check_call(waitio_wait(&l->req[k]));
        send_message(l, s, k);
    }
    for (long i = n > s->window ? n - s->window : 0; i < n; i++)
        check_call(waitio_wait(&l->req[i % s->window]));
}

static void post_receive(line *l, stream *s, int k)
{
    check_call(waitio_irecv(l->all, l->peer, s->slot[k], s->size, STREAM, &l->req[k]));
}

static void waitio_wire_post(wire *w, stream *s, long n)
{
    line *l = w->own;
    for (int i = 0; i < s->window && i < n; i++)
        post_receive(l, s, i);
}

static void waitio_wire_pull(wire *w, stream *s, long n)
{
    line *l = w->own;
    for (long i = 0; i < n; i++) {
        int k = (int)(i % s->window);
        check_call(waitio_wait(&l->req[k]));
        if (i + s->window < n)
            post_receive(l, s, k);
    }
}

const wire_ops wire_waitio = {
    .name = "waitio",
    .open = waitio_wire_open,
    .send = waitio_wire_send,
    .recv = waitio_wire_recv,
    .push = waitio_wire_push,
    .post = waitio_wire_post,
    .pull = waitio_wire_pull,
};
