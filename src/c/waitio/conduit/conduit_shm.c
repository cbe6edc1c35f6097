/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory between two processes of one host, whatever their MPIs: a ring of bytes in each direction, written by
 * one and read by the other without a lock. The process that opens makes the memory and passes its descriptor over a
 * local stream socket. A byte on that socket then wakes the other process if it blocks, and its end tells that the
 * other process has ended.
 *
 * 512 KiB a direction stay in a core's second cache; smaller and larger rings were seen to be slower.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/error.h"
#include "os/os_clock.h"
#include "os/share.h"
#include "waitio/conduit/byte_stream.h"

static const double revoke_within = 1; /* s */

/* An emulated machine of the other byte order may run on this host: it must not find the rings. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const char kind_of_memory[] = "shm-big";
#else
static const char kind_of_memory[] = "shm";
#endif

enum { RING = 512 * 1024, PART = 32768, LINE = 64 };

/* Positions count bytes from the beginning; the place in the ring is their remainder. A line of its own for each. */
typedef struct ring {
    _Alignas(LINE) _Atomic uint64_t written; /* by the writer */
    _Alignas(LINE) _Atomic uint64_t read;    /* by the reader */
    _Alignas(LINE) _Atomic uint32_t reader_sleeps;
    _Atomic uint32_t writer_sleeps;
    _Alignas(LINE) unsigned char bytes[RING];
} ring;

/* Where a random number lies in this process's memory: a process that reads the right number there can copy from it. */
typedef struct identity {
    uint32_t pid;
    uint64_t address, nonce;
    _Atomic uint32_t is_told;
    _Atomic uint32_t is_revoked; /* nobody may write to its memory any more; said by the process itself */
    _Atomic uint32_t is_written; /* the other is writing to it just now; said by the other */
} identity;

typedef struct shared {
    ring of_opener, of_accepter; /* what each writes */
    identity opener, accepter;
} shared;

typedef struct pair {
    shared *memory; /* NULL: its descriptor has not come yet */
    int fd;         /* of the memory, until it is given */
    ring *out, *in;
    uint64_t written, read;           /* mine, not yet or just published */
    uint64_t seen_written, seen_read; /* theirs, as last looked at */
    bool is_gone;                     /* the socket has ended */
    uint64_t nonce;
    identity *mine, *other;
    int reach; /* 0: not tried; 1: can; -1: cannot */
} pair;

static int shm_listen(const waitio__conduit_settings *set, const waitio__address *at, waitio__link *out,
                      waitio__address *bound)
{
    (void)set;
    *out = (waitio__link){.conduit = &waitio__shm, .fd = -1};
    int code = waitio__byte_stream_listen_local(kind_of_memory, at, &out->fd);
    if (!code && bound)
        *bound = *at;
    return code;
}

static pair *pair_new(waitio__link *link)
{
    pair *p = calloc(1, sizeof *p);
    if (!p) {
        h3ou__fail(H3OU__ENOMEM, "no memory for a link");
        return NULL;
    }
    p->fd = -1;
    link->state = p;
    return p;
}

static void shm_revoke(waitio__link *link);

static void shm_close(waitio__link *link)
{
    pair *p = link->state;
    if (p) {
        shm_revoke(link);
        h3ou__share_unmap(p->memory, sizeof(shared));
        if (p->fd >= 0)
            close(p->fd);
        free(p);
    }
    link->state = NULL;
    waitio__byte_stream_close(link);
}

static void pair_identify(pair *p, identity *mine, identity *other)
{
    p->mine = mine;
    p->other = other;
    if (getrandom(&p->nonce, sizeof p->nonce, GRND_NONBLOCK) != sizeof p->nonce)
        p->reach = -1;
    mine->pid = (uint32_t)getpid();
    mine->address = (uint64_t)(uintptr_t)&p->nonce;
    mine->nonce = p->nonce;
    atomic_store_explicit(&mine->is_told, 1, memory_order_release);
}

typedef ssize_t (*mover)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
                         unsigned long);

