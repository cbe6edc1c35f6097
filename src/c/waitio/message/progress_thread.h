/* SPDX-License-Identifier: BSD-3-Clause */
/* WAITIO_PROGRESS=thread, or waitio__progress_thread_use: a thread of the library moves messages while the program computes, and the program's own
 * threads may all call. One lock for the instance; without the thread there is none. */
#ifndef WAITIO_MESSAGE_PROGRESS_THREAD_H
#define WAITIO_MESSAGE_PROGRESS_THREAD_H

#include "waitio/message/instance.h"

int waitio__progress_thread_start(waitio__instance *in);
/* Ends the thread. Called without the lock. */
void waitio__progress_thread_stop(waitio__instance *in);
void waitio__progress_thread_lock(waitio__instance *in);
void waitio__progress_thread_unlock(waitio__instance *in);
/* Starts the thread of the process's instance, unless it has one. No other thread may be in a call. *by_thread: whether there is a thread now;
 * false when WAITIO_PROGRESS says another way of waiting. H3OU__EOS when no thread can be made. */
#pragma GCC visibility push(default)
int waitio__progress_thread_use(bool *by_thread);
#pragma GCC visibility pop
/* With the lock, by a thread of the program: sleeps until `done` returns true, or `seconds` have passed
 * (H3OU__ETIMEOUT). `done` is also called by other threads, with the lock, and decides then whether to wake this one. */
int waitio__progress_thread_await(waitio__instance *in, bool (*done)(waitio__instance *in, void *arg), void *arg,
                                  double seconds);

#endif
