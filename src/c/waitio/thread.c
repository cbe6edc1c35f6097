/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "os/clock.h"
#include "waitio/lane.h"
#include "waitio/progress.h"

struct waitio__thread {
    pthread_t id;
    pthread_mutex_t lock;
    pthread_cond_t moved;  /* something has happened since */
    waitio__source source; /* of the bell */
    waitio__link link;
    bool is_ending, is_asleep;
    int asked; /* links that it told that it sleeps */
};

static const double longest_sleep = 0.1; /* s */

static void rung(waitio__source *source, bool readable, bool writable)
{
    uint64_t count;
    (void)readable;
    (void)writable;
    if (read(source->link->fd, &count, sizeof count) < 0)
        return;
}

static void ring(waitio__thread *t)
{
    uint64_t one = 1;
    if (write(t->link.fd, &one, sizeof one) < 0)
        return; /* rings already */
}

void waitio__thread_lock(waitio__instance *in)
{
    if (in->thread)
        pthread_mutex_lock(&in->thread->lock);
}

void waitio__thread_unlock(waitio__instance *in)
{
    waitio__thread *t = in->thread;
    if (!t)
        return;
    /* What a call has left to do is the thread's, and a link that is asked, but was not told of its sleep, too. */
    bool wanted = t->is_asleep && (in->dirty || in->hub.nasked != t->asked);
    if (wanted)
        t->is_asleep = false;
    pthread_mutex_unlock(&t->lock);
    if (wanted)
        ring(t);
}

/* Sleeps without the lock until a descriptor or a bell has something to say. */
static void sleep_outside(waitio__instance *in)
{
    waitio__thread *t = in->thread;
    int dozing;
    double seconds = waitio__hub_doze(&in->hub, longest_sleep, &dozing);
    t->is_asleep = true;
    t->asked = in->hub.nasked;
    pthread_mutex_unlock(&t->lock);
    if (seconds > 0) {
        struct pollfd p = {.fd = in->hub.poller.fd, .events = POLLIN};
        poll(&p, 1, (int)(seconds * 1e3) + 1);
    }
    pthread_mutex_lock(&t->lock);
    t->is_asleep = false;
    waitio__hub_wake(&in->hub);
}

static void *work(void *arg)
{
    waitio__instance *in = arg;
    waitio__thread *t = in->thread;
    pthread_mutex_lock(&t->lock);
    while (!t->is_ending) {
        int n = waitio__progress(in, 0);
        pthread_cond_broadcast(&t->moved);
        if (n)
            continue;
        waitio__lanes_settle(in);
        waitio__lanes_flush(in);
        sleep_outside(in);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static const waitio__conduit bell = {.name = "bell"};

int waitio__thread_start(waitio__instance *in)
{
    waitio__thread *t = calloc(1, sizeof *t);
    if (!t)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the progress thread");
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->moved, &monotonic);
    pthread_condattr_destroy(&monotonic);
    t->source = (waitio__source){.ready = rung, .round = -1};
    t->link = (waitio__link){.conduit = &bell, .fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    int code = t->link.fd < 0 ? h3ou__fail(H3OU__EOS, "eventfd: %s", strerror(errno))
                              : waitio__hub_add(&in->hub, &t->source, &t->link, false);
    in->thread = t;
    int failed = code ? 0 : pthread_create(&t->id, NULL, work, in);
    if (failed)
        code = h3ou__fail(H3OU__EOS, "the progress thread cannot be made: %s", strerror(failed));
    if (code) {
        in->thread = NULL;
        waitio__hub_remove(&in->hub, &t->source);
        if (t->link.fd >= 0)
            close(t->link.fd);
        free(t);
    }
    return code;
}

void waitio__thread_stop(waitio__instance *in)
{
    waitio__thread *t = in->thread;
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->is_ending = true;
    pthread_mutex_unlock(&t->lock);
    ring(t);
    pthread_join(t->id, NULL);
    in->thread = NULL;
    waitio__hub_remove(&in->hub, &t->source);
    close(t->link.fd);
    pthread_cond_destroy(&t->moved);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

int waitio__thread_await(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg, double seconds)
{
    waitio__thread *t = in->thread;
    double end = h3ou__now() + seconds;
    while (!done(in, arg)) {
        double now = h3ou__now(), until = end - now < longest_sleep ? end : now + longest_sleep;
        if (now >= end)
            return H3OU__ETIMEOUT;
        if (t->is_asleep && in->dirty) {
            t->is_asleep = false;
            ring(t);
        }
        struct timespec at = {.tv_sec = (time_t)until};
        at.tv_nsec = (long)((until - (double)at.tv_sec) * 1e9);
        pthread_cond_timedwait(&t->moved, &t->lock, &at);
    }
    return H3OU__OK;
}
