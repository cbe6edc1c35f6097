/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/harness/wire_tcp.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "os/os_clock.h"

enum { PATIENCE = 60, SLEEPS = 64, SECRET = 16, BATCH = 65536 };

static const double SPINNING = 50e-6, SLOW_YIELD = 30e-6, ACCEPT = 10.0; /* s */

typedef struct tcp_link {
    int fd, listener;
    int crowded; /* so many waits are to sleep at once, because another process needs the core */
    unsigned long long secret;
    char invitation[WIRE_TCP_INVITATION]; /* of `prepare`, for `open` */
} tcp_link;

static int fail_with_errno(const char *what)
{
    return h3ou__fail(H3OU__EOS, "raw TCP: %s: %s", what, strerror(errno));
}

static int allocate_link(wire *w)
{
    tcp_link *l = calloc(1, sizeof *l);
    w->own = l;
    if (!l)
        return h3ou__no_memory("a raw TCP connection");
    l->fd = l->listener = -1;
    return H3OU__OK;
}

/* Finds this host's address: WAITIO_ADDRESS, else the one that it uses to reach the master; sends nothing. */
static int find_here(struct sockaddr_storage *here, socklen_t *length)
{
    const char *host = getenv("WAITIO_ADDRESS"), *port = NULL;
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM}, *a = NULL;
    bool is_given = host && *host;
    if (!is_given) {
        host = getenv("WAITIO_MASTER_HOST");
        port = getenv("WAITIO_MASTER_PORT");
    }
    int wrong = getaddrinfo(host && *host ? host : "127.0.0.1", port && *port ? port : "9", &hints, &a);
    if (wrong)
        return h3ou__fail(H3OU__EHOST, "raw TCP: %s: %s", host, gai_strerror(wrong));
    int fd = socket(a->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0), code = H3OU__OK;
    *length = a->ai_addrlen;
    memcpy(here, a->ai_addr, a->ai_addrlen);
    if (!is_given && (fd < 0 || connect(fd, a->ai_addr, a->ai_addrlen) != 0 ||
                      getsockname(fd, (struct sockaddr *)here, length) != 0))
        code = fail_with_errno("this host's address");
    if (fd >= 0)
        close(fd);
    freeaddrinfo(a);
    if (here->ss_family == AF_INET)
        ((struct sockaddr_in *)here)->sin_port = 0;
    else
        ((struct sockaddr_in6 *)here)->sin6_port = 0;
    return code;
}

int wire_tcp_listen(wire *w, char invitation[WIRE_TCP_INVITATION])
{
    struct sockaddr_storage here = {0};
    socklen_t length = 0;
    char host[72], port[16];
    int code = allocate_link(w);
    if (!code)
        code = find_here(&here, &length);
    if (code)
        return code;
    tcp_link *l = w->own;
    l->listener = socket(here.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->listener < 0 || bind(l->listener, (struct sockaddr *)&here, length) != 0 || listen(l->listener, 8) != 0 ||
        getsockname(l->listener, (struct sockaddr *)&here, &length) != 0 ||
        getrandom(&l->secret, sizeof l->secret, 0) != sizeof l->secret)
        return fail_with_errno("listen");
    int wrong = getnameinfo((struct sockaddr *)&here, length, host, sizeof host, port, sizeof port,
                            NI_NUMERICHOST | NI_NUMERICSERV);
    if (wrong)
        return h3ou__fail(H3OU__EHOST, "raw TCP: %s", gai_strerror(wrong));
    memset(invitation, 0, WIRE_TCP_INVITATION);
    snprintf(invitation, WIRE_TCP_INVITATION, "%s %s %016llx", host, port, l->secret);
    return H3OU__OK;
}

static int choose_congestion(const wire *w, int fd)
{
    if (w->congestion && setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, w->congestion, (socklen_t)strlen(w->congestion)))
        return fail_with_errno("congestion control");
    return H3OU__OK;
}

static void send_at_once(int fd)
{
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/* Returns whether the process that has connected sends the secret of the invitation. */
static bool is_invited(const tcp_link *l, int fd)
{
    char said[SECRET], secret[SECRET + 1];
    struct pollfd in = {.fd = fd, .events = POLLIN};
    poll(&in, 1, 2000);
    snprintf(secret, sizeof secret, "%016llx", l->secret);
    return recv(fd, said, sizeof said, MSG_DONTWAIT) == sizeof said && !memcmp(said, secret, sizeof said);
}

int wire_tcp_accept(wire *w)
{
    tcp_link *l = w->own;
    for (double end = h3ou__now() + ACCEPT; h3ou__now() < end;) {
        struct pollfd p = {.fd = l->listener, .events = POLLIN};
        poll(&p, 1, 200);
        int fd = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            continue;
        if (is_invited(l, fd)) {
            send_at_once(fd);
            l->fd = fd;
            close(l->listener);
            l->listener = -1;
            return choose_congestion(w, fd);
        }
        close(fd);
    }
    return h3ou__fail(H3OU__ETIMEOUT, "raw TCP: the other side did not connect within 10 s: is a firewall between?");
}

static int connect_to(const wire *w, int fd, const struct addrinfo *a, const char *host, const char *port,
                      const char *secret)
{
    struct timeval patience = {.tv_sec = 5}, none = {0};
    int code = choose_congestion(w, fd);
    if (code)
        return code;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience); /* also limits connect */
    if (connect(fd, a->ai_addr, a->ai_addrlen) != 0 || send(fd, secret, SECRET, MSG_NOSIGNAL) != SECRET)
        return h3ou__fail(H3OU__EOS, "raw TCP: %s port %s: %s", host, port, strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
    send_at_once(fd);
    return H3OU__OK;
}

int wire_tcp_connect(wire *w, const char invitation[WIRE_TCP_INVITATION])
{
    char host[72], port[16], secret[SECRET + 1];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV}, *a = NULL;
    if (memchr(invitation, 0, WIRE_TCP_INVITATION) == NULL ||
        sscanf(invitation, "%71s %15s %16s", host, port, secret) != 3 || strlen(secret) != SECRET)
        return h3ou__fail(H3OU__EPROTO, "raw TCP: an invitation that says nothing");
    int code = w->own ? H3OU__OK : allocate_link(w), wrong = code ? 0 : getaddrinfo(host, port, &hints, &a);
    if (wrong)
        return h3ou__fail(H3OU__EHOST, "raw TCP: %s: %s", host, gai_strerror(wrong));
    if (code)
        return code;
    tcp_link *l = w->own;
    l->fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    code = l->fd < 0 ? fail_with_errno("socket") : connect_to(w, l->fd, a, host, port, secret);
    freeaddrinfo(a);
    return code;
}

