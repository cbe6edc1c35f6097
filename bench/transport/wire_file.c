/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raw files, in two ways. file: one process appends, the other reads the same file as it grows; after PART bytes the
 * next file begins, so that memory pages are soon reused; the reader removes what it has read. over: one file with
 * PLACES messages is overwritten again and again, and two counters in shared memory, which only processes of one host
 * can have, say how far each side is. Words are sent by a socket pair.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launch.h"
#include "os/os_clock.h"
#include "wire_file.h"

enum { PLACES = 8, LINE = 64 };

static const size_t PART = (size_t)8 << 20;
static const double PATIENCE = 20;

typedef struct counters {
    _Alignas(LINE) atomic_long written;
    _Alignas(LINE) atomic_long read;
} counters;

typedef struct track {
    int pair[2], talk; /* the words */
    int fd;            /* the part in work, -1: none yet */
    long part;         /* its number; over: of the message */
    size_t at;         /* where in it */
    char name[PATH_MAX];
    counters *count;
} track;

static int file_prepare(wire *w)
{
    track *t = calloc(1, sizeof *t);
    if (!t || !w->folder || socketpair(AF_UNIX, SOCK_STREAM, 0, t->pair))
        die("raw file");
    t->fd = -1;
    t->count = share(sizeof *t->count);
    w->own = t;
    return 0;
}

static int file_open(wire *w, int side)
{
    track *t = w->own;
    t->talk = t->pair[side];
    close(t->pair[!side]);
    return 0;
}

static int file_send(wire *w, char *buf, size_t n)
{
    const track *t = w->own;
    if (send(t->talk, buf, n, MSG_NOSIGNAL) != (ssize_t)n)
        die("raw file: send");
    return 0;
}

static int file_recv(wire *w, char *buf, size_t n)
{
    const track *t = w->own;
    if (recv(t->talk, buf, n, MSG_WAITALL) != (ssize_t)n)
        die("raw file: receive");
    return 0;
}

static void next_part(const wire *w, track *t, int flags)
{
    if (t->fd >= 0) {
        close(t->fd);
        if (!(flags & O_CREAT))
            unlink(t->name);
        t->part++;
    }
    t->at = 0;
    snprintf(t->name, sizeof t->name, "%s/raw.%ld", w->folder, t->part);
    double end = h3ou__now() + PATIENCE;
    while ((t->fd = open(t->name, flags, 0600)) < 0)
        if (errno != ENOENT || h3ou__now() > end)
            die("raw file: open");
}

static int file_push(wire *w, wire_stream *s, long n)
{
    track *t = w->own;
    for (long i = 0; i < n; i++) {
        const char *buf = s->slot[i % s->window];
        if (t->fd < 0 || t->at + s->size > PART)
            next_part(w, t, O_CREAT | O_WRONLY | O_APPEND);
        for (size_t left = s->size; left;) {
            ssize_t moved = write(t->fd, buf, left);
            if (moved <= 0)
                die("raw file: write");
            buf += moved;
            left -= (size_t)moved;
        }
        t->at += s->size;
    }
    return 0;
}

static int file_pull(wire *w, wire_stream *s, long n)
{
    track *t = w->own;
    for (long i = 0; i < n; i++) {
        char *buf = s->slot[i % s->window];
        double end = h3ou__now() + PATIENCE;
        if (t->fd < 0 || t->at + s->size > PART)
            next_part(w, t, O_RDONLY);
        for (size_t left = s->size; left;) {
            ssize_t moved = read(t->fd, buf, left);
            if (moved < 0 || (!moved && h3ou__now() > end))
                die("raw file: read");
            buf += moved;
            left -= (size_t)moved;
        }
        t->at += s->size;
    }
    return 0;
}

/* Waits until a counter of the other side has passed `value`. */
static void await_past(const atomic_long *counter, long value)
{
    double end = h3ou__now() + PATIENCE;
    while (atomic_load_explicit(counter, memory_order_acquire) <= value)
        if (h3ou__now() > end)
            die("raw file: the other side stands still");
}

static int over_open(wire *w, int side)
{
    track *t = w->own;
    file_open(w, side);
    snprintf(t->name, sizeof t->name, "%s/over", w->folder);
    if ((t->fd = open(t->name, O_RDWR | O_CREAT, 0600)) < 0)
        die("raw file: open");
    return 0;
}

static int over_push(wire *w, wire_stream *s, long n)
{
    track *t = w->own;
    for (long i = 0; i < n; i++, t->part++) {
        await_past(&t->count->read, t->part - PLACES);
        if (pwrite(t->fd, s->slot[i % s->window], s->size, t->part % PLACES * (off_t)s->size) != (ssize_t)s->size)
            die("raw file: write");
        atomic_store_explicit(&t->count->written, t->part + 1, memory_order_release);
    }
    return 0;
}

static int over_pull(wire *w, wire_stream *s, long n)
{
    track *t = w->own;
    for (long i = 0; i < n; i++, t->part++) {
        await_past(&t->count->written, t->part);
        if (pread(t->fd, s->slot[i % s->window], s->size, t->part % PLACES * (off_t)s->size) != (ssize_t)s->size)
            die("raw file: read");
        atomic_store_explicit(&t->count->read, t->part + 1, memory_order_release);
    }
    return 0;
}

const wire_ops wire_over = {
    .name = "over",
    .prepare = file_prepare,
    .open = over_open,
    .send = file_send,
    .recv = file_recv,
    .push = over_push,
    .pull = over_pull,
};

const wire_ops wire_file = {
    .name = "file",
    .prepare = file_prepare,
    .open = file_open,
    .send = file_send,
    .recv = file_recv,
    .push = file_push,
    .pull = file_pull,
};
