/* SPDX-License-Identifier: BSD-3-Clause */
/* A pair of processes with nothing but a TCP connection between them: what the others are compared with. */
#ifndef H3OU_TOOL_PINGPONG_RAW_H
#define H3OU_TOOL_PINGPONG_RAW_H

#include <stdbool.h>
#include <stddef.h>

enum { PINGPONG_INVITATION = 128 };

typedef struct pingpong_raw {
    int fd, listener, crowded; /* crowded: waits that are to sleep at once, for somebody else needs the core */
    unsigned long long secret;
} pingpong_raw;

/* One side listens and writes how it is found into the invitation, which reaches the other side by other means; a
 * stranger that connects does not know what is in it. All answer 0 or a negative code with h3ou__fail_text(). */
int pingpong_raw_listen(pingpong_raw *r, char invitation[PINGPONG_INVITATION]);
int pingpong_raw_accept(pingpong_raw *r);
int pingpong_raw_connect(pingpong_raw *r, const char invitation[PINGPONG_INVITATION]);
int pingpong_raw_move(pingpong_raw *r, char *buf, size_t n, bool is_send);
void pingpong_raw_close(pingpong_raw *r);

#endif
