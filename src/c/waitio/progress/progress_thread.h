/* SPDX-License-Identifier: BSD-3-Clause */
/* WAITIO_PROGRESS=thread, or waitio__progress_thread_use: a thread of the library moves messages while the program computes, and the program's own
 * threads may all call (waitio/message/call_lock.h). */
#ifndef WAITIO_PROGRESS_PROGRESS_THREAD_H
#define WAITIO_PROGRESS_PROGRESS_THREAD_H

#include "waitio/message/instance.h"

int waitio__progress_thread_start(waitio__instance *in);
/* Ends the thread, before the instance is freed. Called without the lock. */
void waitio__progress_thread_stop(waitio__instance *in);
/* Starts the thread of the process's instance, unless it has one. No other thread may be in a call. *by_thread: whether there is a thread now;
 * false when WAITIO_PROGRESS says another way of waiting. H3OU__EOS when no thread can be made. */
#pragma GCC visibility push(default)
int waitio__progress_thread_use(bool *by_thread);
#pragma GCC visibility pop

#endif
