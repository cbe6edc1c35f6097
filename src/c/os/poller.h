/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for many descriptors at once (epoll, level-triggered). */
#ifndef H3OU_OS_POLLER_H
#define H3OU_OS_POLLER_H

#include <stdbool.h>

typedef struct h3ou__poller {
    int fd;
} h3ou__poller;

typedef struct h3ou__event {
    void *ref;
    bool readable, writable; /* an error or a hang-up is both */
} h3ou__event;

#pragma GCC visibility push(default)
int h3ou__poller_open(h3ou__poller *p);
void h3ou__poller_close(h3ou__poller *p);
/* Watches fd for reading, and for writing if asked. ref is borrowed and comes back in events. */
int h3ou__poller_add(h3ou__poller *p, int fd, void *ref, bool write);
int h3ou__poller_change(h3ou__poller *p, int fd, void *ref, bool write);
void h3ou__poller_remove(h3ou__poller *p, int fd);
/* At most `most` events within `seconds` (0: never sleeps); an interruption by a signal is no event. Returns
 * their number. */
int h3ou__poller_wait(h3ou__poller *p, double seconds, h3ou__event event[], int most);
#pragma GCC visibility pop

#endif
