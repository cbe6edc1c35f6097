/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress: what is ready is handled, in every call of the library. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "waitio/instance.h"

int waitio__progress_open(waitio__instance *w)
{
    w->epoll = epoll_create1(EPOLL_CLOEXEC);
    return w->epoll < 0 ? h3ou__fail(H3OU__EOS, "epoll: %s", strerror(errno)) : H3OU__OK;
}

int waitio__watch(waitio__instance *w, int fd, uint32_t events, void *owner, bool is_new)
{
    struct epoll_event e = {.events = events, .data.ptr = owner};
    if (epoll_ctl(w->epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &e) != 0)
        return h3ou__fail(H3OU__EOS, "epoll: %s", strerror(errno));
    return H3OU__OK;
}

/* fd -1: the whole set. */
void waitio__unwatch(waitio__instance *w, int fd)
{
    if (fd >= 0) {
        epoll_ctl(w->epoll, EPOLL_CTL_DEL, fd, NULL);
        return;
    }
    close(w->epoll);
    w->epoll = -1;
}

static void accept_all(waitio__instance *w, waitio__pipe *listener)
{
    enum { MOST = 64 }; /* at a time */
    for (int i = 0; i < MOST; i++) {
        waitio__pipe pipe;
        waitio__conn *c;
        int found;
        int err = listener->conduit->accept(listener, &pipe, &found);
        if (err)
            h3ou__log(H3OU__LOG_WHISPER, "accept", "error=\"%s\"", h3ou__fail_text());
        if (err || !found)
            return;
        /* A stranger may be silent for ever: it holds a descriptor, nothing else. */
        if (waitio__conn_add(w, &pipe, WAITIO__ASKING, &c))
            pipe.conduit->close(&pipe);
    }
}

/* A connection that was begun is made, or is not. */
static void finish_opening(waitio__conn *c)
{
    waitio__instance *w = c->instance;
    waitio__peer *p = c->peer;
    int err = c->pipe.conduit->opened(&c->pipe);
    if (!err) {
        c->state = c->pb >= 0 ? WAITIO__LINK : WAITIO__ASKED;
        waitio__conn_flush(c);
        return;
    }
    waitio__conn_close(c);
    if (p)
        waitio__peer_die(w, p, H3OU__EPEER, h3ou__fail_text());
    else
        waitio__link_lost(c, h3ou__fail_text());
}

static void handle(waitio__instance *w, const struct epoll_event *e)
{
    if (e->data.ptr == &w->listener || e->data.ptr == &w->master) {
        accept_all(w, e->data.ptr);
        return;
    }
    waitio__conn *c = e->data.ptr;
    if (c->state == WAITIO__OPENING) {
        finish_opening(c);
        return;
    }
    if (c->state != WAITIO__CLOSED && e->events & (EPOLLIN | EPOLLHUP | EPOLLERR))
        waitio__conn_read(c);
    if (c->state != WAITIO__CLOSED && e->events & EPOLLOUT)
        waitio__conn_flush(c);
}

int waitio__progress(waitio__instance *w, double seconds, bool *moved)
{
    enum { EVENTS = 64 };
    struct epoll_event e[EVENTS];
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)(1e9 * (seconds - (double)t.tv_sec));
    int n = epoll_pwait2(w->epoll, e, EVENTS, &t, NULL);
    if (n < 0 && errno == ENOSYS) /* before Linux 5.11: milliseconds */
        n = epoll_wait(w->epoll, e, EVENTS, (int)(1000.0 * seconds + 0.999));
    if (n < 0 && errno != EINTR)
        return h3ou__fail(H3OU__EOS, "epoll: %s", strerror(errno));
    for (int i = 0; i < n; i++)
        handle(w, &e[i]);
    if (n > 0)
        waitio__conns_sweep(w);
    if (moved)
        *moved = n > 0;
    return H3OU__OK;
}
