/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for many descriptors at once (epoll, level-triggered). */
#ifndef H3OU_OS_POLLER_H
#define H3OU_OS_POLLER_H

#include <stdbool.h>

typedef struct h3ou__poller {
    int fd;
} h3ou__poller;

typedef struct h3ou__event {
    void *ref;
    bool readable, writable; /* an error or a hang-up sets both */
} h3ou__event;

#pragma GCC visibility push(default)
int h3ou__poller_open(h3ou__poller *p);
void h3ou__poller_close(h3ou__poller *p);
/* Watches fd for reading, and if `write` for writing. ref is borrowed and is returned in events. */
int h3ou__poller_add(h3ou__poller *p, int fd, void *ref, bool write);
int h3ou__poller_change(h3ou__poller *p, int fd, void *ref, bool write);
void h3ou__poller_remove(h3ou__poller *p, int fd);
/* Waits up to `seconds` (0: not at all) for events, at most `most`, and returns their number. An interruption by a
 * signal counts as no event. */
int h3ou__poller_wait(h3ou__poller *p, double seconds, h3ou__event event[], int most);
#pragma GCC visibility pop

#endif
