/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain TCP connection between two processes, with which the other ways are compared. */
#ifndef H3OU_TOOL_PINGPONG_RAW_H
#define H3OU_TOOL_PINGPONG_RAW_H

#include <stdbool.h>
#include <stddef.h>

enum { PINGPONG_INVITATION = 128 };

typedef struct pingpong_raw {
    int fd, listener, crowded; /* crowded: so many waits are to sleep at once, because another process needs the core */
    unsigned long long secret;
} pingpong_raw;

/* One side listens and writes its address and a random number into the invitation, which is sent to the other side by
 * other means; another program that connects does not know the number. All calls return 0 or a negative code with
 * h3ou__fail_text(). */
int pingpong_raw_listen(pingpong_raw *r, char invitation[PINGPONG_INVITATION]);
int pingpong_raw_accept(pingpong_raw *r);
int pingpong_raw_connect(pingpong_raw *r, const char invitation[PINGPONG_INVITATION]);
int pingpong_raw_move(pingpong_raw *r, char *buf, size_t n, bool is_send);
void pingpong_raw_close(pingpong_raw *r);

#endif
