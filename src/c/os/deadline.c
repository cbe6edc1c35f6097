/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/deadline.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct h3ou__deadline {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_over;
    struct timespec end;
    void (*late)(void);
};

static void *wait_until_late(void *arg)
{
    h3ou__deadline *d = arg;
    int code = 0;
    pthread_mutex_lock(&d->mutex);
    while (!d->is_over && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&d->changed, &d->mutex, &d->end);
    bool is_late = !d->is_over;
    pthread_mutex_unlock(&d->mutex);
    if (is_late)
        d->late();
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
    sigset_t all, before;
    h3ou__deadline *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->late = late;
    pthread_mutex_init(&d->mutex, NULL);
    init_condition(&d->changed);
    clock_gettime(CLOCK_MONOTONIC, &d->end);
    d->end.tv_sec += (time_t)seconds;
    d->end.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    d->end.tv_sec += d->end.tv_nsec / 1000000000;
    d->end.tv_nsec %= 1000000000;
    sigfillset(&all); /* the signals of the process are for the model's own threads */
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
