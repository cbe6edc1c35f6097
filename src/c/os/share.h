/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that processes of one host share: by a name, or by a descriptor that one gives to another. What is named lives
 * as long as somebody uses it; names that nobody uses any more, since all were killed, are swept away by the next.
 */
#ifndef H3OU_OS_SHARE_H
#define H3OU_OS_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)
/* name: "/...". *made: this process made it, zeroed. Another process's is taken only with that size and of this user.
 * H3OU__EOS with the cause: no space left (so that it does not fail later, by a signal), no shared memory. */
int h3ou__share_open(const char *name, size_t bytes, bool *made, int *fd, void **base);
void h3ou__share_close(const char *name, int fd, void *base, size_t bytes);
/* Removes names of this user that begin so, are a minute old, and that nobody has open. */
void h3ou__share_sweep(const char *begin);
/* Without a name; cannot shrink. *fd: to be given to another process, who maps it (and refuses one that could shrink).
 */
int h3ou__share_new(size_t bytes, int *fd, void **base);
int h3ou__share_map(int fd, size_t bytes, void **base);
void h3ou__share_unmap(void *base, size_t bytes);
#pragma GCC visibility pop

#endif
