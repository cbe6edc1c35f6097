/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Somebody on the path between two processes: passes the bytes of TCP connections on, keeps a copy of what it saw, and
 * changes or adds bytes when it is told to. It works only while the test program calls it.
 */
#ifndef TESTS_WAITIO_RELAY_H
#define TESTS_WAITIO_RELAY_H

#include <stdbool.h>
#include <stddef.h>

enum { RELAY_LINKS = 32, RELAY_SEEN = 1 << 20 };

typedef struct relay_way { /* one direction of a connection */
    int from, to;
    unsigned char *seen; /* [RELAY_SEEN] */
    size_t n;
    size_t change_at; /* position of a byte to change; (size_t)-1: none */
} relay_way;

typedef struct relay {
    int listener, port;
    int target; /* port on 127.0.0.1; 0: not known yet, connections wait */
    int n;
    relay_way way[RELAY_LINKS][2]; /* [][0]: from who opened */
    size_t change_at[2];           /* for connections that are opened from now on */
} relay;

void relay_open(relay *y, int target);
void relay_close(relay *y);
/* Passes on what is there, for a moment. */
void relay_turn(relay *y);
/* Adds bytes to what the receiver of that way reads. */
void relay_inject(relay_way *w, const void *bytes, size_t n);
/* Does any connection from position `skip` on show these bytes? */
bool relay_saw(const relay *y, size_t skip, const void *bytes, size_t n);

#endif
