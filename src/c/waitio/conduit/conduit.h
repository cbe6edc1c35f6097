/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contract of a conduit: it carries an ordered stream of bytes in both directions between two processes. It knows
 * nothing of frames, ranks or messages. A conduit is one static const table in one file of conduit/; conduit_table.c
 * lists them; tests/waitio/test_conduits.c holds every one to this text.
 *
 * A link is a value: the conduit fills it in listen, accept or open, the caller owns it from then on and gives it back
 * to close exactly once. No operation blocks. Buffers and addresses are borrowed for the call only.
 *
 * Waiting. fd (if not -1) becomes readable when accept, readv or opened may succeed, and writable when writev or opened
 * may. A conduit with `ready` moves bytes without the kernel's knowledge: the event hub calls `ready` in each turn, and
 * fd becomes readable only for a process that called `sleep_begin` before it blocks, and calls `sleep_end` afterwards.
 *
 * Each operation returns 0, a negative error with its sentence recorded, or one of the two codes below.
 */
#ifndef WAITIO_CONDUIT_CONDUIT_H
#define WAITIO_CONDUIT_CONDUIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "os/socket.h"

enum {
    WAITIO__AGAIN = 1, /* nothing moved: wait until it is ready */
    WAITIO__EOF = 2    /* the other end closed, and all it had sent was read: nothing follows */
};

enum { WAITIO__ADDRESS_TEXT = H3OU__ADDRESS_TEXT };

/* Where a process listens, by whatever conduit: the name by which the others know it. Every conduit makes of the
 * address what it needs: a socket's, a name on this host, a folder. */
typedef h3ou__address waitio__address;

typedef struct waitio__conduit waitio__conduit;

typedef struct waitio__link {
    const waitio__conduit *conduit;
    int fd;
    void *state; /* the conduit's own */
} waitio__link;

/* What all links of an instance have in common; zero is a good default. Set before the first listen. */
typedef struct waitio__conduit_settings {
    uint64_t instance;  /* part of the names of folders; nobody can guess it */
    char scratch[512];  /* the file conduit's shared folder; WAITIO_SCRATCH_DIR */
    uint64_t file_most; /* bytes of files in one direction of a pair; WAITIO_MAXFILE_SIZE_PER_PROC */
    bool file_polls;    /* take the folder for one of a network's file system, whatever it is; WAITIO_FILE_POLL */
} waitio__conduit_settings;

struct waitio__conduit {
    const char *name;
    /* Its connections cannot break while both processes live, so nothing is kept to be sent again. */
    bool is_lasting;
    bool is_near;     /* both ends are on this machine; a process that has it among its routes listens by it, too */
    bool may_encrypt; /* its bytes travel over a network: its links are encrypted with WAITIO_ENCRYPT (encrypted_link.h)
                       */
    /* Listens. *bound (may be NULL): the address to tell the others, differs from `at` where port 0 asks for any.
     * H3OU__EHOST: `at` is not of this machine; H3OU__EREFUSED: another process has it. */
    int (*listen)(const waitio__conduit_settings *set, const waitio__address *at, waitio__link *out,
                  waitio__address *bound);
    int (*accept)(waitio__link *listener, waitio__link *out);
    /* Begins to connect to a listener; then call `opened`, each time fd is writable, until it returns 0 or an error.
     * H3OU__EREFUSED: nobody listens there. */
    int (*open)(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out);
    int (*opened)(waitio__link *link);
    /* Move the bytes that can be moved at once: *moved of them, more than 0 when 0 is returned. H3OU__EPEER: the other
     * process is gone; what it wrote before may still be read. */
    int (*writev)(waitio__link *link, const struct iovec *iov, int n, size_t *moved);
    /* NULL, or: bytes that writev has taken and that have not left this process. writev of nothing moves them on. */
    size_t (*held)(const waitio__link *link);
    int (*readv)(waitio__link *link, const struct iovec *iov, int n, size_t *moved);
    /* NULL, or: a readv that may block for a millisecond or two when there is nothing to read. */
    int (*read_blocking)(waitio__link *link, const struct iovec *iov, int n, size_t *moved);
    /* NULL: fd tells all. Else true if readv (or, when write, writev), or a listener's accept, may succeed. Cheap.
     */
    bool (*ready)(waitio__link *link, bool write);
    /* Called before the process blocks; NULL, as sleep_end, where `ready` is. Returns the seconds after which to call
     * `ready` again at the latest (0: something is ready, do not block). */
    double (*sleep_begin)(waitio__link *link, bool write);
    void (*sleep_end)(waitio__link *link);
    /* NULL, as `taken` then, or: shows the bytes that can be read, in place, until `taken` is called. *n 0: none (then
     * call readv). */
    void (*peek)(waitio__link *link, const unsigned char **bytes, size_t *n);
    void (*taken)(waitio__link *link, size_t n);
    /* All four NULL, or: reach returns true if this process may copy the other's memory; get and put copy n bytes from,
     * or to, `address` there. After revoke, which close does too, the other process can no longer write to this one's
     * memory (its `put` fails). */
    bool (*reach)(waitio__link *link);
    int (*get)(waitio__link *link, uint64_t address, void *to, size_t n);
    int (*put)(waitio__link *link, uint64_t address, const void *from, size_t n);
    void (*revoke)(waitio__link *link);
    void (*close)(waitio__link *link);
    /* NULL or: why nothing moves, when that is known ("no space left on /scratch"); NULL: all is well. */
    const char *(*trouble)(const waitio__link *link);
    /* NULL: none. Or: bytes of memory of this process that the link holds. */
    size_t (*memory)(const waitio__link *link);
};

extern const waitio__conduit waitio__tcp, waitio__unix, waitio__shm, waitio__file, waitio__inproc;
/* All of them, ended by NULL. */
extern const waitio__conduit *const waitio__conduits[];
const waitio__conduit *waitio__conduit_find(const char *name); /* NULL: none */

static inline bool waitio__link_ready(waitio__link *l, bool write)
{
    return l->conduit->ready && l->conduit->ready(l, write);
}

#endif