static int copy_memory(mover move, uint32_t pid, uint64_t address, void *to, size_t n)
{
    while (n) {
        struct iovec local = {to, n}, remote = {(void *)(uintptr_t)address, n};
        ssize_t done = move((pid_t)pid, &local, 1, &remote, 1, 0);
        if (done <= 0)
            return h3ou__fail(H3OU__EOS, "copying another process's memory: %s",
                              done ? strerror(errno) : "nothing came");
        to = (char *)to + done;
        address += (uint64_t)done;
        n -= (size_t)done;
    }
    return H3OU__OK;
}

/* Needs the kernel's permission (the rules of ptrace) and a common namespace of process numbers. */
static bool shm_reach(waitio__link *link)
{
    pair *p = link->state;
    uint64_t seen = 0;
    if (p->reach || !p->memory || !atomic_load_explicit(&p->other->is_told, memory_order_acquire))
        return p->reach > 0;
    bool can =
        !copy_memory(process_vm_readv, p->other->pid, p->other->address, &seen, sizeof seen) && seen == p->other->nonce;
    p->reach = can ? 1 : -1;
    return can;
}

static int shm_get(waitio__link *link, uint64_t address, void *to, size_t n)
{
    pair *p = link->state;
    return copy_memory(process_vm_readv, p->other->pid, address, to, n);
}

/* The writer sets is_written, then reads is_revoked; the owner sets is_revoked, then reads is_written: one of the two
 * sees the other. */
static int shm_put(waitio__link *link, uint64_t address, const void *from, size_t n)
{
    pair *p = link->state;
    int code = H3OU__OK;
    atomic_store(&p->other->is_written, 1);
    if (atomic_load(&p->other->is_revoked))
        code = h3ou__fail(H3OU__EPEER, "the other process has given its memory back");
    else
        code = copy_memory(process_vm_writev, p->other->pid, address, (void *)(uintptr_t)from, n);
    atomic_store(&p->other->is_written, 0);
    return code;
}

/* A writer copies a piece in less than a millisecond. One that is killed meanwhile leaves is_written set, but writes no
 * more. */
static void shm_revoke(waitio__link *link)
{
    pair *p = link->state;
    if (!p || !p->mine)
        return;
    atomic_store(&p->mine->is_revoked, 1);
    double end = h3ou__now() + revoke_within;
    while (atomic_load(&p->mine->is_written) && h3ou__now() < end)
        sched_yield();
}

static int shm_accept(waitio__link *listener, waitio__link *out)
{
    /* A listener has no state: `ready` returns false for it, since its descriptor tells all. */
    int code = waitio__byte_stream_accept_local(listener, out);
    if (!code && !pair_new(out)) {
        waitio__byte_stream_close(out);
        code = H3OU__ENOMEM;
    }
    return code;
}

static int shm_open_link(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    (void)set;
    *out = (waitio__link){.conduit = &waitio__shm, .fd = -1};
    int code = waitio__byte_stream_connect_local(kind_of_memory, to, &out->fd);
    if (code)
        return code;
    void *base = NULL;
    pair *p = pair_new(out);
    code = p ? h3ou__share_new(sizeof(shared), &p->fd, &base) : H3OU__ENOMEM;
    if (code) {
        shm_close(out);
        return code;
    }
    p->memory = base;
    p->out = &p->memory->of_opener;
    p->in = &p->memory->of_accepter;
    pair_identify(p, &p->memory->opener, &p->memory->accepter);
    return H3OU__OK;
}

static int shm_opened(waitio__link *link)
{
    pair *p = link->state;
    int code = p->fd >= 0 ? h3ou__local_give(link->fd, p->fd) : 0;
    if (code == EAGAIN || code == EINTR)
        return WAITIO__AGAIN;
    if (code)
        return waitio__byte_stream_broken(code);
    close(p->fd);
    p->fd = -1;
    return H3OU__OK;
}

