/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock of an instance whose messages a thread of the library moves (waitio/progress/progress_thread.h), and the sleep of the program's own
 * threads until that thread has moved theirs. Without the thread there is no lock, and taking it does nothing.
 */
#ifndef WAITIO_MESSAGE_CALL_LOCK_H
#define WAITIO_MESSAGE_CALL_LOCK_H

#include <pthread.h>
#include <stdatomic.h>

#include "waitio/message/instance.h"

typedef struct waitio__waiter waitio__waiter; /* a call that sleeps in waitio__call_lock_await */

struct waitio__call_lock {
    pthread_mutex_t mutex;
    pthread_t thread;
    waitio__waiter *waiter; /* all that sleep */
    uint64_t stamp;        /* of the progress after which the waiters' conditions were last evaluated */
    waitio__source source; /* of the eventfd that wakes the thread */
    waitio__link link;
    bool is_ending, is_asleep;
    int asked;       /* number of links on which sleep_begin was called */
    uint64_t events; /* of the hub when that was done */
    double sleeps_for; /* seconds: what they said then */
    /* A mutex does not hand over to those that wait for it, and while much arrives the progress thread would take it
     * again at once. So callers that find it locked are counted, and so are waiters that were signalled; the thread
     * releases the lock after each turn until all counted before have had it. */
    atomic_uint announced;
    unsigned entered;
    bool gives_way;
    pthread_cond_t all_entered;
};

/* Makes the lock of an instance that has none. */
int waitio__call_lock_create(waitio__instance *in);
/* Called when no thread is in a call and the progress thread has ended. */
void waitio__call_lock_free(waitio__instance *in);
void waitio__call_lock_take(waitio__instance *in);
void waitio__call_lock_give(waitio__instance *in);
/* With the lock, by a thread of the program: sleeps until `done` returns true, or `seconds` have passed
 * (H3OU__ETIMEOUT). `done` is also called by other threads, with the lock, and decides then whether to wake this one. */
int waitio__call_lock_await(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                            double seconds);
/* For the progress thread, with the lock. Signals the waiters whose condition holds or whose time is over. */
void waitio__call_lock_call_waiters(waitio__instance *in);
/* Releases the lock until all that have announced themselves so far have had it. */
void waitio__call_lock_give_way(waitio__call_lock *t);
/* For the progress thread, with the lock, before it sleeps without it: has each link wake it. Returns for how long (s) it may sleep, `seconds` at most. */
double waitio__call_lock_sleep_begin(waitio__instance *in, double seconds);
/* Wakes the progress thread. */
void waitio__call_lock_ring(waitio__call_lock *t);

#endif
