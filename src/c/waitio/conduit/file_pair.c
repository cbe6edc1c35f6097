/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/conduit/file_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "os/os_clock.h"

enum { PATH_IN = WAITIO__PATH_IN, SLEEPS_AT = WAITIO__RECORD, MAPPED = 4096 };
static const uint64_t usual_span = 128 << 20, least_span = 64 << 10;

static void close_data(waitio__file_half *h)
{
    if (h->data_fd >= 0)
        close(h->data_fd);
    h->data_fd = -1;
}

static void half_close(waitio__file_half *h)
{
    if (h->map)
        munmap(h->map, MAPPED);
    if (h->record_fd >= 0)
        close(h->record_fd);
    close_data(h);
    h->map = NULL;
    h->record_fd = -1;
}

waitio__file_pair *waitio__file_pair_new(const waitio__conduit_settings *set, waitio__link *link, bool is_opener)
{
    waitio__file_pair *p = calloc(1, sizeof *p);
    if (!p) {
        h3ou__fail(H3OU__ENOMEM, "no memory for a link");
        return NULL;
    }
    p->kind = WAITIO__FILE_PAIR;
    p->set = *set;
    p->is_opener = is_opener;
    p->mine = (waitio__file_half){.letter = is_opener ? 'a' : 'b', .record_fd = -1, .data_fd = -1};
    p->theirs = (waitio__file_half){.letter = is_opener ? 'b' : 'a', .record_fd = -1, .data_fd = -1};
    p->mine.last.span = set->file_most > 1 ? set->file_most / 2 : usual_span;
    p->pause = shortest_pause;
    link->state = p;
    return p;
}

void waitio__file_record_path(const waitio__file_pair *p, const waitio__file_half *h, char path[PATH_IN])
{
    snprintf(path, PATH_IN, "%s.%c", p->path, h->letter);
}

static void write_data_path(const waitio__file_pair *p, const waitio__file_half *h, uint64_t start, char path[PATH_IN])
{
    snprintf(path, PATH_IN, "%s.%c%" PRIu64, p->path, h->letter, start);
}

/* Returns the size of the files of one direction. The two ends may have different settings of it. */
static uint64_t span_of(const waitio__file_pair *p, const waitio__file_half *h)
{
    return h->last.span ? h->last.span : p->mine.last.span;
}

/* Returns where the file begins that contains position `at` of the stream. */
static uint64_t find_file_start(const waitio__file_pair *p, const waitio__file_half *h, uint64_t at)
{
    return at - (at - h->last.base) % span_of(p, h);
}

static int fail_errno(const waitio__file_pair *p, const char *what)
{
    return h3ou__fail(errno == ENOENT ? H3OU__EPEER : H3OU__EFILE, "%s %s: %s", what, p->path, strerror(errno));
}

