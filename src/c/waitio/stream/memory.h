/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All memory of the transport is taken here and counted by what it is for, so that a test can compare it with
 * docs/memory.md. Buffers for bytes on their way come from one pool of chunks, shared by all connections of a process.
 */
#ifndef WAITIO_STREAM_MEMORY_H
#define WAITIO_STREAM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#define WAITIO__USES(X)                                                                                                \
    X(FIXED, "instance, hub, staging")                                                                                 \
    X(TABLE, "addresses, when this process has them for itself")                                                       \
    X(PEERS, "processes that this one has to do with")                                                                 \
    X(LINKS, "connections")                                                                                            \
    X(REQUESTS, "what isend and irecv have started")                                                                   \
    X(BUFFERS, "bytes on their way: the pool")                                                                         \
    X(UNEXPECTED, "messages that nobody has asked for")                                                                \
    X(RINGS, "shared memory between two processes, my half")

enum waitio__use {
#define X(name, text) WAITIO__USE_##name,
    WAITIO__USES(X)
#undef X
        WAITIO__USE_COUNT
};

typedef struct waitio__chunk waitio__chunk;
struct waitio__chunk { /* a piece of the pool */
    waitio__chunk *next;
    uint32_t refs, size, used;
    unsigned char bytes[];
};

enum { WAITIO__CHUNK_CLASSES = 6, WAITIO__CHUNK_LEAST = 512, WAITIO__CHUNK_MOST = 524288 };

typedef struct waitio__memory {
    uint64_t held[WAITIO__USE_COUNT];
    waitio__chunk *spare[WAITIO__CHUNK_CLASSES]; /* sizes 512 B, 2, 8, 32, 128, 512 KiB */
    uint64_t spared;                             /* bytes in the lists of spare chunks */
} waitio__memory;

/* Returns n bytes of zeros, or NULL with the error recorded. */
void *waitio__memory_take(waitio__memory *m, enum waitio__use use, size_t n);
/* Frees p; n is the number of bytes that were taken. */
void waitio__memory_give(waitio__memory *m, enum waitio__use use, void *p, size_t n);
/* Counts n bytes of memory that did not come from _take; a negative n takes them off again. */
void waitio__memory_count(waitio__memory *m, enum waitio__use use, int64_t n);
uint64_t waitio__memory_held(const waitio__memory *m);

/* Returns an empty chunk of at least `least` bytes (at most WAITIO__CHUNK_MOST) with one reference, or NULL. */
waitio__chunk *waitio__chunk_take(waitio__memory *m, size_t least);
void waitio__chunk_drop(waitio__memory *m, waitio__chunk *c);
void waitio__memory_free(waitio__memory *m);

#endif