void wire_tcp_close(wire *w)
{
    tcp_link *l = w->own;
    if (!l)
        return;
    if (l->fd >= 0)
        close(l->fd);
    if (l->listener >= 0)
        close(l->listener);
    free(l);
    w->own = NULL;
}

static int tcp_prepare(wire *w)
{
    char invitation[WIRE_TCP_INVITATION];
    int code = wire_tcp_listen(w, invitation);
    if (!code)
        memcpy(((tcp_link *)w->own)->invitation, invitation, sizeof invitation);
    return code;
}

static int tcp_open(wire *w, int side)
{
    tcp_link *l = w->own;
    if (!side)
        return wire_tcp_accept(w);
    close(l->listener);
    l->listener = -1;
    return wire_tcp_connect(w, l->invitation);
}

/* Waits as the library does: yields the core for a moment, then sleeps; sleeps at once when yielding took long. */
static int wait_for_socket(tcp_link *l, short events, double *began)
{
    double now = h3ou__now();
    struct pollfd p = {.fd = l->fd, .events = events};
    if (*began <= 0)
        *began = now;
    if (now - *began > PATIENCE)
        return h3ou__fail(H3OU__ETIMEOUT, "raw TCP: nothing moved for %d s", PATIENCE);
    if (l->crowded > 0 || now - *began > SPINNING) {
        l->crowded -= l->crowded > 0;
        poll(&p, 1, 1000);
        return H3OU__OK;
    }
    sched_yield();
    if (h3ou__now() - now > SLOW_YIELD)
        l->crowded = SLEEPS;
    return H3OU__OK;
}

/* Returns 0 after a call of the system that moved nothing, when it is to be tried again. */
static int wait_to_move(const wire *w, ssize_t moved, bool is_send, double *began)
{
    if (moved == 0)
        return h3ou__fail(H3OU__EPEER, "raw TCP: the other side is gone");
    if (errno == EAGAIN || errno == EWOULDBLOCK)
        return w->wait == WIRE_YIELD ? wait_for_socket(w->own, is_send ? POLLOUT : POLLIN, began) : H3OU__OK;
    return errno == EINTR ? H3OU__OK : fail_with_errno(is_send ? "send" : "receive");
}

static int tcp_send(wire *w, char *buf, size_t n)
{
    const tcp_link *l = w->own;
    int flags = MSG_NOSIGNAL | (w->wait == WIRE_BLOCK ? 0 : MSG_DONTWAIT), code = H3OU__OK;
    double began = 0;
    while (n && !code) {
        ssize_t moved = send(l->fd, buf, n, flags);
        if (moved > 0) {
            buf += moved;
            n -= (size_t)moved;
            began = 0;
        } else {
            code = wait_to_move(w, moved, true, &began);
        }
    }
    return code;
}

/* Receives n bytes, at most `room` with a call; is_kept: one behind the other in buf, else each time at its begin. */
static int receive_bytes(wire *w, char *buf, size_t room, size_t n, bool is_kept)
{
    const tcp_link *l = w->own;
    int flags = w->wait == WIRE_BLOCK ? 0 : MSG_DONTWAIT, code = H3OU__OK;
    double began = 0;
    while (n && !code) {
        ssize_t moved = recv(l->fd, buf, n < room ? n : room, flags);
        if (moved > 0) {
            buf += is_kept ? moved : 0;
            n -= (size_t)moved;
            began = 0;
        } else {
            code = wait_to_move(w, moved, false, &began);
        }
    }
    return code;
}

static int tcp_recv(wire *w, char *buf, size_t n)
{
    return receive_bytes(w, buf, n, n, true);
}

static int tcp_push(wire *w, wire_stream *s, long n)
{
    int code = H3OU__OK;
    for (long i = 0; i < n && !code; i++)
        code = tcp_send(w, s->slot[i % s->window], s->size);
    return code;
}

/* Receives n messages; many small ones are received by one call, as an efficient program would do. */
static int tcp_pull(wire *w, wire_stream *s, long n)
{
    static char many[BATCH];
    int code = H3OU__OK;
    if (s->size < BATCH / 2)
        return receive_bytes(w, many, BATCH, (size_t)n * s->size, false);
    for (long i = 0; i < n && !code; i++)
        code = tcp_recv(w, s->slot[i % s->window], s->size);
    return code;
}

const wire_ops wire_tcp = {
    .name = "tcp",
    .prepare = tcp_prepare,
    .close = wire_tcp_close,
    .open = tcp_open,
    .send = tcp_send,
    .recv = tcp_recv,
    .push = tcp_push,
    .pull = tcp_pull,
};
