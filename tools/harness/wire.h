/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A wire between two processes, side 0 and side 1, is what is measured. Every variant is one table of operations, and
 * rounds.c and trips.c measure all of them by the same loops, so that they differ in nothing else. All operations
 * return 0 or a negative code with h3ou__fail_text().
 */
#ifndef H3OU_TOOL_HARNESS_WIRE_H
#define H3OU_TOOL_HARNESS_WIRE_H

#include <stddef.h>

enum { WIRE_WINDOW_MOST = 64 };

/* Messages of one size, through `window` buffers that are used in turn. */
typedef struct wire_stream {
    size_t size;
    int window;
    char *slot[WIRE_WINDOW_MOST];
} wire_stream;

typedef struct wire wire;

typedef struct wire_ops {
    const char *name;
    int (*prepare)(wire *w);        /* in the process that forks both sides; may be NULL */
    void (*close)(wire *w);         /* there, after it has forked them; NULL: nothing to free */
    int (*open)(wire *w, int side); /* in each side */
    /* Send and receive one message; each returns when its buffer may be used again. */
    int (*send)(wire *w, char *buf, size_t n);
    int (*recv)(wire *w, char *buf, size_t n);
    /* Send and receive n messages of s. post, which may be NULL, is called before the sender begins, to post receives.
     */
    int (*push)(wire *w, wire_stream *s, long n);
    int (*post)(wire *w, wire_stream *s, long n);
    int (*pull)(wire *w, wire_stream *s, long n);
} wire_ops;

/* How a process waits on a raw wire. WIRE_YIELD: it yields its core between two tests; a long wait on TCP sleeps, as in
 * the library. */
enum wire_wait { WIRE_SPIN, WIRE_BLOCK, WIRE_YIELD };

struct wire {
    const wire_ops *ops;
    void *own; /* the variant's own data */
    enum wire_wait wait;
    const char *congestion; /* raw TCP: the congestion control to take, NULL for the system's */
    const char *folder;     /* raw files: where */
};

#endif
