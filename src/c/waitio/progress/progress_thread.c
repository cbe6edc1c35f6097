/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/progress/progress_thread.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "waitio/message/call_lock.h"
#include "waitio/message/lane.h"
#include "waitio/progress/progress.h"

static const double longest_sleep = 0.1; /* s */

/* Sleeps without the lock until a descriptor is ready or the eventfd is written. */
static void sleep_outside(waitio__instance *in)
{
    waitio__call_lock *t = in->call_lock;
    double seconds = waitio__call_lock_sleep_begin(in, longest_sleep);
    t->is_asleep = true;
    pthread_mutex_unlock(&t->mutex);
    if (seconds > 0) {
        struct pollfd p = {.fd = in->hub.poller.fd, .events = POLLIN};
        poll(&p, 1, (int)(seconds * 1e3) + 1);
    }
    pthread_mutex_lock(&t->mutex);
    t->is_asleep = false;
    waitio__hub_sleep_end(&in->hub);
}

static void *thread_work(void *arg)
{
    waitio__instance *in = arg;
    waitio__call_lock *t = in->call_lock;
    pthread_mutex_lock(&t->mutex);
    while (!t->is_ending) {
        int n = waitio__progress(in, 0);
        waitio__call_lock_call_waiters(in);
        if (!n) {
            waitio__lanes_acknowledge_owed(in);
            waitio__lanes_flush(in);
            sleep_outside(in);
        }
        waitio__call_lock_give_way(t);
    }
    pthread_mutex_unlock(&t->mutex);
    return NULL;
}

/* Makes the thread, which handles none of the program's signals. */
static int thread_create(waitio__instance *in)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&in->call_lock->thread, NULL, thread_work, in);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? h3ou__fail(H3OU__EOS, "the progress thread cannot be made: %s", strerror(failed)) : H3OU__OK;
}

int waitio__progress_thread_start(waitio__instance *in)
{
    int code = waitio__call_lock_create(in);
    if (code)
        return code;
    code = thread_create(in);
    if (code)
        waitio__call_lock_free(in);
    return code;
}

int waitio__progress_thread_use(bool *by_thread)
{
    waitio__instance *in = waitio__instance_of_process();
    const char *said = getenv("WAITIO_PROGRESS");
    int code = H3OU__OK;
    if (in && !in->call_lock && !(said && *said))
        code = waitio__progress_thread_start(in);
    *by_thread = !code && in && in->call_lock;
    return code;
}

void waitio__progress_thread_stop(waitio__instance *in)
{
    waitio__call_lock *t = in->call_lock;
    if (!t)
        return;
    waitio__call_lock_take(in);
    t->is_ending = true;
    pthread_mutex_unlock(&t->mutex);
    waitio__call_lock_ring(t);
    pthread_join(t->thread, NULL);
    waitio__call_lock_free(in);
}
