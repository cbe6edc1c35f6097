/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bound for calls of other libraries that may never return: a thread calls `late` when `seconds` have passed, unless
 * h3ou__deadline_end came before. `late` runs in that thread, beside whatever the process does.
 */
#ifndef H3OU_OS_DEADLINE_H
#define H3OU_OS_DEADLINE_H

#include <stdbool.h>

typedef struct h3ou__deadline h3ou__deadline;

#pragma GCC visibility push(default)
/* NULL when there is no memory or no thread: then there is no bound. */
h3ou__deadline *h3ou__deadline_begin(double seconds, void (*late)(void));
/* The same; also when is_lost, asked each second, has said yes twice in turn. */
h3ou__deadline *h3ou__deadline_watch(double seconds, bool (*is_lost)(void), void (*late)(void));
/* Frees d (NULL allowed); `late` is not called any more, or has returned. */
void h3ou__deadline_end(h3ou__deadline *d);
#pragma GCC visibility pop

#endif
