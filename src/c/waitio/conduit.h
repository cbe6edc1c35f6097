/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contract of a conduit: a reliable, ordered stream of bytes between two processes. What is said on it (frames) is not
 * its business. A conduit is one file with one table; it knows no instance and no other conduit.
 *
 * A pipe belongs to whoever opened or accepted it, until close. Nothing blocks; buffers are borrowed during the call only.
 */
#ifndef WAITIO_CONDUIT_H
#define WAITIO_CONDUIT_H

#include <stdint.h>
#include <sys/uio.h>

#include "os/socket.h"

typedef struct waitio__pipe {
    const struct waitio__conduit *conduit;
    int fd;      /* to poll: readable, writable */
    void *state; /* the conduit's own */
} waitio__pipe;

typedef struct waitio__conduit {
    const char *name;
    /* A pipe on which others arrive. `bound` is what they connect to. */
    int (*listen)(const h3ou__addr *at, waitio__pipe *out, h3ou__addr *bound);
    int (*accept)(waitio__pipe *listener, waitio__pipe *out, int *found);
    /* Begins; finished when the pipe is writable: then `opened` answers 0 or why not. */
    int (*open)(const h3ou__addr *to, waitio__pipe *out);
    int (*opened)(waitio__pipe *p);
    /* Bytes moved; 0: would block. H3OU__EPEER: the other end is gone (read: after its last byte). */
    int64_t (*writev)(waitio__pipe *p, const struct iovec part[], int n);
    int64_t (*read)(waitio__pipe *p, void *buf, int64_t size);
    void (*close)(waitio__pipe *p);
} waitio__conduit;

extern const waitio__conduit waitio__conduit_tcp;

#endif