/* At the accepting end: the descriptor of the memory comes with the first byte. */
static int pair_map_memory(waitio__link *link)
{
    pair *p = link->state;
    void *base;
    int fd, code = h3ou__local_receive(link->fd, &fd);
    if (code == EAGAIN || code == EINTR)
        return WAITIO__AGAIN;
    if (code || fd < 0)
        return code ? waitio__byte_stream_broken(code) : h3ou__fail(H3OU__EPROTO, "no shared memory came");
    code = h3ou__share_map(fd, sizeof(shared), &base);
    close(fd);
    if (code)
        return code;
    p->memory = base;
    p->out = &p->memory->of_accepter;
    p->in = &p->memory->of_opener;
    pair_identify(p, &p->memory->accepter, &p->memory->opener);
    return H3OU__OK;
}

/* Reads the bytes that wake this process. The end of the socket tells that the other process has ended, or closed. */
static bool is_gone(waitio__link *link)
{
    pair *p = link->state;
    char rings[64];
    ssize_t n;
    while (!p->is_gone && (n = recv(link->fd, rings, sizeof rings, MSG_DONTWAIT)) <= 0) {
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return false;
        if (n == 0 || errno != EINTR)
            p->is_gone = true;
    }
    return p->is_gone;
}

static void ring_bell(waitio__link *link)
{
    char one = 1;
    if (send(link->fd, &one, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return; /* full: the process is being woken already; gone: found out by reading */
}

static void ring_publish(waitio__link *link, ring *r, uint64_t written)
{
    atomic_store_explicit(&r->written, written, memory_order_release);
    /* The reader sets reader_sleeps and then reads `written` once more: one of the two sees the other. */
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&r->reader_sleeps, memory_order_relaxed) &&
        atomic_exchange_explicit(&r->reader_sleeps, 0, memory_order_relaxed))
        ring_bell(link);
}

static void copy_in(ring *r, uint64_t at, const unsigned char *from, size_t n)
{
    size_t place = at % RING, first = n < RING - place ? n : RING - place;
    memcpy(r->bytes + place, from, first);
    if (n > first)
        memcpy(r->bytes, from + first, n - first);
}

static size_t ring_room(pair *p, size_t want)
{
    size_t free_bytes = RING - (size_t)(p->written - p->seen_read);
    if (free_bytes < want) {
        uint64_t seen = atomic_load_explicit(&p->out->read, memory_order_acquire);
        if (p->written - seen > RING)
            return 0; /* a position that cannot be true is not believed */
        p->seen_read = seen;
        free_bytes = RING - (size_t)(p->written - seen);
    }
    return free_bytes;
}

static int shm_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    pair *p = link->state;
    uint64_t begin = p->written, published = p->written;
    *moved = 0;
    int code = p->memory ? H3OU__OK : pair_map_memory(link);
    if (code)
        return code;
    for (int i = 0; i < n; i++) {
        const unsigned char *from = iov[i].iov_base;
        size_t left = iov[i].iov_len;
        while (left) {
            size_t part = left < PART ? left : PART, space = ring_room(p, part);
            part = part < space ? part : space;
            if (!part)
                goto full;
            copy_in(p->out, p->written, from, part);
            p->written += part;
            from += part;
            left -= part;
            /* A long message is read while it is written. */
            if (p->written - published >= PART) {
                ring_publish(link, p->out, p->written);
                published = p->written;
            }
        }
    }
full:
    if (p->written != published)
        ring_publish(link, p->out, p->written);
    *moved = (size_t)(p->written - begin);
    if (*moved)
        return H3OU__OK;
    return p->is_gone ? h3ou__fail(H3OU__EPEER, "the process at the other end of the shared memory has gone")
                      : WAITIO__AGAIN;
}

static size_t ring_available(pair *p)
{
    if (p->seen_written == p->read)
        p->seen_written = atomic_load_explicit(&p->in->written, memory_order_acquire);
    uint64_t n = p->seen_written - p->read;
    return n > RING ? 0 : (size_t)n;
}

