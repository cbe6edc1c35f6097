/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/conduit/byte_stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"

enum { FOREIGN_MOST = 64 }; /* most connections of other users that are closed at a time */

int waitio__byte_stream_accept(waitio__link *listener, waitio__link *out)
{
    *out = (waitio__link){.conduit = listener->conduit, .fd = -1};
    int code = h3ou__socket_accept(listener->fd, &out->fd);
    if (code == EAGAIN)
        return WAITIO__AGAIN;
    if (code)
        return h3ou__fail(H3OU__EOS, "accept: %s", strerror(code));
    return H3OU__OK;
}

int waitio__byte_stream_accept_local(waitio__link *listener, waitio__link *out)
{
    for (int i = 0; i < FOREIGN_MOST; i++) {
        int code = waitio__byte_stream_accept(listener, out);
        if (code || !h3ou__local_is_foreign(out->fd))
            return code;
        waitio__byte_stream_close(out);
    }
    return WAITIO__AGAIN; /* the descriptor stays readable for the others */
}

int waitio__byte_stream_broken(int code)
{
    return h3ou__fail(code == ECONNREFUSED ? H3OU__EREFUSED : H3OU__EPEER, "%s", strerror(code));
}

int waitio__byte_stream_opened(waitio__link *link)
{
    int code = h3ou__socket_connected(link->fd);
    if (code == ENOTCONN)
        return WAITIO__AGAIN;
    return code ? waitio__byte_stream_broken(code) : H3OU__OK;
}

static bool may_try_again(int code)
{
    return code == EAGAIN || code == EWOULDBLOCK || code == EINTR || code == ENOBUFS || code == ENOMEM;
}

int waitio__byte_stream_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    ssize_t done = n == 1 ? send(link->fd, iov->iov_base, iov->iov_len, MSG_NOSIGNAL | MSG_DONTWAIT)
                          : sendmsg(link->fd, &(struct msghdr){.msg_iov = (struct iovec *)iov, .msg_iovlen = (size_t)n},
                                    MSG_NOSIGNAL | MSG_DONTWAIT);
    *moved = done > 0 ? (size_t)done : 0;
    if (done >= 0)
        return H3OU__OK;
    return may_try_again(errno) ? WAITIO__AGAIN : waitio__byte_stream_broken(errno);
}

static int stream_receive(waitio__link *link, const struct iovec *iov, int n, int flags, size_t *moved)
{
    ssize_t done =
        n == 1 ? recv(link->fd, iov->iov_base, iov->iov_len, flags)
               : recvmsg(link->fd, &(struct msghdr){.msg_iov = (struct iovec *)iov, .msg_iovlen = (size_t)n}, flags);
    *moved = done > 0 ? (size_t)done : 0;
    if (done > 0)
        return H3OU__OK;
    if (!done)
        return WAITIO__EOF;
    return may_try_again(errno) ? WAITIO__AGAIN : waitio__byte_stream_broken(errno);
}

int waitio__byte_stream_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    return stream_receive(link, iov, n, MSG_DONTWAIT, moved);
}

int waitio__byte_stream_read_blocking(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    return stream_receive(link, iov, n, 0, moved);
}

void waitio__byte_stream_close(waitio__link *link)
{
    if (link->fd >= 0)
        close(link->fd);
    link->fd = -1;
}

void waitio__byte_stream_name(const char *conduit, const waitio__address *a, char name[WAITIO__STREAM_NAME])
{
    char text[H3OU__ADDRESS_TEXT];
    snprintf(name, WAITIO__STREAM_NAME, "waitio-%s-%s-%016llx", conduit, h3ou__address_text(a, text),
             (unsigned long long)a->local);
}

int waitio__byte_stream_listen_local(const char *kind, const waitio__address *at, int *fd)
{
    char name[WAITIO__STREAM_NAME];
    waitio__byte_stream_name(kind, at, name);
    int code = h3ou__local_listen(name, fd);
    return code ? h3ou__fail(code == EADDRINUSE ? H3OU__EREFUSED : H3OU__EOS, "listening at the local name %s: %s",
                             name, strerror(code))
                : H3OU__OK;
}

int waitio__byte_stream_connect_local(const char *kind, const waitio__address *to, int *fd)
{
    char name[WAITIO__STREAM_NAME];
    waitio__byte_stream_name(kind, to, name);
    int code = h3ou__local_connect(name, fd);
    if (code == EAGAIN)
        return h3ou__fail(H3OU__EPEER, "too many connections wait at %s", name);
    if (code)
        return waitio__byte_stream_broken(code);
    if (!h3ou__local_is_foreign(*fd))
        return H3OU__OK;
    close(*fd);
    *fd = -1;
    return h3ou__fail(H3OU__EPEER, "another user has the local name %s", name);
}
