/* SPDX-License-Identifier: BSD-3-Clause */
/* The conduit over TCP. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "waitio/conduit.h"

static void fill(waitio__pipe *p, int fd)
{
    *p = (waitio__pipe){.conduit = &waitio__conduit_tcp, .fd = fd};
}

static int tcp_listen(const h3ou__addr *at, waitio__pipe *out, h3ou__addr *bound)
{
    int fd, in_use, not_mine;
    int err = h3ou__listen(at, &fd, bound, &in_use, &not_mine);
    fill(out, fd);
    if (err && (in_use || not_mine))
        return in_use ? H3OU__EREFUSED : H3OU__EHOST; /* the caller words these two */
    return err;
}

static int tcp_accept(waitio__pipe *listener, waitio__pipe *out, int *found)
{
    int fd, err = h3ou__accept(listener->fd, &fd);
    fill(out, fd);
    *found = !err && fd >= 0;
    return err;
}

static int tcp_open(const h3ou__addr *to, waitio__pipe *out)
{
    int fd, err = h3ou__connect(to, &fd);
    fill(out, fd);
    return err;
}

static int tcp_opened(waitio__pipe *p)
{
    return h3ou__connected(p->fd);
}

static int64_t lost(const char *call)
{
    return h3ou__fail(H3OU__EPEER, "%s: %s", call, strerror(errno));
}

static int64_t tcp_writev(waitio__pipe *p, const struct iovec part[], int n)
{
    struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)part, .msg_iovlen = (size_t)n};
    ssize_t moved = sendmsg(p->fd, &message, MSG_NOSIGNAL);
    if (moved >= 0)
        return moved;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : lost("send");
}

static int64_t tcp_read(waitio__pipe *p, void *buf, int64_t size)
{
    ssize_t moved = recv(p->fd, buf, (size_t)size, 0);
    if (moved > 0)
        return moved;
    if (moved == 0)
        return h3ou__fail(H3OU__EPEER, "the connection was closed");
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : lost("receive");
}

static void tcp_close(waitio__pipe *p)
{
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
}

const waitio__conduit waitio__conduit_tcp = {
    .name = "tcp",
    .listen = tcp_listen,
    .accept = tcp_accept,
    .open = tcp_open,
    .opened = tcp_opened,
    .writev = tcp_writev,
    .read = tcp_read,
    .close = tcp_close,
};
