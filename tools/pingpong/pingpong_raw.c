/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/pingpong/pingpong_raw.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum { PATIENCE = 60, SPIN_NS = 50000, SLOW_YIELD_NS = 30000, SLEEPS = 64 };

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int fail_with_errno(const char *what)
{
    return h3ou__fail(H3OU__EOS, "raw TCP: %s: %s", what, strerror(errno));
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

int pingpong_raw_listen(pingpong_raw *r, char invitation[PINGPONG_INVITATION])
{
    struct sockaddr_storage here = {0};
    socklen_t length = 0;
    char host[72], port[16];
    int code = find_here(&here, &length);
    *r = (pingpong_raw){.fd = -1, .listener = -1};
    if (code)
        return code;
    r->listener = socket(here.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->listener < 0 || bind(r->listener, (struct sockaddr *)&here, length) != 0 || listen(r->listener, 8) != 0 ||
        getsockname(r->listener, (struct sockaddr *)&here, &length) != 0 ||
        getrandom(&r->secret, sizeof r->secret, 0) != sizeof r->secret)
        return fail_with_errno("listen");
    int wrong = getnameinfo((struct sockaddr *)&here, length, host, sizeof host, port, sizeof port,
                            NI_NUMERICHOST | NI_NUMERICSERV);
    if (wrong)
        return h3ou__fail(H3OU__EHOST, "raw TCP: %s", gai_strerror(wrong));
    memset(invitation, 0, PINGPONG_INVITATION);
    snprintf(invitation, PINGPONG_INVITATION, "%s %s %016llx", host, port, r->secret);
    return H3OU__OK;
}

static void make_ready(int fd)
{
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

int pingpong_raw_accept(pingpong_raw *r)
{
    long long end = now_ns() + 10000000000;
    while (now_ns() < end) {
        struct pollfd p = {.fd = r->listener, .events = POLLIN};
        char said[16], secret[17];
        poll(&p, 1, 200);
        int fd = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            continue;
        struct pollfd in = {.fd = fd, .events = POLLIN};
        poll(&in, 1, 2000);
        snprintf(secret, sizeof secret, "%016llx", r->secret);
        if (recv(fd, said, sizeof said, 0) == sizeof said && !memcmp(said, secret, sizeof said)) {
            make_ready(fd);
            r->fd = fd;
            close(r->listener);
            r->listener = -1;
            return H3OU__OK;
        }
        close(fd); /* not the other process of the pair */
    }
    return h3ou__fail(H3OU__ETIMEOUT, "raw TCP: the other side did not connect within 10 s: is a firewall between?");
}

int pingpong_raw_connect(pingpong_raw *r, const char invitation[PINGPONG_INVITATION])
{
    char host[72], port[16], secret[17];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV}, *a = NULL;
    *r = (pingpong_raw){.fd = -1, .listener = -1};
    if (memchr(invitation, 0, PINGPONG_INVITATION) == NULL ||
        sscanf(invitation, "%71s %15s %16s", host, port, secret) != 3 || strlen(secret) != 16)
        return h3ou__fail(H3OU__EPROTO, "raw TCP: an invitation that says nothing");
    int wrong = getaddrinfo(host, port, &hints, &a), code = H3OU__OK;
    if (wrong)
        return h3ou__fail(H3OU__EHOST, "raw TCP: %s: %s", host, gai_strerror(wrong));
    r->fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval patience = {.tv_sec = 5};
    if (r->fd >= 0)
        setsockopt(r->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience); /* also limits connect */
    if (r->fd < 0 || connect(r->fd, a->ai_addr, a->ai_addrlen) != 0 || send(r->fd, secret, 16, MSG_NOSIGNAL) != 16)
        code = h3ou__fail(H3OU__EOS, "raw TCP: %s port %s: %s", host, port, strerror(errno));
    else
        make_ready(r->fd);
    freeaddrinfo(a);
    return code;
}

/* Waits as the library does: yields the core for a moment, then sleeps; sleeps at once when yielding took long. */
static int wait_for_socket(pingpong_raw *r, short events, long long *began)
{
    long long now = now_ns();
    struct pollfd p = {.fd = r->fd, .events = events};
    if (!*began)
        *began = now;
    if (now - *began > PATIENCE * 1000000000LL)
        return h3ou__fail(H3OU__ETIMEOUT, "raw TCP: nothing moved for %d s", PATIENCE);
    if (r->crowded > 0 || now - *began > SPIN_NS) {
        r->crowded -= r->crowded > 0;
        poll(&p, 1, 1000);
        return H3OU__OK;
    }
    sched_yield();
    if (now_ns() - now > SLOW_YIELD_NS)
        r->crowded = SLEEPS;
    return H3OU__OK;
}

int pingpong_raw_move(pingpong_raw *r, char *buf, size_t n, bool is_send)
{
    long long began = 0;
    while (n) {
        ssize_t k = is_send ? send(r->fd, buf, n, MSG_NOSIGNAL | MSG_DONTWAIT) : recv(r->fd, buf, n, MSG_DONTWAIT);
        if (k > 0) {
            buf += k;
            n -= (size_t)k;
            began = 0;
        } else if (k == 0) {
            return h3ou__fail(H3OU__EPEER, "raw TCP: the other side is gone");
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            int code = wait_for_socket(r, is_send ? POLLOUT : POLLIN, &began);
            if (code)
                return code;
        } else if (errno != EINTR) {
            return fail_with_errno(is_send ? "send" : "receive");
        }
    }
    return H3OU__OK;
}

void pingpong_raw_close(pingpong_raw *r)
{
    if (r->fd >= 0)
        close(r->fd);
    if (r->listener >= 0)
        close(r->listener);
}
