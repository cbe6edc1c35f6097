/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory for one call that is kept for the next one. What malloc is given back in long pieces it returns to the system, and new pages
 * cost as much as the copies of a long message.
 */
#ifndef H3OU_BASE_KEPT_MEMORY_H
#define H3OU_BASE_KEPT_MEMORY_H

#include <stddef.h>

#pragma GCC visibility push(default)
/* Returns memory of so many bytes, with any contents, or NULL. Any thread may call. */
void *h3ou__kept_memory_take(size_t bytes);
/* Takes it back; NULL is allowed. A process keeps 16 MiB at most. */
void h3ou__kept_memory_give(void *memory);
#pragma GCC visibility pop

#endif
