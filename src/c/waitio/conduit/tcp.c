/* SPDX-License-Identifier: BSD-3-Clause */
/* TCP. An address is 16 bytes of IP, 2 of port, 4 of scope, 2 zero. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "waitio/conduit.h"

void waitio__tcp_pack(const h3ou__address *from, waitio__address *to)
{
    memset(to, 0, sizeof *to);
    memcpy(to->byte, from->ip, 16);
    h3ou__put16(to->byte + 16, from->port);
    h3ou__put32(to->byte + 18, from->scope);
}

static void unpack(const waitio__address *from, h3ou__address *to)
{
    memcpy(to->ip, from->byte, 16);
    to->port = h3ou__get16(from->byte + 16);
    to->scope = h3ou__get32(from->byte + 18);
}

static char *tcp_text(const waitio__address *a, char text[WAITIO__ADDRESS_TEXT])
{
    h3ou__address address;
    unpack(a, &address);
    return h3ou__address_text(&address, text);
}

static int tcp_listen(const waitio__address *at, waitio__link *out, waitio__address *bound)
{
    h3ou__address want, got;
    char text[WAITIO__ADDRESS_TEXT];
    unpack(at, &want);
    *out = (waitio__link){.conduit = &waitio__tcp, .fd = -1};
    int code = h3ou__socket_listen(&want, &out->fd, &got);
    if (code)
        return h3ou__fail(code == EADDRNOTAVAIL ? H3OU__EHOST
                          : code == EADDRINUSE  ? H3OU__EREFUSED
                                                : H3OU__EOS,
                          "listening at %s: %s", tcp_text(at, text), strerror(code));
    waitio__tcp_pack(&got, bound);
    return H3OU__OK;
}

static int tcp_accept(waitio__link *listener, waitio__link *out)
{
    *out = (waitio__link){.conduit = &waitio__tcp, .fd = -1};
    int code = h3ou__socket_accept(listener->fd, &out->fd);
    if (code == EAGAIN)
        return WAITIO__AGAIN;
    if (code)
        return h3ou__fail(H3OU__EOS, "accept: %s", strerror(code));
    return H3OU__OK;
}

static int broken(int code)
{
    return h3ou__fail(code == ECONNREFUSED ? H3OU__EREFUSED : H3OU__EPEER, "%s", strerror(code));
}

static int tcp_open(const waitio__address *to, waitio__link *out)
{
    h3ou__address address;
    unpack(to, &address);
    *out = (waitio__link){.conduit = &waitio__tcp, .fd = -1};
    int code = h3ou__socket_connect(&address, &out->fd);
    return code ? broken(code) : H3OU__OK;
}

static int tcp_opened(waitio__link *link)
{
    int code = h3ou__socket_connected(link->fd);
    if (code == ENOTCONN)
        return WAITIO__AGAIN;
    return code ? broken(code) : H3OU__OK;
}

static bool is_again(int code)
{
    return code == EAGAIN || code == EWOULDBLOCK || code == EINTR || code == ENOBUFS || code == ENOMEM;
}

static int tcp_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    struct msghdr message = {.msg_iov = (struct iovec *)iov, .msg_iovlen = (size_t)n};
    ssize_t done = sendmsg(link->fd, &message, MSG_NOSIGNAL);
    *moved = done > 0 ? (size_t)done : 0;
    if (done >= 0)
        return H3OU__OK;
    return is_again(errno) ? WAITIO__AGAIN : broken(errno);
}

static int tcp_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    ssize_t done = readv(link->fd, iov, n);
    *moved = done > 0 ? (size_t)done : 0;
    if (done > 0)
        return H3OU__OK;
    if (!done)
        return WAITIO__EOF;
    return is_again(errno) ? WAITIO__AGAIN : broken(errno);
}

static void tcp_close(waitio__link *link)
{
    if (link->fd >= 0)
        close(link->fd);
    link->fd = -1;
}

const waitio__conduit waitio__tcp = {
    .name = "tcp",
    .listen = tcp_listen,
    .accept = tcp_accept,
    .open = tcp_open,
    .opened = tcp_opened,
    .writev = tcp_writev,
    .readv = tcp_readv,
    .close = tcp_close,
    .text = tcp_text,
};
