/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"

static const unsigned char v4_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static bool is_v4(const h3ou__address *a)
{
    return !memcmp(a->ip, v4_prefix, sizeof v4_prefix);
}

static socklen_t address_to_system(const h3ou__address *a, struct sockaddr_storage *s)
{
    memset(s, 0, sizeof *s);
    if (is_v4(a)) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)s;
        v4->sin_family = AF_INET;
        v4->sin_port = htons(a->port);
        memcpy(&v4->sin_addr, a->ip + 12, 4);
        return sizeof *v4;
    }
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)s;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(a->port);
    v6->sin6_scope_id = a->scope;
    memcpy(&v6->sin6_addr, a->ip, 16);
    return sizeof *v6;
}

static bool address_from_system(const struct sockaddr *s, h3ou__address *a)
{
    memset(a, 0, sizeof *a);
    if (s && s->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)s;
        memcpy(a->ip, v4_prefix, sizeof v4_prefix);
        memcpy(a->ip + 12, &v4->sin_addr, 4);
        a->port = ntohs(v4->sin_port);
        return true;
    }
    if (s && s->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)s;
        memcpy(a->ip, &v6->sin6_addr, 16);
        a->scope = v6->sin6_scope_id;
        a->port = ntohs(v6->sin6_port);
        return true;
    }
    return false;
}

bool h3ou__address_is_loopback(const h3ou__address *a)
{
    static const unsigned char v6[16] = {[15] = 1};
    return is_v4(a) ? a->ip[12] == 127 : !memcmp(a->ip, v6, sizeof v6);
}

bool h3ou__host_is_hidden(const char *host, const h3ou__address *first)
{
    bool says_so = !strncmp(host, "localhost", 9) || !strncmp(host, "127.", 4) || !strcmp(host, "::1");
    return !says_so && h3ou__address_is_loopback(first);
}

static bool is_among(const h3ou__address *a, const h3ou__address of[], int n)
{
    for (int i = 0; i < n; i++)
        if (!memcmp(a->ip, of[i].ip, sizeof a->ip) && a->scope == of[i].scope)
            return true;
    return false;
}

int h3ou__address_resolve(const char *host, int port, h3ou__address out[], int most, int *n)
{
    struct addrinfo want = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    *n = 0;
    int code = getaddrinfo(host, NULL, &want, &found);
    if (code)
        return h3ou__fail(H3OU__EHOST, "host \"%s\" is not known: %s", host, gai_strerror(code));
    for (int loopback = 0; loopback < 2; loopback++)
        for (struct addrinfo *a = found; a && *n < most; a = a->ai_next) {
            h3ou__address one;
            if (!address_from_system(a->ai_addr, &one) || h3ou__address_is_loopback(&one) != (loopback == 1) ||
                is_among(&one, out, *n))
                continue;
            one.port = (uint16_t)port;
            out[(*n)++] = one;
        }
    freeaddrinfo(found);
    if (!*n)
        return h3ou__fail(H3OU__EHOST, "host \"%s\" has no Internet address", host);
    return H3OU__OK;
}

int h3ou__address_of_device(const char *device, h3ou__address *out)
{
    struct ifaddrs *all;
    if (getifaddrs(&all))
        return h3ou__fail(H3OU__EOS, "the network devices of this host cannot be listed: getifaddrs: %s", strerror(errno));
    bool found = false;
    char known[256] = "";
    for (struct ifaddrs *i = all; i; i = i->ifa_next) {
        h3ou__address a;
        if (!address_from_system(i->ifa_addr, &a))
            continue;
        if (strcmp(i->ifa_name, device)) {
            size_t used = strlen(known);
            if (is_v4(&a))
                snprintf(known + used, sizeof known - used, " %s", i->ifa_name);
        } else if (!found || (is_v4(&a) && !is_v4(out))) {
            *out = a;
            found = true;
        }
    }
    freeifaddrs(all);
    if (!found)
        return h3ou__fail(H3OU__EHOST, "network device \"%s\" is not there or has no address; others:%s", device,
                          *known ? known : " none");
    return H3OU__OK;
}

int h3ou__address_towards(const h3ou__address *to, h3ou__address *out)
{
    struct sockaddr_storage s;
    socklen_t size = address_to_system(to, &s);
    int fd = socket(s.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return h3ou__fail(H3OU__EOS, "a socket cannot be made: %s", strerror(errno));
    int code = H3OU__OK;
    char text[H3OU__ADDRESS_TEXT];
    /* Connecting a datagram socket sends nothing: it only looks at the routing table. */
    if (connect(fd, (struct sockaddr *)&s, size) || (size = sizeof s, getsockname(fd, (struct sockaddr *)&s, &size)))
        code = h3ou__fail(H3OU__EHOST, "this host has no route to %s: %s", h3ou__address_text(to, text), strerror(errno));
    else
        address_from_system((struct sockaddr *)&s, out);
    close(fd);
    out->port = 0;
    return code;
}

char *h3ou__address_text(const h3ou__address *a, char text[H3OU__ADDRESS_TEXT])
{
    char ip[INET6_ADDRSTRLEN] = "?";
    if (is_v4(a)) {
        inet_ntop(AF_INET, a->ip + 12, ip, sizeof ip);
        snprintf(text, H3OU__ADDRESS_TEXT, "%s:%d", ip, a->port);
    } else {
        inet_ntop(AF_INET6, a->ip, ip, sizeof ip);
        snprintf(text, H3OU__ADDRESS_TEXT, "[%s]:%d", ip, a->port);
    }
    return text;
}

static void socket_tune(int fd)
{
    int yes = 1;
    /* Nagle's algorithm would delay the second of two small messages, and the callers write whole messages at once
     * anyway. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
}

int h3ou__socket_listen(const h3ou__address *at, int *fd, h3ou__address *bound)
{
    struct sockaddr_storage s;
    socklen_t size = address_to_system(at, &s);
    int yes = 1, code = 0;
    *fd = socket(s.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return errno;
    /* A port with connections of an earlier run in TIME_WAIT may be used again; one with a listener may not. */
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(*fd, (struct sockaddr *)&s, size) || listen(*fd, SOMAXCONN))
        code = errno;
    size = sizeof s;
    if (!code && bound) {
        if (getsockname(*fd, (struct sockaddr *)&s, &size))
            code = errno;
        else
            address_from_system((struct sockaddr *)&s, bound);
    }
    if (code) {
        close(*fd);
        *fd = -1;
    }
    return code;
}

