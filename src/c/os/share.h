/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that processes of one host share: by a name, or by a descriptor that one process passes to another. A named
 * segment lives as long as some process uses it; names whose users were all killed are removed by h3ou__share_sweep.
 */
#ifndef H3OU_OS_SHARE_H
#define H3OU_OS_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)
/* Opens or creates a segment; name: "/...". *made: this process created it, zeroed. One that another process created
 * must have that size and belong to this user. H3OU__EOS with the cause, which may be that no space is left: all is
 * allocated here. */
int h3ou__share_open(const char *name, size_t bytes, bool *made, int *fd, void **base);
/* Opens a segment that another process of this user has made. H3OU__EOS where there is none with that name and size. */
int h3ou__share_find(const char *name, size_t bytes, int *fd, void **base);
/* Removes the name of a segment, and closes its descriptor, when all who need it have it: it lives as long as it is mapped. */
void h3ou__share_hide(const char *name, int fd);
void h3ou__share_close(const char *name, int fd, void *base, size_t bytes);
/* Removes this user's segments whose names begin with `begin`, are a minute old, and that no process has open. */
void h3ou__share_sweep(const char *begin);
/* Creates a segment without a name that cannot shrink. *fd may be passed to another process, which maps it, and refuses
 * one that could shrink. */
int h3ou__share_new(size_t bytes, int *fd, void **base);
int h3ou__share_map(int fd, size_t bytes, void **base);
void h3ou__share_unmap(void *base, size_t bytes);
#pragma GCC visibility pop

#endif
