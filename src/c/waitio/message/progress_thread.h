/* SPDX-License-Identifier: BSD-3-Clause */
/* WAITIO_PROGRESS=thread: a thread of the library moves messages while the program computes, and the program's own
 * threads may all call. One lock for the instance; without the thread there is none. */
#ifndef WAITIO_MESSAGE_PROGRESS_THREAD_H
#define WAITIO_MESSAGE_PROGRESS_THREAD_H

#include "waitio/message/instance.h"

int waitio__progress_thread_start(waitio__instance *in);
/* Ends the thread. Called without the lock. */
void waitio__progress_thread_stop(waitio__instance *in);
void waitio__progress_thread_lock(waitio__instance *in);
void waitio__progress_thread_unlock(waitio__instance *in);
/* With the lock, by a thread of the program: sleeps until `done` returns true, or `seconds` have passed
 * (H3OU__ETIMEOUT). `done` is also called by other threads, with the lock, and decides then whether to wake this one. */
int waitio__progress_thread_await(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                                  double seconds);

#endif
