/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/call_lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "os/os_clock.h"

struct waitio__waiter { /* a call of the program that sleeps until the progress thread signals it */
    bool (*done)(waitio__instance *in, void *arg);
    void *arg;
    double end;     /* h3ou__now() at which it gives up */
    bool is_called; /* it was signalled and has not had the lock since */
    pthread_cond_t signal;
    struct waitio__waiter *next;
};

static const double longest_wait = 1e9; /* s: what a timespec can hold for certain */

static void bell_rung(waitio__source *source, bool readable, bool writable)
{
    uint64_t count;
    (void)readable;
    (void)writable;
    if (read(source->link->fd, &count, sizeof count) < 0)
        return;
}

void waitio__call_lock_ring(waitio__call_lock *t)
{
    uint64_t one = 1;
    if (write(t->link.fd, &one, sizeof one) < 0)
        return; /* it is being woken already */
}

/* A caller that had announced itself has the lock now. */
static void caller_entered(waitio__call_lock *t)
{
    t->entered++;
    if (t->gives_way)
        pthread_cond_signal(&t->all_entered);
}

static const waitio__conduit bell = {.name = "bell"};

/* A condition of which the time limit is one of h3ou__now(). */
static void condition_init(pthread_cond_t *c)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(c, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

int waitio__call_lock_create(waitio__instance *in)
{
    waitio__call_lock *t = calloc(1, sizeof *t);
    if (!t)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the progress thread");
    pthread_mutex_init(&t->mutex, NULL);
    condition_init(&t->all_entered);
    t->source = (waitio__source){.ready = bell_rung, .round = -1};
    t->link = (waitio__link){.conduit = &bell, .fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    int code = t->link.fd < 0 ? h3ou__fail(H3OU__EOS, "eventfd: %s", strerror(errno))
                              : waitio__hub_add(&in->hub, &t->source, &t->link, false);
    in->call_lock = t;
    if (code)
        waitio__call_lock_free(in);
    return code;
}

void waitio__call_lock_free(waitio__instance *in)
{
    waitio__call_lock *t = in->call_lock;
    in->call_lock = NULL;
    waitio__hub_remove(&in->hub, &t->source);
    if (t->link.fd >= 0)
        close(t->link.fd);
    pthread_cond_destroy(&t->all_entered);
    pthread_mutex_destroy(&t->mutex);
    free(t);
}

void waitio__call_lock_take(waitio__instance *in)
{
    waitio__call_lock *t = in->call_lock;
    if (!t || !pthread_mutex_trylock(&t->mutex))
        return;
    atomic_fetch_add(&t->announced, 1);
    pthread_mutex_lock(&t->mutex);
    caller_entered(t);
}

void waitio__call_lock_call_waiters(waitio__instance *in)
{
    waitio__call_lock *t = in->call_lock;
    t->stamp = in->turn + in->counters.messages_received;
    for (waitio__waiter *w = t->waiter; w; w = w->next) {
        if (w->is_called || (in->now < w->end && !w->done(in, w->arg)))
            continue;
        w->is_called = true;
        atomic_fetch_add(&t->announced, 1);
        pthread_cond_signal(&w->signal);
    }
}

double waitio__call_lock_sleep_begin(waitio__instance *in, double seconds)
{
    waitio__call_lock *t = in->call_lock;
    int dozing;
    t->sleeps_for = waitio__hub_sleep_begin(&in->hub, seconds, &dozing);
    t->asked = in->hub.nasked;
    t->events = in->hub.events;
    return t->sleeps_for;
}

/* True if the sleeping thread has work: frames that a call has left to send, or a link that was not told that the
 * thread sleeps. A link wakes the thread once: where a call took what came, before the thread noticed, the links are
 * told again. */
static bool is_needed(waitio__instance *in)
{
    waitio__call_lock *t = in->call_lock;
    if (!t->is_asleep || in->waiting.dirty || in->hub.nasked != t->asked)
        return t->is_asleep;
    double seconds = t->sleeps_for;
    return in->hub.events != t->events && waitio__call_lock_sleep_begin(in, seconds) < seconds;
}

void waitio__call_lock_give(waitio__instance *in)
{
    waitio__call_lock *t = in->call_lock;
    if (!t)
        return;
    if (t->waiter && t->stamp != in->turn + in->counters.messages_received)
        waitio__call_lock_call_waiters(in);
    bool needed = is_needed(in);
    if (needed)
        t->is_asleep = false;
    pthread_mutex_unlock(&t->mutex);
    if (needed)
        waitio__call_lock_ring(t);
}

void waitio__call_lock_give_way(waitio__call_lock *t)
{
    unsigned announced = atomic_load(&t->announced);
    t->gives_way = true;
    while ((int)(announced - t->entered) > 0)
        pthread_cond_wait(&t->all_entered, &t->mutex);
    t->gives_way = false;
}

static void sleep_until(waitio__call_lock *t, waitio__waiter *w)
{
    struct timespec at = {.tv_sec = (time_t)w->end};
    at.tv_nsec = (long)((w->end - (double)at.tv_sec) * 1e9);
    pthread_cond_timedwait(&w->signal, &t->mutex, &at);
    if (!w->is_called)
        return;
    w->is_called = false;
    caller_entered(t);
}

int waitio__call_lock_await(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                                  double seconds)
{
    waitio__call_lock *t = in->call_lock;
    waitio__waiter w = {.done = done, .arg = arg, .end = h3ou__now() + (seconds < longest_wait ? seconds : longest_wait)};
    int code = H3OU__OK;
    condition_init(&w.signal);
    w.next = t->waiter;
    t->waiter = &w;
    while (!done(in, arg)) {
        if (h3ou__now() >= w.end) {
            code = H3OU__ETIMEOUT;
            break;
        }
        if (is_needed(in)) {
            t->is_asleep = false;
            waitio__call_lock_ring(t);
        }
        sleep_until(t, &w);
    }
    waitio__waiter **place = &t->waiter;
    while (*place != &w)
        place = &(*place)->next;
    *place = w.next;
    pthread_cond_destroy(&w.signal);
    return code;
}
