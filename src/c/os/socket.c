/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"

typedef union any_addr {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage room;
} any_addr;

static socklen_t to_system(const h3ou__addr *a, any_addr *s)
{
    memset(s, 0, sizeof *s);
    if (a->family == 6) {
        s->v6.sin6_family = AF_INET6;
        s->v6.sin6_port = htons((uint16_t)a->port);
        memcpy(&s->v6.sin6_addr, a->host, 16);
        return sizeof s->v6;
    }
    s->v4.sin_family = AF_INET;
    s->v4.sin_port = htons((uint16_t)a->port);
    memcpy(&s->v4.sin_addr, a->host, 4);
    return sizeof s->v4;
}

static void from_system(const any_addr *s, h3ou__addr *a)
{
    memset(a, 0, sizeof *a);
    if (s->any.sa_family == AF_INET6) {
        a->family = 6;
        a->port = ntohs(s->v6.sin6_port);
        memcpy(a->host, &s->v6.sin6_addr, 16);
    } else {
        a->family = 4;
        a->port = ntohs(s->v4.sin_port);
        memcpy(a->host, &s->v4.sin_addr, 4);
    }
}

int h3ou__addr_resolve(const char *host, int port, h3ou__addr *out)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    int code = getaddrinfo(host, NULL, &hints, &list);
    if (code || !list)
        return h3ou__fail(H3OU__EHOST, "host '%s': %s", host, code ? gai_strerror(code) : "no address");
    any_addr s;
    memset(&s, 0, sizeof s);
    memcpy(&s, list->ai_addr, list->ai_addrlen);
    freeaddrinfo(list);
    from_system(&s, out);
    out->port = port;
    return H3OU__OK;
}

char *h3ou__addr_text(const h3ou__addr *a, char text[H3OU__ADDR_TEXT])
{
    char host[INET6_ADDRSTRLEN] = "?";
    inet_ntop(a->family == 6 ? AF_INET6 : AF_INET, a->host, host, sizeof host);
    snprintf(text, H3OU__ADDR_TEXT, a->family == 6 ? "[%s]:%d" : "%s:%d", host, a->port);
    return text;
}

void h3ou__addr_write(const h3ou__addr *a, unsigned char bytes[H3OU__ADDR_BYTES])
{
    bytes[0] = (unsigned char)a->family;
    bytes[1] = 0;
    h3ou__put16(bytes + 2, (uint16_t)a->port);
    memcpy(bytes + 4, a->host, 16);
}

int h3ou__addr_read(const unsigned char bytes[H3OU__ADDR_BYTES], h3ou__addr *a)
{
    a->family = bytes[0];
    a->port = h3ou__get16(bytes + 2);
    memcpy(a->host, bytes + 4, 16);
    if ((a->family != 4 && a->family != 6) || bytes[1] != 0 || a->port == 0)
        return h3ou__fail(H3OU__EPROTO, "an address that is none");
    return H3OU__OK;
}

static int new_socket(int family, int type, int *fd)
{
    *fd = socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return *fd < 0 ? h3ou__fail(H3OU__EOS, "socket: %s", strerror(errno)) : H3OU__OK;
}

int h3ou__addr_towards(const h3ou__addr *to, h3ou__addr *out)
{
    any_addr s;
    int fd;
    socklen_t size = to_system(to, &s);
    int err = new_socket(s.any.sa_family, SOCK_DGRAM, &fd);
    if (err)
        return err;
    any_addr mine;
    socklen_t room = sizeof mine;
    if (connect(fd, &s.any, size) != 0 || getsockname(fd, &mine.any, &room) != 0) {
        char text[H3OU__ADDR_TEXT];
        err = h3ou__fail(H3OU__EHOST, "no way to %s from this host: %s", h3ou__addr_text(to, text), strerror(errno));
    } else {
        from_system(&mine, out);
        out->port = 0;
    }
    close(fd);
    return err;
}

int h3ou__addr_of_device(const char *device, h3ou__addr *out)
{
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) != 0)
        return h3ou__fail(H3OU__EOS, "getifaddrs: %s", strerror(errno));
    int found = 0;
    for (struct ifaddrs *i = list; i && !found; i = i->ifa_next) {
        if (!i->ifa_addr || strcmp(i->ifa_name, device) != 0)
            continue;
        if (i->ifa_addr->sa_family != AF_INET && i->ifa_addr->sa_family != AF_INET6)
            continue;
        any_addr s;
        memset(&s, 0, sizeof s);
        memcpy(&s, i->ifa_addr, i->ifa_addr->sa_family == AF_INET ? sizeof s.v4 : sizeof s.v6);
        from_system(&s, out);
        out->port = 0;
        found = 1;
    }
    freeifaddrs(list);
    return found ? H3OU__OK : h3ou__fail(H3OU__EHOST, "this host has no network device '%s' with an address", device);
}

int h3ou__listen(const h3ou__addr *at, int *fd, h3ou__addr *bound, int *in_use, int *not_mine)
{
    any_addr s;
    char text[H3OU__ADDR_TEXT];
    int yes = 1;
    socklen_t size = to_system(at, &s), room = sizeof s;
    *in_use = *not_mine = 0;
    int err = new_socket(s.any.sa_family, SOCK_STREAM, fd);
    if (err)
        return err;
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(*fd, &s.any, size) != 0 || listen(*fd, SOMAXCONN) != 0 || getsockname(*fd, &s.any, &room) != 0) {
        *in_use = errno == EADDRINUSE;
        *not_mine = errno == EADDRNOTAVAIL;
        err = h3ou__fail(H3OU__EOS, "listening on %s: %s", h3ou__addr_text(at, text), strerror(errno));
        close(*fd);
        *fd = -1;
        return err;
    }
    from_system(&s, bound);
    return H3OU__OK;
}

static void no_delay(int fd)
{
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

int h3ou__accept(int listener, int *fd)
{
    *fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (*fd >= 0) {
        no_delay(*fd);
        return H3OU__OK;
    }
    /* A caller that is gone again before it was accepted is no error of ours. */
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ECONNABORTED || errno == EINTR)
        return H3OU__OK;
    return h3ou__fail(H3OU__EOS, "accept: %s", strerror(errno));
}

int h3ou__connect(const h3ou__addr *to, int *fd)
{
    any_addr s;
    char text[H3OU__ADDR_TEXT];
    socklen_t size = to_system(to, &s);
    int err = new_socket(s.any.sa_family, SOCK_STREAM, fd);
    if (err)
        return err;
    no_delay(*fd);
    if (connect(*fd, &s.any, size) == 0 || errno == EINPROGRESS)
        return H3OU__OK;
    err = h3ou__fail(errno == ECONNREFUSED ? H3OU__EREFUSED : H3OU__EOS, "connecting to %s: %s", h3ou__addr_text(to, text),
                     strerror(errno));
    close(*fd);
    *fd = -1;
    return err;
}

int h3ou__connected(int fd)
{
    int code = 0;
    socklen_t size = sizeof code;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) != 0)
        code = errno;
    return code ? h3ou__fail(H3OU__EREFUSED, "%s", strerror(code)) : H3OU__OK;
}
