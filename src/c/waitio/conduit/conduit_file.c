/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files in a folder that both ends see (WaitIO-File of the papers): for each direction of a pair one growing file,
 * appended by its writer and read by the other process, and a record of how much was written and read. No locks: each
 * file has one writer. The written length is published after the data, and nobody reads beyond it. A file grows to half
 * of the space that one direction may take; then the next begins, when the one before has been read whole and is
 * removed. When the disk is full, or nothing has been written for a while, and the other end has read everything, the
 * writer removes all its files and begins anew at this place of the stream; after a full disk with smaller files, so
 * that from then on what was read is freed sooner.
 *
 * The names of one link in an inbox (scratch_folder.h):
 *     LINK.new       the link is wanted; removed by who accepts
 *     LINK.a, LINK.b the records of who opened and who accepted
 *     LINK.aN        the bytes from a to b, from byte N of the stream on; LINK.bN from b to a
 *
 * On a file system of this host the records are mapped, and inotify wakes who sleeps. On a network's file system, whose
 * promises are weak, files are opened anew to look, synchronised before their length is told, and looked at less and
 * less often while nothing comes.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "os/os_clock.h"
#include "waitio/conduit/scratch_folder.h"

enum { PATH = WAITIO__PATH, PATH_IN = WAITIO__PATH_IN, SLEEPS_AT = WAITIO__RECORD, MAPPED = 4096 };
static const double shortest_pause = 50e-6, longest_pause = 5e-3, alive_every = 1.0;
static const double full_pause = 2e-3; /* s: after a full disk, until the next attempt */
static const uint64_t usual_span = 128 << 20, least_span = 64 << 10;
static const double seldom =
    0.25; /* s: an inbox is read this often, too: a link may have come before inotify watched it */

typedef struct half { /* what one end writes */
    char letter;
    int record_fd;
    unsigned char *map; /* of a near one: record, and whether this end sleeps */
    int data_fd;
    uint64_t start; /* place in the stream of the first byte of data_fd */
    waitio__record last;
} half;

typedef enum kind { INBOX, PAIR } kind; /* first in the state of a link: what it is */

typedef struct pair {
    kind kind;
    char path[PATH];                    /* INBOX/LINK */
    bool is_near, is_opener, is_wanted; /* is_wanted: the inbox is not there yet */
    bool is_met;                        /* the other end's own record was read, not only that of the inbox's owner */
    bool is_watching;                   /* inotify tells of the other end's record */
    half mine, theirs;
    uint64_t oldest;       /* start of the first file of mine that is not removed */
    uint64_t written_then; /* a second ago, or longer */
    double pause, next_look, next_alive;
    double next_read, next_write; /* 0, or: what was tried failed, and is not tried before */
    bool is_dead;
    char trouble[256];
    waitio__conduit_settings set;
    waitio__address to;
} pair;

typedef struct inbox { /* of a listener */
    kind kind;
    waitio__inbox_folder folder;
    double next_look;
    waitio__conduit_settings set;
} inbox;

static int file_listen(const waitio__conduit_settings *set, const waitio__address *at, waitio__link *out,
                       waitio__address *bound)
{
    *out = (waitio__link){.conduit = &waitio__file, .fd = -1};
    inbox *box = calloc(1, sizeof *box);
    if (!box)
        return h3ou__fail(H3OU__ENOMEM, "no memory for an inbox");
    box->set = *set;
    int code = waitio__scratch_enter(set, at, &box->folder);
    if (code) {
        free(box);
        return code;
    }
    out->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (out->fd >= 0)
        inotify_add_watch(out->fd, box->folder.path, IN_MOVED_TO);
    out->state = box;
    if (bound)
        *bound = *at;
    return H3OU__OK;
}

static void close_data(half *h)
{
    if (h->data_fd >= 0)
        close(h->data_fd);
    h->data_fd = -1;
}