int h3ou__socket_connect(const h3ou__address *to, int *fd)
{
    struct sockaddr_storage s;
    socklen_t size = address_to_system(to, &s);
    *fd = socket(s.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return errno;
    socket_tune(*fd);
    if (!connect(*fd, (struct sockaddr *)&s, size) || errno == EINPROGRESS || errno == EINTR)
        return 0;
    int code = errno;
    close(*fd);
    *fd = -1;
    return code;
}

/* Returns whether the peer disconnected during connect: poll then reports a hang-up, though there is no socket error.
 */
static bool is_hung_up(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLHUP);
}

int h3ou__socket_connected(int fd)
{
    int code = 0;
    socklen_t size = sizeof code;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size))
        return errno;
    if (code)
        return code;
    struct sockaddr_storage peer, self;
    size = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &size))
        return errno == ENOTCONN && is_hung_up(fd) ? ECONNRESET : errno;
    /* A socket that connects to an ephemeral port without listener can, rarely, connect to itself. */
    socklen_t size_self = sizeof self;
    if (!getsockname(fd, (struct sockaddr *)&self, &size_self) && size == size_self && !memcmp(&peer, &self, size))
        return ECONNREFUSED;
    return 0;
}

int h3ou__socket_accept(int listener, int *fd)
{
    do
        *fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (*fd < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (*fd < 0)
        return errno == EWOULDBLOCK ? EAGAIN : errno;
    socket_tune(*fd);
    return 0;
}

void h3ou__socket_unpace(int fd)
{
    struct sockaddr_storage self, peer;
    socklen_t a = sizeof self, b = sizeof peer;
    h3ou__address mine, other;
    if (getsockname(fd, (struct sockaddr *)&self, &a) || getpeername(fd, (struct sockaddr *)&peer, &b) ||
        !address_from_system((struct sockaddr *)&self, &mine) || !address_from_system((struct sockaddr *)&peer, &other))
        return;
    bool is_loop = is_v4(&mine) && mine.ip[12] == 127;
    if (!is_loop && memcmp(mine.ip, other.ip, sizeof mine.ip))
        return;
    setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "cubic", 5);
}

void h3ou__socket_set_timeout(int fd, double seconds)
{
    struct timeval most = {.tv_usec = (suseconds_t)(seconds * 1e6)};
    int flags = fcntl(fd, F_GETFL);
    if (!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) && flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

void h3ou__socket_watch(int fd)
{
    /* An idle connection is probed after 20 s. One whose bytes are not acknowledged for 20 s is closed, since a new
     * connection recovers sooner than TCP's back-off. */
    int idle = 20, interval = 5, count = 4;
    unsigned unacknowledged = 20000;
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged, sizeof unacknowledged);
}

/* Fills in the address of a name in Linux's abstract name space. */
static socklen_t local_name(const char *name, struct sockaddr_un *a)
{
    size_t n = strnlen(name, sizeof a->sun_path - 1);
    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    memcpy(a->sun_path + 1, name, n);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
}

int h3ou__local_listen(const char *name, int *fd)
{
    struct sockaddr_un a;
    socklen_t size = local_name(name, &a);
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return errno;
    if (!bind(*fd, (struct sockaddr *)&a, size) && !listen(*fd, SOMAXCONN))
        return 0;
    int code = errno;
    close(*fd);
    *fd = -1;
    return code;
}

bool h3ou__local_is_foreign(int fd)
{
    struct ucred who = {.uid = (uid_t)-1};
    socklen_t n = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) || who.uid != geteuid();
}

int h3ou__local_connect(const char *name, int *fd)
{
    struct sockaddr_un a;
    socklen_t size = local_name(name, &a);
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return errno;
    if (!connect(*fd, (struct sockaddr *)&a, size))
        return 0;
    int code = errno;
    close(*fd);
    *fd = -1;
    return code;
}

int h3ou__local_give(int fd, int given)
{
    char byte = 1;
    struct iovec v = {&byte, 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
    memset(&control, 0, sizeof control);
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &given, sizeof given);
    return sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 ? 0 : errno;
}

int h3ou__local_receive(int fd, int *given)
{
    char byte;
    struct iovec v = {&byte, 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int) * 4)];
        struct cmsghdr align;
    } control;
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
    *given = -1;
    ssize_t n = recvmsg(fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n < 0)
        return errno == EWOULDBLOCK ? EAGAIN : errno;
    if (!n)
        return ECONNRESET;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        int count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int)), one;
        for (int i = 0; i < count; i++) {
            memcpy(&one, CMSG_DATA(c) + (size_t)i * sizeof one, sizeof one);
            if (*given < 0)
                *given = one;
            else
                close(one);
        }
    }
    return 0;
}
