/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A wire between two processes, side 0 and side 1, is what is measured. Every variant is one table of operations, and
 * trips.c measures all of them by the same loops, so that they differ in nothing else. A wire that fails ends the
 * process with a sentence by die().
 */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>

enum { MOST_WINDOW = 64 };

/* Messages of one size, through `window` buffers that are used in turn. */
typedef struct stream {
    size_t size;
    int window;
    char *slot[MOST_WINDOW];
} stream;

typedef struct wire wire;

typedef struct wire_ops {
    const char *name;
    void (*prepare)(wire *w);        /* in the process that forks both sides; may be NULL */
    void (*open)(wire *w, int side); /* in each side */
    /* Send and receive one message; each returns when its buffer may be used again. */
    void (*send)(wire *w, char *buf, size_t n);
    void (*recv)(wire *w, char *buf, size_t n);
    /* Send and receive n messages of s. post, which may be NULL, is called before the sender begins, to post receives.
     */
    void (*push)(wire *w, stream *s, long n);
    void (*post)(wire *w, stream *s, long n);
    void (*pull)(wire *w, stream *s, long n);
} wire_ops;

struct wire {
    const wire_ops *ops;
    void *own;              /* the variant's own data */
    int is_blocking;        /* raw wires: block in the system instead of polling */
    const char *congestion; /* raw TCP: the congestion control to take, NULL for the system's */
    const char *folder;     /* raw files: where */
};

extern const wire_ops wire_tcp, wire_file, wire_over, wire_waitio, wire_mpi;

/* Prints what went wrong, with the system's reason if errno has one, and ends the process. */
_Noreturn void die(const char *what);

#endif
