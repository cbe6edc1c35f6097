/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/poller.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/error.h"

enum { AT_ONCE = 64 };

int h3ou__poller_open(h3ou__poller *p)
{
    p->fd = epoll_create1(EPOLL_CLOEXEC);
    if (p->fd < 0)
        return h3ou__fail(H3OU__EOS, "the event loop cannot be made: epoll_create1: %s", strerror(errno));
    return H3OU__OK;
}

void h3ou__poller_close(h3ou__poller *p)
{
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
}

static int poller_control(h3ou__poller *p, int what, int fd, void *ref, bool write)
{
    struct epoll_event e = {.events = EPOLLIN | (write ? (uint32_t)EPOLLOUT : 0u), .data.ptr = ref};
    if (epoll_ctl(p->fd, what, fd, &e))
        return h3ou__fail(H3OU__EOS, "descriptor %d cannot be watched: epoll_ctl: %s", fd, strerror(errno));
    return H3OU__OK;
}

int h3ou__poller_add(h3ou__poller *p, int fd, void *ref, bool write)
{
    return poller_control(p, EPOLL_CTL_ADD, fd, ref, write);
}

int h3ou__poller_change(h3ou__poller *p, int fd, void *ref, bool write)
{
    return poller_control(p, EPOLL_CTL_MOD, fd, ref, write);
}

void h3ou__poller_remove(h3ou__poller *p, int fd)
{
    struct epoll_event unused = {0};
    epoll_ctl(p->fd, EPOLL_CTL_DEL, fd, &unused);
}

int h3ou__poller_wait(h3ou__poller *p, double seconds, h3ou__event event[], int most)
{
    struct epoll_event e[AT_ONCE];
    int ms = seconds <= 0 ? 0 : seconds > 3600 ? 3600000 : (int)ceil(seconds * 1e3);
    int n = epoll_wait(p->fd, e, most < AT_ONCE ? most : AT_ONCE, ms);
    for (int i = 0; i < n; i++) {
        bool trouble = e[i].events & (EPOLLERR | EPOLLHUP);
        event[i].ref = e[i].data.ptr;
        event[i].readable = trouble || (e[i].events & EPOLLIN);
        event[i].writable = trouble || (e[i].events & EPOLLOUT);
    }
    return n < 0 ? 0 : n;
}