static void shm_peek(waitio__link *link, const unsigned char **bytes, size_t *n)
{
    pair *p = link->state;
    *n = p->memory ? ring_available(p) : 0;
    if (!*n)
        return;
    size_t place = p->read % RING;
    *bytes = p->in->bytes + place;
    if (*n > RING - place)
        *n = RING - place;
    if (*n > 2 * PART)
        *n = 2 * PART; /* so that the writer gets room again soon */
}

static void shm_taken(waitio__link *link, size_t n)
{
    pair *p = link->state;
    p->read += n;
    atomic_store_explicit(&p->in->read, p->read, memory_order_release);
    /* The writer sleeps only when the ring was full. */
    if (atomic_load_explicit(&p->in->writer_sleeps, memory_order_relaxed) == 0)
        return;
    if (atomic_exchange_explicit(&p->in->writer_sleeps, 0, memory_order_seq_cst))
        ring_bell(link);
}

/* Called when the ring is empty: returns whether the other process has ended, after what it wrote before was read. */
static int check_ended(waitio__link *link)
{
    pair *p = link->state;
    if (!p->memory) {
        int code = pair_map_memory(link);
        if (code)
            return code;
    }
    if (ring_available(p))
        return H3OU__OK;
    if (!is_gone(link))
        return WAITIO__AGAIN;
    return ring_available(p) ? H3OU__OK : WAITIO__EOF;
}

static int shm_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    pair *p = link->state;
    *moved = 0;
    if (!p->memory || !ring_available(p)) {
        int code = check_ended(link);
        if (code)
            return code;
    }
    for (int i = 0; i < n; i++)
        for (size_t at = 0; at < iov[i].iov_len;) {
            const unsigned char *bytes;
            size_t part, space = iov[i].iov_len - at;
            shm_peek(link, &bytes, &part);
            if (!part)
                return *moved ? H3OU__OK : WAITIO__AGAIN;
            part = part < space ? part : space;
            memcpy((char *)iov[i].iov_base + at, bytes, part);
            shm_taken(link, part);
            at += part;
            *moved += part;
        }
    return H3OU__OK;
}

static bool shm_ready(waitio__link *link, bool write)
{
    pair *p = link->state;
    if (!p || !p->memory) /* a listener, or the memory has not come: the descriptor tells all */
        return false;
    return ring_available(p) || (write && ring_room(p, 1));
}

static double shm_sleep_begin(waitio__link *link, bool write)
{
    pair *p = link->state;
    if (!p || !p->memory)
        return INFINITY;
    atomic_store_explicit(&p->in->reader_sleeps, 1, memory_order_relaxed);
    if (write)
        atomic_store_explicit(&p->out->writer_sleeps, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (shm_ready(link, write))
        return 0;
    /* The reader reads writer_sleeps without a fence, for speed: it may, rarely, miss that the writer sleeps. */
    return write ? 0.001 : INFINITY;
}

static void shm_sleep_end(waitio__link *link)
{
    pair *p = link->state;
    if (!p || !p->memory)
        return;
    atomic_store_explicit(&p->in->reader_sleeps, 0, memory_order_relaxed);
    atomic_store_explicit(&p->out->writer_sleeps, 0, memory_order_relaxed);
}

static size_t shm_memory(const waitio__link *link)
{
    const pair *p = link->state;
    return p && p->memory ? sizeof(shared) / 2 : 0;
}

const waitio__conduit waitio__shm = {
    .name = "shm",
    .is_lasting = true,
    .is_near = true,
    .listen = shm_listen,
    .accept = shm_accept,
    .open = shm_open_link,
    .opened = shm_opened,
    .writev = shm_writev,
    .readv = shm_readv,
    .ready = shm_ready,
    .sleep_begin = shm_sleep_begin,
    .sleep_end = shm_sleep_end,
    .peek = shm_peek,
    .taken = shm_taken,
    .reach = shm_reach,
    .get = shm_get,
    .put = shm_put,
    .revoke = shm_revoke,
    .close = shm_close,
    .memory = shm_memory,
};