static void half_close(half *h)
{
    if (h->map)
        munmap(h->map, MAPPED);
    if (h->record_fd >= 0)
        close(h->record_fd);
    close_data(h);
    h->map = NULL;
    h->record_fd = -1;
}

static pair *pair_new(const waitio__conduit_settings *set, waitio__link *link, bool is_opener)
{
    pair *p = calloc(1, sizeof *p);
    if (!p) {
        h3ou__fail(H3OU__ENOMEM, "no memory for a link");
        return NULL;
    }
    p->kind = PAIR;
    p->set = *set;
    p->is_opener = is_opener;
    p->mine = (half){.letter = is_opener ? 'a' : 'b', .record_fd = -1, .data_fd = -1};
    p->theirs = (half){.letter = is_opener ? 'b' : 'a', .record_fd = -1, .data_fd = -1};
    p->mine.last.span = set->file_most > 1 ? set->file_most / 2 : usual_span;
    p->pause = shortest_pause;
    link->state = p;
    return p;
}

static void record_of(const pair *p, const half *h, char path[PATH_IN])
{
    snprintf(path, PATH_IN, "%s.%c", p->path, h->letter);
}

static void data_of(const pair *p, const half *h, uint64_t start, char path[PATH_IN])
{
    snprintf(path, PATH_IN, "%s.%c%" PRIu64, p->path, h->letter, start);
}

/* The two ends may have been told different sizes. */
static uint64_t span_of(const pair *p, const half *h)
{
    return h->last.span ? h->last.span : p->mine.last.span;
}

/* Where the file begins that has this place of the stream. */
static uint64_t start_of(const pair *p, const half *h, uint64_t at)
{
    return at - (at - h->last.base) % span_of(p, h);
}

static int fail_errno(const pair *p, const char *what)
{
    return h3ou__fail(errno == ENOENT ? H3OU__EPEER : H3OU__EFILE, "%s %s: %s", what, p->path, strerror(errno));
}

static bool pair_look(pair *p);

