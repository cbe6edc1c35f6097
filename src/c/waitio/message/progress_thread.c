/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/progress_thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "os/os_clock.h"
#include "waitio/message/lane.h"
#include "waitio/message/progress.h"

typedef struct waiter { /* a call of the program that sleeps until the progress thread signals it */
    bool (*done)(waitio__instance *in, void *arg);
    void *arg;
    double end;     /* h3ou__now() at which it gives up */
    bool is_called; /* it was signalled and has not had the lock since */
    pthread_cond_t signal;
    struct waiter *next;
} waiter;

struct waitio__progress_thread {
    pthread_t id;
    pthread_mutex_t lock;
    waiter *waiter;        /* all that sleep */
    uint64_t stamp;        /* of the progress after which the waiters' conditions were last evaluated */
    waitio__source source; /* of the eventfd that wakes the thread */
    waitio__link link;
    bool is_ending, is_asleep;
    int asked; /* number of links on which sleep_begin was called */
    /* A mutex does not hand over to those that wait for it, and while much arrives the progress thread would take it
     * again at once. So callers that find it locked are counted, and so are waiters that were signalled; the thread
     * releases the lock after each turn until all counted before have had it. */
    atomic_uint announced;
    unsigned entered;
    bool gives_way;
    pthread_cond_t all_entered;
};

static const double longest_sleep = 0.1; /* s */
static const double longest_wait = 1e9;  /* s: what a timespec can hold for certain */

static void bell_rung(waitio__source *source, bool readable, bool writable)
{
    uint64_t count;
    (void)readable;
    (void)writable;
    if (read(source->link->fd, &count, sizeof count) < 0)
        return;
}

static void bell_ring(waitio__progress_thread *t)
{
    uint64_t one = 1;
    if (write(t->link.fd, &one, sizeof one) < 0)
        return; /* it is being woken already */
}

/* A caller that had announced itself has the lock now. */
static void caller_entered(waitio__progress_thread *t)
{
    t->entered++;
    if (t->gives_way)
        pthread_cond_signal(&t->all_entered);
}

void waitio__progress_thread_lock(waitio__instance *in)
{
    waitio__progress_thread *t = in->thread;
    if (!t || !pthread_mutex_trylock(&t->lock))
        return;
    atomic_fetch_add(&t->announced, 1);
    pthread_mutex_lock(&t->lock);
    caller_entered(t);
}

/* Signals the waiters whose condition holds or whose time is over. */
static void call_waiters(waitio__instance *in)
{
    waitio__progress_thread *t = in->thread;
    t->stamp = in->turn + in->counters.messages_received;
    for (waiter *w = t->waiter; w; w = w->next) {
        if (w->is_called || (in->now < w->end && !w->done(in, w->arg)))
            continue;
        w->is_called = true;
        atomic_fetch_add(&t->announced, 1);
        pthread_cond_signal(&w->signal);
    }
}

/* True if the sleeping thread has work: frames that a call has left to send, or a link that was not told that the
 * thread sleeps. */
static bool is_needed(const waitio__instance *in)
{
    const waitio__progress_thread *t = in->thread;
    return t->is_asleep && (in->waiting.dirty || in->hub.nasked != t->asked);
}

void waitio__progress_thread_unlock(waitio__instance *in)
{
    waitio__progress_thread *t = in->thread;
    if (!t)
        return;
    if (t->waiter && t->stamp != in->turn + in->counters.messages_received)
        call_waiters(in);
    bool needed = is_needed(in);
    if (needed)
        t->is_asleep = false;
    pthread_mutex_unlock(&t->lock);
    if (needed)
        bell_ring(t);
}

/* Releases the lock until all that have announced themselves so far have had it. */
static void give_way(waitio__progress_thread *t)
{
    unsigned announced = atomic_load(&t->announced);
    t->gives_way = true;
    while ((int)(announced - t->entered) > 0)
        pthread_cond_wait(&t->all_entered, &t->lock);
    t->gives_way = false;
}

