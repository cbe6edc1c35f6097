/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contract of a conduit: it carries an ordered, reliable stream of bytes between two processes. It knows nothing of
 * frames, ranks or messages. A conduit is one static const table in one file of conduit/; waitio__conduits lists them.
 *
 * A link is a value: the conduit fills it in listen, accept or open, the caller owns it from then on and gives it back
 * to close exactly once. No operation blocks. fd becomes readable when accept, readv or opened may have something to
 * say, and writable when writev or opened may. Buffers and addresses are borrowed for the call only.
 *
 * Answers: 0, a negative error with its sentence recorded, or one of the two below.
 */
#ifndef WAITIO_CONDUIT_H
#define WAITIO_CONDUIT_H

#include <stddef.h>
#include <sys/uio.h>

#include "os/socket.h"

enum {
    WAITIO__AGAIN = 1, /* nothing moved: wait until fd is ready */
    WAITIO__EOF = 2    /* the other end closed: nothing follows */
};

enum { WAITIO__ADDRESS = 24, WAITIO__ADDRESS_TEXT = H3OU__ADDRESS_TEXT };

typedef struct waitio__address { /* as it travels in endpoint tables; each conduit writes it in its own way */
    unsigned char byte[WAITIO__ADDRESS];
} waitio__address;

typedef struct waitio__conduit waitio__conduit;

typedef struct waitio__link {
    const waitio__conduit *conduit;
    int fd;
    void *state; /* the conduit's own */
} waitio__link;

struct waitio__conduit {
    const char *name;
    /* Waits for others at an address of this process. *bound: what to tell them. H3OU__EHOST: `at` is not of this
     * machine; H3OU__EREFUSED: another process has it. */
    int (*listen)(const waitio__address *at, waitio__link *out, waitio__address *bound);
    int (*accept)(waitio__link *listener, waitio__link *out);
    /* Begins to reach a listener; then opened, each time fd is writable, until it answers 0 or an error.
     * H3OU__EREFUSED: nobody listens there. */
    int (*open)(const waitio__address *to, waitio__link *out);
    int (*opened)(waitio__link *link);
    /* Move what can be moved at once: *moved bytes, more than 0 when the answer is 0. H3OU__EPEER: the other end is
     * gone. */
    int (*writev)(waitio__link *link, const struct iovec *iov, int n, size_t *moved);
    int (*readv)(waitio__link *link, const struct iovec *iov, int n, size_t *moved);
    void (*close)(waitio__link *link);
    char *(*text)(const waitio__address *a, char text[WAITIO__ADDRESS_TEXT]);
};

/* All conduits, ended by NULL; the first is the one that works everywhere. */
extern const waitio__conduit *const waitio__conduits[];
extern const waitio__conduit waitio__tcp;

void waitio__tcp_pack(const h3ou__address *from, waitio__address *to);

#endif