/* Tells the other process how much this one has written and read. */
static int pair_publish(pair *p)
{
    unsigned char bytes[WAITIO__RECORD];
    half *m = &p->mine;
    waitio__record_put(&m->last, bytes);
    if (m->map) {
        /* The check makes a torn view look torn, whatever the order in which the words become visible. */
        atomic_thread_fence(memory_order_release);
        memcpy(m->map, bytes, sizeof bytes);
        atomic_thread_fence(memory_order_seq_cst);
        if (!p->theirs.map)
            pair_look(
                p); /* the other process may have written its record and begun to sleep since this one last read it */
        if (p->theirs.map && p->theirs.map[SLEEPS_AT])
            if (pwrite(m->record_fd, bytes, sizeof bytes, 0) < 0) /* wakes by inotify; nothing new in it */
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

/* Makes this process's record, so that the other can find it. */
static int begin_half(pair *p)
{
    char path[PATH_IN];
    half *m = &p->mine;
    record_of(p, m, path);
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
        code = pair_publish(p);
    if (code) {
        int reason = errno;
        half_close(m);
        unlink(path);
        errno = reason;
    }
    return code;
}

static int pair_request_link(waitio__link *link)
{
    pair *p = link->state;
    char fresh[PATH_IN], marker[PATH_IN];
    int code = begin_half(p);
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

static int file_open(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    *out = (waitio__link){.conduit = &waitio__file, .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    pair *p = pair_new(set, out, true);
    if (!p)
        return H3OU__ENOMEM;
    p->to = *to;
    p->is_wanted = true;
    return H3OU__OK;
}

/* A process that has not joined yet has no inbox yet: that is no refusal. */
static int file_opened(waitio__link *link)
{
    pair *p = link->state;
    char path[PATH];
    waitio__record who;
    waitio__scratch_inbox(&p->set, &p->to, path);
    int failure = waitio__scratch_owner(path, &who);
    if (failure) {
        p->next_look = h3ou__now() + longest_pause;
        return failure == ENOENT ? WAITIO__AGAIN : h3ou__fail(H3OU__EFILE, "%s: %s", path, strerror(failure));
    }
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    static _Atomic unsigned serial;
    p->is_near = waitio__scratch_is_near(&p->set, path);
    p->is_wanted = false;
    /* The process whose end is watched until the other end's own record is there. */
    p->theirs.last.pid = who.pid;
    p->theirs.last.host = who.host;
    p->theirs.last.is_locked = who.is_locked;
    snprintf(p->path, sizeof p->path, "%.600s/%llx-%x-%x-%x", path, (unsigned long long)waitio__scratch_host(),
             (unsigned)getpid(), (unsigned)t.tv_nsec, atomic_fetch_add(&serial, 1u));
    int code = pair_request_link(link);
    /* A process that stops listening removes its name first and then ends the links that it finds: one of the two sees
     * the other. */
    if (!code && waitio__scratch_owner(path, &who) == ENOENT) {
        p->is_dead = true;
        code = h3ou__fail(H3OU__EPEER, "the process with the inbox %s has gone", path);
    }
    return code;
}

static void watch_drain(const waitio__link *link)
{
    char events[4096];
    while (link->fd >= 0 && read(link->fd, events, sizeof events) > 0)
        ;
}

/* The name of a link that is wanted; empty: there is none. */
static void find_wanted(const char *path, char found[256])
{
    DIR *d = opendir(path);
    struct dirent *e;
    *found = 0;
    while (d && !*found && (e = readdir(d)) != NULL) {
        size_t n = strlen(e->d_name);
        if (n > 4 && n < 200 && !strcmp(e->d_name + n - 4, ".new"))
            snprintf(found, 256, "%.*s", (int)n - 4, e->d_name);
    }
    if (d)
        closedir(d);
}

static bool is_full(int code)
{
    return code == ENOSPC || code == EDQUOT || code == EINTR || code == EAGAIN || code == ENOMEM;
}

static int file_accept(waitio__link *listener, waitio__link *out)
{
    inbox *box = listener->state;
    char found[256], marker[PATH_IN];
    double now = h3ou__now();
    box->next_look = now + (box->folder.is_near && listener->fd >= 0 ? seldom : longest_pause);
    waitio__scratch_touch(&box->folder, now);
    watch_drain(listener);
    find_wanted(box->folder.path, found);
    if (!*found)
        return WAITIO__AGAIN;
    *out = (waitio__link){.conduit = &waitio__file, .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    pair *p = pair_new(&box->set, out, false);
    if (!p) {
        if (out->fd >= 0)
            close(out->fd);
        return H3OU__ENOMEM;
    }
    p->is_near = box->folder.is_near;
    snprintf(p->path, sizeof p->path, "%.480s/%.200s", box->folder.path, found);
    snprintf(marker, sizeof marker, "%s.new", p->path);
    int code = begin_half(p);
    /* Not this process's fault, and not the end of its listening. While the disk is full the link stays wanted. */
    bool stays = code && is_full(errno);
    if (!stays)
        unlink(marker);
    if (code)
        out->conduit->close(out);
    return code ? WAITIO__AGAIN : H3OU__OK;
}

/* Reads the other process's record; a torn one leaves the last whole one in place. False: it is not there. */
static bool pair_look(pair *p)
{
    unsigned char bytes[WAITIO__RECORD];
    char path[PATH_IN];
    waitio__record r;
    half *t = &p->theirs;
    if (t->map) {
        memcpy(bytes, t->map, sizeof bytes);
        atomic_thread_fence(memory_order_acquire);
    } else {
        if (t->record_fd >= 0)
            close(t->record_fd); /* opened anew, a network's file system asks its server */
        record_of(p, t, path);
        t->record_fd = open(path, (p->is_near ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW);
        if (t->record_fd < 0 || pread(t->record_fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
            return false;
        if (p->is_near && lseek(t->record_fd, 0, SEEK_END) >= MAPPED)
            t->map = map_record(t->record_fd, PROT_READ);
    }
    if (waitio__record_get(bytes, &r))
        return false;
    /* Believed only if counts have not shrunk, no more is said to be read than was written, and the files begin anew
     * only where this process has read everything. */
    if (r.written >= t->last.written && r.read >= t->last.read && r.read <= p->mine.last.written &&
        r.base >= t->last.base && r.base <= p->mine.last.read && r.base <= r.written) {
        if (r.base != t->last.base)
            close_data(t); /* its writer has removed it; open, it would still take space */
        t->last = r;
        p->is_met = true;
    }
    return true;
}

static int turn_page(pair *p, half *h, uint64_t start, int flags)
{
    char path[PATH_IN];
    if (h->start == start && h->data_fd >= 0)
        return H3OU__OK;
    close_data(h);
    data_of(p, h, start, path);
    h->data_fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    h->start = start;
    return h->data_fd < 0 ? errno : 0;
}

static void remove_oldest(pair *p)
{
    char path[PATH_IN];
    data_of(p, &p->mine, p->oldest, path);
    unlink(path);
    p->oldest += p->mine.last.span;
}

/* Removes the files of this process that have been read whole. */
static void remove_read(pair *p)
{
    while (p->oldest + p->mine.last.span <= p->theirs.last.read)
        remove_oldest(p);
}

static bool is_all_read(const pair *p)
{
    return p->theirs.last.read == p->mine.last.written;
}

/* Everything written has been read: removes all files of this process; the next one begins at this position. */
static int pair_begin_anew(pair *p, uint64_t span)
{
    half *m = &p->mine;
    while (p->oldest < m->last.written)
        remove_oldest(p);
    close_data(m);
    m->last.base = p->oldest = m->last.written;
    m->last.span = span;
    return pair_publish(p);
}

/* A writer that has nothing to write holds no space. */
static void pair_free_idle(pair *p)
{
    bool is_idle = p->mine.last.written == p->written_then;
    p->written_then = p->mine.last.written;
    if (is_idle && is_all_read(p) && p->oldest < p->mine.last.written)
        pair_begin_anew(p, p->mine.last.span);
}

/* The owner file of the inbox that a link is in. */
static void owner_beside(const pair *p, char path[PATH_IN])
{
    snprintf(path, PATH_IN, "%s", p->path);
    snprintf(strrchr(path, '/'), 8, "/owner");
}

/* The end of a process is seen here only on the same host; elsewhere its King's connection tells it. */
static bool is_dead(pair *p)
{
    double now = h3ou__now();
    if (p->is_dead || now < p->next_alive)
        return p->is_dead;
    p->next_alive = now + alive_every;
    pair_free_idle(p);
    half *t = &p->theirs;
    char path[PATH_IN];
    if (p->is_met)
        record_of(p, t, path);
    else
        owner_beside(p, path);
    p->is_dead = waitio__scratch_is_dead(&t->last, p->mine.last.host, path);
    return p->is_dead;
}

static int pair_write_failed(pair *p, int code)
{
    if (!is_full(code)) {
        errno = code;
        return fail_errno(p, "writing");
    }
    p->next_write = h3ou__now() + full_pause;
    if (code == ENOSPC || code == EDQUOT)
        snprintf(p->trouble, sizeof p->trouble, "%s in WAITIO_SCRATCH_DIR=%.180s", strerror(code), p->set.scratch);
    return WAITIO__AGAIN;
}

/* The next file begins only when the one before it is still there. */
static bool has_room(const pair *p)
{
    const half *m = &p->mine;
    uint64_t start = start_of(p, m, m->last.written);
    return start == m->last.base || p->theirs.last.read + m->last.span >= start;
}

/* The disk is full. What was read can be freed when all was read; smaller files free it sooner from then on. */
static int pair_shrink(pair *p)
{
    uint64_t fitted = p->mine.last.written - p->oldest, span = p->mine.last.span, part = fitted / 4;
    if (part < least_span)
        part = least_span;
    return pair_begin_anew(p, part < span ? part : span);
}

/* At most `left` bytes of it. Returns how many pieces. */
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

/* One call's worth: not over the end of a file. Returns 0 or an errno. */
static int pair_write(pair *p, const struct iovec *iov, int n, size_t *moved)
{
    half *m = &p->mine;
    uint64_t at = m->last.written, start = start_of(p, m, at);
    struct iovec v[64];
    int code = turn_page(p, m, start, O_WRONLY | O_CREAT);
    if (code)
        return code;
    int nv = iov_gather(iov, n, start + m->last.span - at, v, 64);
    ssize_t done = pwritev(m->data_fd, v, nv, (off_t)(at - start));
    if (done <= 0)
        return done ? errno : EAGAIN;
    *moved = (size_t)done;
    return 0;
}

static int pair_append(pair *p, const struct iovec *iov, int n, size_t *moved)
{
    half *m = &p->mine;
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
    return pair_publish(p);
}

static int file_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    pair *p = link->state;
    *moved = 0;
    pair_look(p);
    remove_read(p);
    int code = pair_append(p, iov, n, moved);
    if (code == WAITIO__AGAIN && (is_dead(p) || p->theirs.last.is_closed))
        return h3ou__fail(H3OU__EPEER, "the process at the other end of %s has gone", p->path);
    return code;
}

/* Returns how long to pause before the next attempt; the pause after that is longer. */
static double pair_next_pause(pair *p)
{
    double pause = p->pause;
    p->pause = pause * 1.5 < longest_pause ? pause * 1.5 : longest_pause;
    return pause;
}

/* The reader's part of append. AGAIN: a network's file system may show the length before the name or the bytes. */
static int pair_read(pair *p, const struct iovec *iov, int n, size_t *moved)
{
    half *t = &p->theirs;
    uint64_t at = p->mine.last.read, start = start_of(p, t, at), left = t->last.written - at;
    uint64_t end = start + span_of(p, t);
    struct iovec v[8];
    if (left > end - at)
        left = end - at;
    if (!p->is_near)
        close_data(t);
    if (turn_page(p, t, start, O_RDONLY))
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

static int file_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    pair *p = link->state;
    half *t = &p->theirs;
    *moved = 0;
    if (p->pause > shortest_pause)
        watch_drain(link);
    if (t->last.written <= p->mine.last.read)
        pair_look(p);
    if (t->last.written <= p->mine.last.read) {
        /* inotify may have reported something after the last sleep. */
        if (p->is_watching)
            watch_drain(link);
        if (t->last.is_closed || is_dead(p))
            return pair_look(p) && t->last.written > p->mine.last.read ? WAITIO__AGAIN : WAITIO__EOF;
        return WAITIO__AGAIN;
    }
    if (pair_read(p, iov, n, moved)) {
        p->next_read = h3ou__now() + (p->is_near ? full_pause : pair_next_pause(p));
        return WAITIO__AGAIN;
    }
    p->pause = shortest_pause;
    p->next_read = 0;
    p->mine.last.read += *moved;
    return pair_publish(p);
}

/* True: it is too early to try again what failed. */
static bool is_early(double next)
{
    return next > 0 && h3ou__now() < next;
}

static bool pair_ready(pair *p, bool write)
{
    if (!p->theirs.map && h3ou__now() < p->next_look)
        return false;
    bool is_there = pair_look(p);
    const waitio__record *t = &p->theirs.last, *m = &p->mine.last;
    bool is = (t->written > m->read && !is_early(p->next_read)) || t->is_closed || is_dead(p) ||
              (write && has_room(p) && !is_early(p->next_write));
    if (!is && (!is_there || !p->theirs.map)) {
        p->next_look = h3ou__now() + pair_next_pause(p);
    }
    return is;
}

static bool is_listener(const waitio__link *link)
{
    return *(const kind *)link->state == INBOX;
}

static bool file_ready(waitio__link *link, bool write)
{
    if (is_listener(link)) {
        inbox *box = link->state;
        return h3ou__now() >= box->next_look;
    }
    pair *p = link->state;
    if (p->is_wanted)
        return h3ou__now() >= p->next_look;
    return pair_ready(p, write);
}

static double file_sleep_begin(waitio__link *link, bool write)
{
    if (is_listener(link)) {
        inbox *box = link->state;
        return box->folder.is_near && link->fd >= 0 ? seldom : longest_pause;
    }
    pair *p = link->state;
    char path[PATH_IN];
    if (p->is_wanted)
        return longest_pause;
    if (pair_ready(p, write))
        return 0;
    if (!p->mine.map || !p->theirs.map || link->fd < 0)
        return p->pause;
    record_of(p, &p->theirs, path);
    p->is_watching = inotify_add_watch(link->fd, path, IN_MODIFY) >= 0;
    if (!p->is_watching)
        return p->pause;
    p->mine.map[SLEEPS_AT] = 1;
    p->pause = 2 * shortest_pause; /* there may be events to drain */
    atomic_thread_fence(memory_order_seq_cst);
    if (pair_ready(p, write))
        return 0;
    return write || p->next_read > 0 ? full_pause : alive_every;
}

static void file_sleep_end(waitio__link *link)
{
    pair *p = link->state;
    if (!is_listener(link) && p->mine.map)
        p->mine.map[SLEEPS_AT] = 0;
}

/* From the file with that beginning to the last. */
static void remove_half(const pair *p, const half *h, uint64_t start)
{
    char path[PATH_IN];
    uint64_t span = span_of(p, h), n = (h->last.written - start) / span;
    record_of(p, h, path);
    unlink(path);
    for (uint64_t i = 0; i <= n; i++) {
        data_of(p, h, start + i * span, path);
        unlink(path);
    }
}

static void remove_link(const pair *p)
{
    char path[PATH_IN];
    const half *t = &p->theirs;
    uint64_t last = start_of(p, t, t->last.written), before = 2 * span_of(p, t);
    remove_half(p, &p->mine, p->oldest);
    /* A writer at the beginning of a file may have left the two before it. */
    remove_half(p, t, last - t->last.base > before ? last - before : t->last.base);
    snprintf(path, sizeof path, "%s.new", p->path); /* of a link that nobody accepted */
    unlink(path);
    *strrchr(path, '/') = 0;
    waitio__scratch_leave(path);
}

static void pair_close(pair *p)
{
    if (p->mine.record_fd >= 0) {
        p->mine.last.is_closed = true;
        pair_publish(p);
        pair_look(p);
        /* Whoever is the last removes all; what the other has not read yet stays until then. */
        if (p->theirs.last.is_closed || p->is_dead)
            remove_link(p);
    }
    half_close(&p->mine);
    half_close(&p->theirs);
    free(p);
}

static void file_close(waitio__link *link)
{
    if (link->state && is_listener(link)) {
        inbox *box = link->state;
        waitio__scratch_resign(&box->folder);
        waitio__link waiting;
        while (!file_accept(link, &waiting))
            file_close(&waiting);
        waitio__scratch_leave(box->folder.path);
        free(box);
    } else if (link->state) {
        pair_close(link->state);
    }
    link->state = NULL;
    if (link->fd >= 0)
        close(link->fd);
    link->fd = -1;
}

static const char *file_trouble(const waitio__link *link)
{
    const pair *p = link->state;
    return p && !is_listener(link) && *p->trouble ? p->trouble : NULL;
}

const waitio__conduit waitio__file = {
    .name = "file",
    .is_lasting = true,
    .listen = file_listen,
    .accept = file_accept,
    .open = file_open,
    .opened = file_opened,
    .writev = file_writev,
    .readv = file_readv,
    .ready = file_ready,
    .sleep_begin = file_sleep_begin,
    .sleep_end = file_sleep_end,
    .close = file_close,
    .trouble = file_trouble,
};
