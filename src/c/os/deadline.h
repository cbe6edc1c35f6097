/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A time limit for calls of other libraries that may never return: a thread calls `late` when `seconds` have passed,
 * unless h3ou__deadline_end was called before. `late` runs in that thread while the process goes on.
 */
#ifndef H3OU_OS_DEADLINE_H
#define H3OU_OS_DEADLINE_H

#include <stdbool.h>

typedef struct h3ou__deadline h3ou__deadline;

#pragma GCC visibility push(default)
/* Starts the thread. Returns NULL when there is no memory or no thread; then there is no limit. */
h3ou__deadline *h3ou__deadline_begin(double seconds, void (*late)(void));
/* The same; `lost` is called instead when is_lost, called once a second, has returned true twice in succession. */
h3ou__deadline *h3ou__deadline_watch(double seconds, bool (*is_lost)(void), void (*lost)(void), void (*late)(void));
/* Frees d (NULL allowed). When it returns, neither will be called any more, or it has returned. */
void h3ou__deadline_end(h3ou__deadline *d);
#pragma GCC visibility pop

#endif
