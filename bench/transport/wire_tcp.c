/* SPDX-License-Identifier: BSD-3-Clause */
/* Raw TCP: one connection, one system call per message, no header: what the machine gives to a plain program. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire.h"

typedef struct link {
    int ear, fd;
    struct sockaddr_in address;
} link_t;

static void tcp_prepare(wire *w)
{
    link_t *l = calloc(1, sizeof *l);
    if (!l)
        die("tcp_prepare");
    socklen_t size = sizeof l->address;
    l->address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    l->ear = socket(AF_INET, SOCK_STREAM, 0);
    if (l->ear < 0 || bind(l->ear, (struct sockaddr *)&l->address, size) || listen(l->ear, 1) ||
        getsockname(l->ear, (struct sockaddr *)&l->address, &size))
        die("raw TCP: listen");
    w->own = l;
}

static void choose_congestion(const wire *w, int fd)
{
    if (w->congestion && setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, w->congestion, (socklen_t)strlen(w->congestion)))
        die("raw TCP: congestion control");
}

static void tcp_open(wire *w, int side)
{
    link_t *l = w->own;
    int yes = 1;
    if (side) {
        l->fd = socket(AF_INET, SOCK_STREAM, 0);
        choose_congestion(w, l->fd);
        if (connect(l->fd, (struct sockaddr *)&l->address, sizeof l->address))
            die("raw TCP: connect");
    } else if ((l->fd = accept(l->ear, NULL, NULL)) < 0) {
        die("raw TCP: accept");
    } else {
        choose_congestion(w, l->fd);
    }
    close(l->ear);
    if (setsockopt(l->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes))
        die("raw TCP: TCP_NODELAY");
}

static void tcp_send(wire *w, char *buf, size_t n)
{
    const link_t *l = w->own;
    while (n) {
        ssize_t moved = send(l->fd, buf, n, MSG_NOSIGNAL | (w->is_blocking ? 0 : MSG_DONTWAIT));
        if (moved > 0) {
            buf += moved;
            n -= (size_t)moved;
        } else if (errno != EAGAIN && errno != EINTR) {
            die("raw TCP: send");
        }
    }
}

static void tcp_recv(wire *w, char *buf, size_t n)
{
    const link_t *l = w->own;
    while (n) {
        ssize_t moved = recv(l->fd, buf, n, w->is_blocking ? 0 : MSG_DONTWAIT);
        if (moved > 0) {
            buf += moved;
            n -= (size_t)moved;
        } else if (!moved || (errno != EAGAIN && errno != EINTR)) {
            die("raw TCP: receive");
        }
    }
}

static void tcp_push(wire *w, stream *s, long n)
{
    for (long i = 0; i < n; i++)
        tcp_send(w, s->slot[i % s->window], s->size);
}

/* Receives n messages; many small ones are received by one call, as an efficient program would do. */
static void tcp_pull(wire *w, stream *s, long n)
{
    static char many[65536];
    if (s->size >= sizeof many / 2) {
        for (long i = 0; i < n; i++)
            tcp_recv(w, s->slot[i % s->window], s->size);
        return;
    }
    const link_t *l = w->own;
    for (size_t left = (size_t)n * s->size; left;) {
        ssize_t moved = recv(l->fd, many, left < sizeof many ? left : sizeof many, w->is_blocking ? 0 : MSG_DONTWAIT);
        if (moved > 0)
            left -= (size_t)moved;
        else if (!moved || (errno != EAGAIN && errno != EINTR))
            die("raw TCP: receive");
    }
}

const wire_ops wire_tcp = {
    .name = "tcp",
    .prepare = tcp_prepare,
    .open = tcp_open,
    .send = tcp_send,
    .recv = tcp_recv,
    .push = tcp_push,
    .pull = tcp_pull,
};