/* Sleeps without the lock until a descriptor is ready or the eventfd is written. */
static void sleep_outside(waitio__instance *in)
{
    waitio__progress_thread *t = in->thread;
    int dozing;
    double seconds = waitio__hub_sleep_begin(&in->hub, longest_sleep, &dozing);
    t->is_asleep = true;
    t->asked = in->hub.nasked;
    pthread_mutex_unlock(&t->lock);
    if (seconds > 0) {
        struct pollfd p = {.fd = in->hub.poller.fd, .events = POLLIN};
        poll(&p, 1, (int)(seconds * 1e3) + 1);
    }
    pthread_mutex_lock(&t->lock);
    t->is_asleep = false;
    waitio__hub_sleep_end(&in->hub);
}

static void *thread_work(void *arg)
{
    waitio__instance *in = arg;
    waitio__progress_thread *t = in->thread;
    pthread_mutex_lock(&t->lock);
    while (!t->is_ending) {
        int n = waitio__progress(in, 0);
        call_waiters(in);
        if (!n) {
            waitio__lanes_acknowledge_owed(in);
            waitio__lanes_flush(in);
            sleep_outside(in);
        }
        give_way(t);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
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

/* Makes the thread, which handles none of the program's signals. */
static int thread_create(waitio__instance *in)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&in->thread->id, NULL, thread_work, in);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? h3ou__fail(H3OU__EOS, "the progress thread cannot be made: %s", strerror(failed)) : H3OU__OK;
}

int waitio__progress_thread_start(waitio__instance *in)
{
    waitio__progress_thread *t = calloc(1, sizeof *t);
    if (!t)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the progress thread");
    pthread_mutex_init(&t->lock, NULL);
    condition_init(&t->all_entered);
    t->source = (waitio__source){.ready = bell_rung, .round = -1};
    t->link = (waitio__link){.conduit = &bell, .fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    int code = t->link.fd < 0 ? h3ou__fail(H3OU__EOS, "eventfd: %s", strerror(errno))
                              : waitio__hub_add(&in->hub, &t->source, &t->link, false);
    in->thread = t;
    if (!code)
        code = thread_create(in);
    if (code) {
        in->thread = NULL;
        waitio__hub_remove(&in->hub, &t->source);
        if (t->link.fd >= 0)
            close(t->link.fd);
        free(t);
    }
    return code;
}

int waitio__progress_thread_use(bool *by_thread)
{
    waitio__instance *in = waitio__instance_of_process();
    const char *said = getenv("WAITIO_PROGRESS");
    int code = H3OU__OK;
    if (in && !in->thread && !(said && *said))
        code = waitio__progress_thread_start(in);
    *by_thread = !code && in && in->thread;
    return code;
}

void waitio__progress_thread_stop(waitio__instance *in)
{
    waitio__progress_thread *t = in->thread;
    if (!t)
        return;
    waitio__progress_thread_lock(in);
    t->is_ending = true;
    pthread_mutex_unlock(&t->lock);
    bell_ring(t);
    pthread_join(t->id, NULL);
    in->thread = NULL;
    waitio__hub_remove(&in->hub, &t->source);
    close(t->link.fd);
    pthread_cond_destroy(&t->all_entered);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

static void sleep_until(waitio__progress_thread *t, waiter *w)
{
    struct timespec at = {.tv_sec = (time_t)w->end};
    at.tv_nsec = (long)((w->end - (double)at.tv_sec) * 1e9);
    pthread_cond_timedwait(&w->signal, &t->lock, &at);
    if (!w->is_called)
        return;
    w->is_called = false;
    caller_entered(t);
}

int waitio__progress_thread_await(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                                  double seconds)
{
    waitio__progress_thread *t = in->thread;
    waiter w = {.done = done, .arg = arg, .end = h3ou__now() + (seconds < longest_wait ? seconds : longest_wait)};
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
            bell_ring(t);
        }
        sleep_until(t, &w);
    }
    waiter **place = &t->waiter;
    while (*place != &w)
        place = &(*place)->next;
    *place = w.next;
    pthread_cond_destroy(&w.signal);
    return code;
}
