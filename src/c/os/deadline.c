/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/deadline.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct h3ou__deadline {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_over;
    struct timespec end;
    bool (*is_lost)(void); /* or NULL */
    void (*lost)(void), (*late)(void);
};

static bool is_after(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec >= b->tv_nsec);
}

/* Waits until the deadline or until h3ou__deadline_end; one second at most when is_lost has to be called. */
static bool wait_a_while(h3ou__deadline *d)
{
    struct timespec now, until = d->end;
    if (d->is_lost) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        now.tv_sec++;
        until = is_after(&now, &d->end) ? d->end : now;
    }
    while (!d->is_over && pthread_cond_timedwait(&d->changed, &d->mutex, &until) != ETIMEDOUT)
        ;
    return !d->is_over && is_after(&until, &d->end);
}

static void *wait_until_late(void *arg)
{
    h3ou__deadline *d = arg;
    int lost = 0;
    pthread_mutex_lock(&d->mutex);
    while (!wait_a_while(d) && !d->is_over && lost < 2)
        lost = d->is_lost && d->is_lost() ? lost + 1 : 0;
    bool is_late = !d->is_over;
    pthread_mutex_unlock(&d->mutex);
    if (is_late)
        (lost == 2 ? d->lost : d->late)();
    return NULL;
}

static void free_deadline(h3ou__deadline *d)
{
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->mutex);
    free(d);
}

static void init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

h3ou__deadline *h3ou__deadline_begin(double seconds, void (*late)(void))
{
    return h3ou__deadline_watch(seconds, NULL, NULL, late);
}

h3ou__deadline *h3ou__deadline_watch(double seconds, bool (*is_lost)(void), void (*lost)(void), void (*late)(void))
{
    sigset_t all, before;
    h3ou__deadline *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->late = late;
    d->is_lost = is_lost;
    d->lost = lost;
    pthread_mutex_init(&d->mutex, NULL);
    init_condition(&d->changed);
    clock_gettime(CLOCK_MONOTONIC, &d->end);
    d->end.tv_sec += (time_t)seconds;
    d->end.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    d->end.tv_sec += d->end.tv_nsec / 1000000000;
    d->end.tv_nsec %= 1000000000;
    sigfillset(&all); /* all signals are left to the model's own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&d->thread, NULL, wait_until_late, d);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code) {
        free_deadline(d);
        return NULL;
    }
    return d;
}

void h3ou__deadline_end(h3ou__deadline *d)
{
    if (!d)
        return;
    pthread_mutex_lock(&d->mutex);
    d->is_over = true;
    pthread_cond_signal(&d->changed);
    pthread_mutex_unlock(&d->mutex);
    pthread_join(d->thread, NULL);
    free_deadline(d);
}