int waitio__file_pair_publish(waitio__file_pair *p)
{
    unsigned char bytes[WAITIO__RECORD];
    waitio__file_half *m = &p->mine;
    waitio__record_put(&m->last, bytes);
    if (m->map) {
        /* A reader recognises a half-written record by its check, in whatever order the words become visible. */
        atomic_thread_fence(memory_order_release);
        memcpy(m->map, bytes, sizeof bytes);
        atomic_thread_fence(memory_order_seq_cst);
        /* Since the last look the other process may have written its record and begun to block. */
        if (!p->theirs.map)
            waitio__file_pair_look(p);
        /* The same bytes are written once more, only for inotify to wake the other process. */
        if (p->theirs.map && p->theirs.map[SLEEPS_AT])
            if (pwrite(m->record_fd, bytes, sizeof bytes, 0) < 0)
                return H3OU__OK;
        return H3OU__OK;
    }
    if (pwrite(m->record_fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fail_errno(p, "writing the record of");
    if (!p->is_near)
        fdatasync(m->record_fd);
    return H3OU__OK;
}

static unsigned char *map_record(int fd, int protection)
{
    void *base = mmap(NULL, MAPPED, protection, MAP_SHARED, fd, 0);
    return base == MAP_FAILED ? NULL : base;
}

int waitio__file_pair_begin(waitio__file_pair *p)
{
    char path[PATH_IN];
    waitio__file_half *m = &p->mine;
    waitio__file_record_path(p, m, path);
    m->record_fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (m->record_fd < 0)
        return fail_errno(p, "making");
    int code = 0;
    if (ftruncate(m->record_fd, MAPPED) || (errno = posix_fallocate(m->record_fd, 0, MAPPED)) != 0)
        code = fail_errno(p, "making");
    if (!code && p->is_near)
        m->map = map_record(m->record_fd, PROT_READ | PROT_WRITE);
    waitio__scratch_sign(&m->last, m->record_fd, p->is_near);
    if (!code)
        code = waitio__file_pair_publish(p);
    if (code) {
        int reason = errno;
        half_close(m);
        unlink(path);
        errno = reason;
    }
    return code;
}

int waitio__file_pair_request(waitio__link *link)
{
    waitio__file_pair *p = link->state;
    char fresh[PATH_IN], marker[PATH_IN];
    int code = waitio__file_pair_begin(p);
    snprintf(fresh, sizeof fresh, "%s.tmp", p->path);
    snprintf(marker, sizeof marker, "%s.new", p->path);
    int fd = code ? -1 : open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (!code && (fd < 0 || rename(fresh, marker)))
        code = fail_errno(p, "asking for a link at");
    if (fd >= 0)
        close(fd);
    if (code) {
        unlink(fresh);
        p->is_dead = true; /* no other process knows of the link: closing it removes its files */
    }
    return code;
}

bool waitio__file_is_full(int code)
{
    return code == ENOSPC || code == EDQUOT || code == EINTR || code == EAGAIN || code == ENOMEM;
}

/* Reads the other process's record; if it is half-written, the last complete one stays. Returns false if there is none.
 */
bool waitio__file_pair_look(waitio__file_pair *p)
{
    unsigned char bytes[WAITIO__RECORD];
    char path[PATH_IN];
    waitio__record r;
    waitio__file_half *t = &p->theirs;
    if (t->map) {
        memcpy(bytes, t->map, sizeof bytes);
        atomic_thread_fence(memory_order_acquire);
    } else {
        if (t->record_fd >= 0)
            close(t->record_fd); /* a network file system asks its server only when the file is opened anew */
        waitio__file_record_path(p, t, path);
        t->record_fd = open(path, (p->is_near ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW);
        if (t->record_fd < 0 || pread(t->record_fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
            return false;
        if (p->is_near && lseek(t->record_fd, 0, SEEK_END) >= MAPPED)
            t->map = map_record(t->record_fd, PROT_READ);
    }
    if (waitio__record_get(bytes, &r))
        return false;
    /* The record is used only if no count has decreased, if no more was read than was written, and if the files begin
     * anew only at a position up to which this process has read everything. */
    if (r.written >= t->last.written && r.read >= t->last.read && r.read <= p->mine.last.written &&
        r.base >= t->last.base && r.base <= p->mine.last.read && r.base <= r.written) {
        if (r.base != t->last.base)
            close_data(t); /* its writer has removed the file; while it is open it would still occupy space */
        t->last = r;
        p->is_met = true;
    }
    return true;
}

static int open_next_file(waitio__file_pair *p, waitio__file_half *h, uint64_t start, int flags)
{
    char path[PATH_IN];
    if (h->start == start && h->data_fd >= 0)
        return H3OU__OK;
    close_data(h);
    write_data_path(p, h, start, path);
    h->data_fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    h->start = start;
    return h->data_fd < 0 ? errno : 0;
}

static void remove_oldest(waitio__file_pair *p)
{
    char path[PATH_IN];
    write_data_path(p, &p->mine, p->oldest, path);
    unlink(path);
    p->oldest += p->mine.last.span;
}

void waitio__file_pair_remove_read(waitio__file_pair *p)
{
    while (p->oldest + p->mine.last.span <= p->theirs.last.read)
        remove_oldest(p);
}

static bool is_all_read(const waitio__file_pair *p)
{
    return p->theirs.last.read == p->mine.last.written;
}

/* Removes all files of this process after everything was read; the next file begins at this position of the stream. */
static int pair_begin_anew(waitio__file_pair *p, uint64_t span)
{
    waitio__file_half *m = &p->mine;
    while (p->oldest < m->last.written)
        remove_oldest(p);
    close_data(m);
    m->last.base = p->oldest = m->last.written;
    m->last.span = span;
    return waitio__file_pair_publish(p);
}

/* Frees the files of a direction in which nothing was written since the last call. */
static void pair_free_idle(waitio__file_pair *p)
{
    bool is_idle = p->mine.last.written == p->written_then;
    p->written_then = p->mine.last.written;
    if (is_idle && is_all_read(p) && p->oldest < p->mine.last.written)
        pair_begin_anew(p, p->mine.last.span);
}

/* Writes the path of the owner file of the inbox that contains the link. */
static void owner_beside(const waitio__file_pair *p, char path[PATH_IN])
{
    snprintf(path, PATH_IN, "%s", p->path);
    snprintf(strrchr(path, '/'), 8, "/owner");
}

/* Returns whether the other process is known to have ended: only on the same host. On other hosts the end of its job is
 * noticed by the connection of its King. */
bool waitio__file_pair_is_dead(waitio__file_pair *p)
{
    double now = h3ou__now();
    if (p->is_dead || now < p->next_alive)
        return p->is_dead;
    p->next_alive = now + alive_every;
    pair_free_idle(p);
    waitio__file_half *t = &p->theirs;
    char path[PATH_IN];
    if (p->is_met)
        waitio__file_record_path(p, t, path);
    else
        owner_beside(p, path);
    p->is_dead = waitio__scratch_is_dead(&t->last, p->mine.last.host, path);
    return p->is_dead;
}

static int pair_write_failed(waitio__file_pair *p, int code)
{
    if (!waitio__file_is_full(code)) {
        errno = code;
        return fail_errno(p, "writing");
    }
    p->next_write = h3ou__now() + full_pause;
    if (code == ENOSPC || code == EDQUOT)
        snprintf(p->trouble, sizeof p->trouble, "%s in WAITIO_SCRATCH_DIR=%.180s", strerror(code), p->set.scratch);
    return WAITIO__AGAIN;
}

/* Returns whether more may be written: a new file begins only when the reader has read as far as the file before it. */
static bool has_room(const waitio__file_pair *p)
{
    const waitio__file_half *m = &p->mine;
    uint64_t start = find_file_start(p, m, m->last.written);
    return start == m->last.base || p->theirs.last.read + m->last.span >= start;
}

/* Called when the disk is full and everything was read: frees all files, and makes the next ones smaller, so that
 * bytes that were read are freed sooner. */
static int pair_shrink(waitio__file_pair *p)
{
    uint64_t fitted = p->mine.last.written - p->oldest, span = p->mine.last.span, part = fitted / 4;
    if (part < least_span)
        part = least_span;
    return pair_begin_anew(p, part < span ? part : span);
}

/* Copies pieces of iov with at most `left` bytes in all to v. Returns the number of pieces. */
static int iov_gather(const struct iovec *iov, int n, uint64_t left, struct iovec v[], int most)
{
    int nv = 0;
    for (; nv < n && nv < most && left; nv++) {
        v[nv] = iov[nv];
        if (v[nv].iov_len > left)
            v[nv].iov_len = left;
        left -= v[nv].iov_len;
    }
    return nv;
}

/* Writes as much as one system call takes, not beyond the end of a file. Returns 0 or an errno. */
static int pair_write(waitio__file_pair *p, const struct iovec *iov, int n, size_t *moved)
{
    waitio__file_half *m = &p->mine;
    uint64_t at = m->last.written, start = find_file_start(p, m, at);
    struct iovec v[64];
    int code = open_next_file(p, m, start, O_WRONLY | O_CREAT);
    if (code)
        return code;
    int nv = iov_gather(iov, n, start + m->last.span - at, v, 64);
    ssize_t done = pwritev(m->data_fd, v, nv, (off_t)(at - start));
    if (done <= 0)
        return done ? errno : EAGAIN;
    *moved = (size_t)done;
    return 0;
}

int waitio__file_pair_append(waitio__file_pair *p, const struct iovec *iov, int n, size_t *moved)
{
    waitio__file_half *m = &p->mine;
    if (!has_room(p))
        return WAITIO__AGAIN;
    int code = pair_write(p, iov, n, moved);
    if ((code == ENOSPC || code == EDQUOT) && is_all_read(p) && p->oldest < m->last.written) {
        int failure = pair_shrink(p);
        if (failure)
            return failure;
        code = pair_write(p, iov, n, moved);
    }
    if (code)
        return pair_write_failed(p, code);
    p->trouble[0] = 0;
    p->next_write = 0;
    if (!p->is_near)
        fdatasync(m->data_fd);
    m->last.written += *moved;
    return waitio__file_pair_publish(p);
}

double waitio__file_pair_next_pause(waitio__file_pair *p)
{
    double pause = p->pause;
    p->pause = pause * 1.5 < longest_pause ? pause * 1.5 : longest_pause;
    return pause;
}

/* Reads bytes that the other process has appended. Returns WAITIO__AGAIN also when a network file system shows the new
 * length before the file's name or bytes. */
int waitio__file_pair_read(waitio__file_pair *p, const struct iovec *iov, int n, size_t *moved)
{
    waitio__file_half *t = &p->theirs;
    uint64_t at = p->mine.last.read, start = find_file_start(p, t, at), left = t->last.written - at;
    uint64_t end = start + span_of(p, t);
    struct iovec v[8];
    if (left > end - at)
        left = end - at;
    if (!p->is_near)
        close_data(t);
    if (open_next_file(p, t, start, O_RDONLY))
        return WAITIO__AGAIN;
    int nv = iov_gather(iov, n, left, v, 8);
    ssize_t done = preadv(t->data_fd, v, nv, (off_t)(at - start));
    if (done <= 0)
        return WAITIO__AGAIN;
    *moved = (size_t)done;
    if (at + *moved == end)
        close_data(t);
    return H3OU__OK;
}

/* Returns whether it is too early to try an operation again that failed. */
static bool is_too_early(double next)
{
    return next > 0 && h3ou__now() < next;
}

bool waitio__file_pair_ready(waitio__file_pair *p, bool write)
{
    if (!p->theirs.map && h3ou__now() < p->next_look)
        return false;
    bool is_there = waitio__file_pair_look(p);
    const waitio__record *t = &p->theirs.last, *m = &p->mine.last;
    bool is = (t->written > m->read && !is_too_early(p->next_read)) || t->is_closed || waitio__file_pair_is_dead(p) ||
              (write && has_room(p) && !is_too_early(p->next_write));
    if (!is && (!is_there || !p->theirs.map)) {
        p->next_look = h3ou__now() + waitio__file_pair_next_pause(p);
    }
    return is;
}

/* Removes the record and the data files of one direction, from the file that begins at `start` to the last. */
static void remove_half(const waitio__file_pair *p, const waitio__file_half *h, uint64_t start)
{
    char path[PATH_IN];
    uint64_t span = span_of(p, h), n = (h->last.written - start) / span;
    waitio__file_record_path(p, h, path);
    unlink(path);
    for (uint64_t i = 0; i <= n; i++) {
        write_data_path(p, h, start + i * span, path);
        unlink(path);
    }
}

static void remove_link(const waitio__file_pair *p)
{
    char path[PATH_IN];
    const waitio__file_half *t = &p->theirs;
    uint64_t last = find_file_start(p, t, t->last.written), before = 2 * span_of(p, t);
    remove_half(p, &p->mine, p->oldest);
    /* When the writer had just begun a file, the two files before it may still exist. */
    remove_half(p, t, last - t->last.base > before ? last - before : t->last.base);
    snprintf(path, sizeof path, "%s.new", p->path); /* exists if no process has accepted the link */
    unlink(path);
    *strrchr(path, '/') = 0;
    waitio__scratch_leave(path);
}

void waitio__file_pair_close(waitio__file_pair *p)
{
    if (p->mine.record_fd >= 0) {
        p->mine.last.is_closed = true;
        waitio__file_pair_publish(p);
        waitio__file_pair_look(p);
        /* The process that closes last removes all files; until then the other one can still read them. */
        if (p->theirs.last.is_closed || p->is_dead)
            remove_link(p);
    }
    half_close(&p->mine);
    half_close(&p->theirs);
    free(p);
}
