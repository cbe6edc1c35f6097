/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files in a folder that both ends see (WaitIO-File of the papers): for each direction of a pair one growing file,
 * appended by its writer and read by the other, and a record of what was written and read. No locks: each file has one
 * writer. The written length is published after the data, and nobody reads beyond it. A file grows to half of the space
 * that one direction may take; then the next begins, when the one before has been read whole and is removed.
 *
 *   SCRATCH/waitio-files-UID-INSTANCE/ADDRESS/   the inbox of the process at ADDRESS, with a file `owner` while it is
 *   used; the other names in it, of one link:
 *     LINK.new       the link is wanted; removed by who accepts
 *     LINK.a, LINK.b the records of who opened and who accepted
 *     LINK.a0 .a1 ...  the bytes from a to b; LINK.b0 ... from b to a
 *
 * On a file system of this host the records are mapped, and inotify wakes who sleeps. On a network's file system, whose
 * promises are weak, files are opened anew to look, synchronised before their length is told, and looked at less and
 * less often while nothing comes.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "os/clock.h"
#include "waitio/conduit/record.h"
#include "waitio/conduit/stream.h"

enum { PATH = 700, SLEEPS_AT = WAITIO__RECORD, MAPPED = 4096, TRIALS = 100 };
static const double first_nap = 50e-6, longest_nap = 5e-3, alive_every = 1.0;
static const uint64_t usual_span = 128 << 20;
static const double seldom = 0.25; /* an inbox is looked at this often, too: a link may have come before the watch */

typedef struct half { /* what one end writes */
    char letter;
    int record_fd;
    unsigned char *map; /* of a near one: record, and whether this end sleeps */
    int data_fd;
    int64_t generation; /* of data_fd; -1: none */
    waitio__record last;
} half;

typedef enum kind { INBOX, PAIR } kind; /* first in the state of a link: what it is */

typedef struct pair {
    kind kind;
    char path[PATH];                    /* INBOX/LINK */
    uint64_t span;                      /* bytes of one file */
    bool is_near, is_opener, is_wanted; /* is_wanted: the inbox is not there yet */
    half mine, theirs;
    uint64_t removed; /* generations of mine that are gone */
    double nap, next_look, next_alive;
    bool is_dead;
    char trouble[256];
    waitio__conduit_settings set;
    waitio__address to;
} pair;

typedef struct inbox { /* of a listener */
    kind kind;
    char path[PATH], folder[PATH];
    bool is_near;
    double next_look;
    waitio__conduit_settings set;
} inbox;

static uint64_t host_number(void)
{
    static _Atomic uint64_t known;
    uint64_t number = atomic_load(&known);
    char text[64] = "";
    if (number)
        return number;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    number = 14695981039346656037u;
    for (ssize_t i = 0; i < n; i++)
        number = (number ^ (unsigned char)text[i]) * 1099511628211u;
    number = number ? number : 1;
    atomic_store(&known, number);
    return number;
}

static void folder_of(const waitio__conduit_settings *set, char path[PATH])
{
    snprintf(path, PATH, "%s/waitio-files-%u-%016llx", set->scratch, (unsigned)geteuid(),
             (unsigned long long)set->instance);
}

static void inbox_of(const waitio__conduit_settings *set, const waitio__address *a, char path[PATH])
{
    char at[H3OU__ADDRESS_TEXT], folder[PATH];
    folder_of(set, folder);
    h3ou__address_text(a, at);
    for (char *c = at; *c; c++)
        if (*c == '[' || *c == ']' || *c == ':' || *c == '%')
            *c = '_';
    snprintf(path, PATH, "%.500s/%s", folder, at);
}

/* File systems of which all processes that see them are on this host. */
static bool is_near(const waitio__conduit_settings *set, const char *path)
{
    static const unsigned long near[] = {0x01021994, 0xEF53,     0x58465342, 0x9123683E,
                                         0x794C7630, 0x858458F6, 0x2FC12FC1, 0xF2F52010};
    struct statfs s;
    if (set->file_polls || statfs(path, &s))
        return false;
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++)
        if ((unsigned long)s.f_type == near[i])
            return true;
    return false;
}

static int cannot_make(const char *path)
{
    return h3ou__fail(H3OU__EFILE, "WAITIO_SCRATCH_DIR: %s: %s", path, strerror(errno));
}

/* A folder of mine that only I can enter. WAITIO__AGAIN: who left just now has removed it. */
static int make_folder(const char *path)
{
    struct stat s;
    if (mkdir(path, 0700) && errno != EEXIST)
        return cannot_make(path);
    if (lstat(path, &s))
        return errno == ENOENT ? WAITIO__AGAIN : cannot_make(path);
    if (!S_ISDIR(s.st_mode) || s.st_uid != geteuid() || (s.st_mode & 077))
        return h3ou__fail(H3OU__EFILE, "WAITIO_SCRATCH_DIR: %s is not a folder of this user that only he can enter",
                          path);
    return H3OU__OK;
}

/* A process that leaves may remove the folder, empty as it is, before the inbox is in it: then both are made again. */
static int make_inbox(const inbox *box)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        int code = make_folder(box->folder);
        if (code == WAITIO__AGAIN)
            continue;
        if (code || !mkdir(box->path, 0700))
            return code;
        if (errno == EEXIST)
            return h3ou__fail(H3OU__EREFUSED, "the inbox %s is another process's", box->path);
        if (errno != ENOENT)
            break;
    }
    return cannot_make(box->path);
}

/* The inbox goes with the last file in it, and the folder with the last inbox. */
static void leave_inbox(const char *path, const char *folder)
{
    if (!rmdir(path))
        rmdir(folder);
}

static void owner_of(const char *folder, char path[PATH + 32])
{
    snprintf(path, PATH + 32, "%s/owner", folder);
}

/* A file that says that the inbox is in use, and by whom: it goes with its last file, and must not go before. */
static int set_owner(const inbox *box)
{
    char path[PATH + 32];
    unsigned char bytes[WAITIO__RECORD];
    waitio__record_put(&(waitio__record){.pid = (uint32_t)getpid(), .host = host_number()}, bytes);
    owner_of(box->path, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_written = fd >= 0 && write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes;
    int code = is_written ? H3OU__OK : h3ou__fail(H3OU__EFILE, "WAITIO_SCRATCH_DIR: %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (code)
        unlink(path);
    return code;
}

/* ENOENT: nobody listens there (any more). Who does, when that can be read. */
static int get_owner(const char *folder, waitio__record *who)
{
    char path[PATH + 32];
    unsigned char bytes[WAITIO__RECORD];
    owner_of(folder, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno;
    if (read(fd, bytes, sizeof bytes) != (ssize_t)sizeof bytes || waitio__record_get(bytes, who))
        *who = (waitio__record){0};
    close(fd);
    return 0;
}

static int file_listen(const waitio__conduit_settings *set, const waitio__address *at, waitio__link *out,
                       waitio__address *bound)
{
    *out = (waitio__link){.conduit = &waitio__file, .fd = -1};
    inbox *box = calloc(1, sizeof *box);
    if (!box)
        return h3ou__fail(H3OU__ENOMEM, "no memory for an inbox");
    box->set = *set;
    folder_of(set, box->folder);
    inbox_of(set, at, box->path);
    int code = make_inbox(box);
    if (!code && (code = set_owner(box)) != H3OU__OK)
        leave_inbox(box->path, box->folder);
    if (code) {
        free(box);
        return code;
    }
    box->is_near = is_near(set, box->path);
    out->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (out->fd >= 0)
        inotify_add_watch(out->fd, box->path, IN_MOVED_TO);
    out->state = box;
    if (bound)
        *bound = *at;
    return H3OU__OK;
}

static void half_close(half *h)
{
    if (h->map)
        munmap(h->map, MAPPED);
    if (h->record_fd >= 0)
        close(h->record_fd);
    if (h->data_fd >= 0)
        close(h->data_fd);
    h->map = NULL;
    h->record_fd = h->data_fd = -1;
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
    p->span = set->file_most > 1 ? set->file_most / 2 : usual_span;
    p->is_opener = is_opener;
    p->mine = (half){.letter = is_opener ? 'a' : 'b', .record_fd = -1, .data_fd = -1, .generation = -1};
    p->theirs = (half){.letter = is_opener ? 'b' : 'a', .record_fd = -1, .data_fd = -1, .generation = -1};
    p->nap = first_nap;
    link->state = p;
    return p;
}

static void name_of(const pair *p, char letter, int64_t generation, char path[PATH + 32])
{
    if (generation < 0)
        snprintf(path, PATH + 32, "%s.%c", p->path, letter);
    else
        snprintf(path, PATH + 32, "%s.%c%lld", p->path, letter, (long long)generation);
}

static int failed(const pair *p, const char *what)
{
    return h3ou__fail(errno == ENOENT ? H3OU__EPEER : H3OU__EFILE, "%s %s: %s", what, p->path, strerror(errno));
}

static bool look(pair *p);

/* Tells the other end what I have written and read. */
static int publish(pair *p)
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
            look(p); /* it may have begun, looked and gone to sleep since the last look */
        if (p->theirs.map && p->theirs.map[SLEEPS_AT])
            if (pwrite(m->record_fd, bytes, sizeof bytes, 0) < 0) /* wakes by inotify; nothing new in it */
                return H3OU__OK;
        return H3OU__OK;
    }
    if (pwrite(m->record_fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return failed(p, "writing the record of");
    if (!p->is_near)
        fdatasync(m->record_fd);
    return H3OU__OK;
}

static unsigned char *map_record(int fd, int protection)
{
    void *base = mmap(NULL, MAPPED, protection, MAP_SHARED, fd, 0);
    return base == MAP_FAILED ? NULL : base;
}

/* My record, so that the other end can find it. */
static int begin_half(pair *p)
{
    char path[PATH + 32];
    half *m = &p->mine;
    name_of(p, m->letter, -1, path);
    m->record_fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (m->record_fd < 0 || ftruncate(m->record_fd, MAPPED) || posix_fallocate(m->record_fd, 0, MAPPED))
        return failed(p, "making");
    if (p->is_near)
        m->map = map_record(m->record_fd, PROT_READ | PROT_WRITE);
    m->last.pid = (uint32_t)getpid();
    m->last.host = host_number();
    m->last.span = p->span;
    return publish(p);
}

static int knock(waitio__link *link)
{
    pair *p = link->state;
    char fresh[PATH + 32], marker[PATH + 32];
    int code = begin_half(p);
    snprintf(fresh, sizeof fresh, "%s.tmp", p->path);
    snprintf(marker, sizeof marker, "%s.new", p->path);
    int fd = code ? -1 : open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (!code && (fd < 0 || rename(fresh, marker)))
        code = failed(p, "knocking at");
    if (fd >= 0)
        close(fd);
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

/* Whoever has not joined yet has no inbox yet: that is no refusal. */
static int file_opened(waitio__link *link)
{
    pair *p = link->state;
    char path[PATH];
    waitio__record who;
    inbox_of(&p->set, &p->to, path);
    int failure = get_owner(path, &who);
    if (failure) {
        p->next_look = h3ou__now() + longest_nap;
        return failure == ENOENT ? WAITIO__AGAIN : h3ou__fail(H3OU__EFILE, "%s: %s", path, strerror(failure));
    }
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    static _Atomic unsigned serial;
    p->is_near = is_near(&p->set, path);
    p->is_wanted = false;
    /* Known before it accepts, should it be killed without. */
    p->theirs.last.pid = who.pid;
    p->theirs.last.host = who.host;
    snprintf(p->path, sizeof p->path, "%.600s/%llx-%x-%x-%x", path, (unsigned long long)host_number(),
             (unsigned)getpid(), (unsigned)t.tv_nsec, atomic_fetch_add(&serial, 1u));
    int code = knock(link);
    /* Who stops listening removes its name first and then ends the links that it finds: one of the two sees the other.
     */
    if (!code && get_owner(path, &who) == ENOENT) {
        p->is_dead = true;
        code = h3ou__fail(H3OU__EPEER, "the process with the inbox %s has gone", path);
    }
    return code;
}

static int file_accept(waitio__link *listener, waitio__link *out)
{
    inbox *box = listener->state;
    char events[4096], found[256] = "", marker[PATH + 300];
    box->next_look = h3ou__now() + (box->is_near && listener->fd >= 0 ? seldom : longest_nap);
    while (listener->fd >= 0 && read(listener->fd, events, sizeof events) > 0)
        ;
    DIR *d = opendir(box->path);
    if (!d)
        return WAITIO__AGAIN;
    struct dirent *e;
    while (!*found && (e = readdir(d)) != NULL) {
        size_t n = strlen(e->d_name);
        if (n > 4 && n < 200 && !strcmp(e->d_name + n - 4, ".new"))
            memcpy(found, e->d_name, n - 4);
    }
    closedir(d);
    if (!*found)
        return WAITIO__AGAIN;
    snprintf(marker, sizeof marker, "%s/%s.new", box->path, found);
    unlink(marker);
    *out = (waitio__link){.conduit = &waitio__file, .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    pair *p = pair_new(&box->set, out, false);
    if (!p)
        return H3OU__ENOMEM;
    p->is_near = box->is_near;
    snprintf(p->path, sizeof p->path, "%.480s/%.200s", box->path, found);
    if (begin_half(p)) {
        /* Not this process's fault, and not the end of its listening. */
        out->conduit->close(out);
        return WAITIO__AGAIN;
    }
    return H3OU__OK;
}

/* What the other end has published; the last whole record stays. False: it is not there. */
static bool look(pair *p)
{
    unsigned char bytes[WAITIO__RECORD];
    char path[PATH + 32];
    waitio__record r;
    half *t = &p->theirs;
    if (t->map) {
        memcpy(bytes, t->map, sizeof bytes);
        atomic_thread_fence(memory_order_acquire);
    } else {
        if (t->record_fd >= 0)
            close(t->record_fd); /* opened anew, a network's file system asks its server */
        name_of(p, t->letter, -1, path);
        t->record_fd = open(path, (p->is_near ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW);
        if (t->record_fd < 0 || pread(t->record_fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
            return false;
        if (p->is_near && lseek(t->record_fd, 0, SEEK_END) >= MAPPED)
            t->map = map_record(t->record_fd, PROT_READ);
    }
    if (waitio__record_get(bytes, &r))
        return false;
    /* Counts only grow, and nobody has read what I have not written. */
    if (r.written >= t->last.written && r.read >= t->last.read && r.read <= p->mine.last.written)
        t->last = r;
    return true;
}

/* Only of a process of this host is it known; the others' end is told by their King's connection. */
static bool is_dead(pair *p)
{
    double now = h3ou__now();
    if (p->is_dead || now < p->next_alive)
        return p->is_dead;
    p->next_alive = now + alive_every;
    const waitio__record *r = &p->theirs.last;
    if (r->pid && r->host == host_number() && kill((pid_t)r->pid, 0) && errno == ESRCH)
        p->is_dead = true;
    return p->is_dead;
}

static int turn_page(pair *p, half *h, int64_t generation, int flags)
{
    char path[PATH + 32];
    if (h->generation == generation && h->data_fd >= 0)
        return H3OU__OK;
    if (h->data_fd >= 0)
        close(h->data_fd);
    name_of(p, h->letter, generation, path);
    h->data_fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    h->generation = h->data_fd < 0 ? -1 : generation;
    return h->data_fd < 0 ? errno : 0;
}

static bool is_full(int code)
{
    return code == ENOSPC || code == EDQUOT || code == EINTR || code == EAGAIN || code == ENOMEM;
}

/* Files of mine that have been read whole go. */
static void remove_read(pair *p)
{
    char path[PATH + 32];
    while ((p->removed + 1) * p->span <= p->theirs.last.read) {
        name_of(p, p->mine.letter, (int64_t)p->removed++, path);
        unlink(path);
    }
}

static int no_room(pair *p, int code)
{
    if (!is_full(code)) {
        errno = code;
        return failed(p, "writing");
    }
    if (code == ENOSPC || code == EDQUOT)
        snprintf(p->trouble, sizeof p->trouble, "%s in WAITIO_SCRATCH_DIR=%.180s", strerror(code), p->set.scratch);
    return WAITIO__AGAIN;
}

/* One call's worth: not over the end of a file. */
static int append(pair *p, const struct iovec *iov, int n, size_t *moved)
{
    half *m = &p->mine;
    uint64_t at = m->last.written, place = at % p->span, left = p->span - place;
    int64_t generation = (int64_t)(at / p->span);
    /* The next file begins when only the one before it is still there. */
    if (generation > 0 && p->theirs.last.read < (uint64_t)(generation - 1) * p->span)
        return WAITIO__AGAIN;
    int code = turn_page(p, m, generation, O_WRONLY | O_CREAT);
    if (code)
        return no_room(p, code);
    struct iovec v[64];
    int nv = 0;
    for (; nv < n && nv < 64 && left; nv++) {
        v[nv] = iov[nv];
        if (v[nv].iov_len > left)
            v[nv].iov_len = left;
        left -= v[nv].iov_len;
    }
    ssize_t done = pwritev(m->data_fd, v, nv, (off_t)place);
    if (done <= 0)
        return no_room(p, done ? errno : EAGAIN);
    p->trouble[0] = 0;
    if (!p->is_near)
        fdatasync(m->data_fd);
    m->last.written += (uint64_t)done;
    *moved = (size_t)done;
    return publish(p);
}

static int file_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    pair *p = link->state;
    *moved = 0;
    look(p);
    remove_read(p);
    int code = append(p, iov, n, moved);
    if (code == WAITIO__AGAIN && (is_dead(p) || p->theirs.last.is_closed))
        return h3ou__fail(H3OU__EPEER, "the process at the other end of %s has gone", p->path);
    return code;
}

/* The two may have been told different sizes. */
static uint64_t span_of(const pair *p, const half *h)
{
    return h->last.span ? h->last.span : p->span;
}

static int file_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    pair *p = link->state;
    half *t = &p->theirs;
    uint64_t at = p->mine.last.read;
    char events[1024];
    *moved = 0;
    while (link->fd >= 0 && p->nap > first_nap && read(link->fd, events, sizeof events) > 0)
        ;
    if (t->last.written <= at)
        look(p);
    if (t->last.written <= at) {
        if (t->last.is_closed || is_dead(p))
            return look(p) && t->last.written > at ? WAITIO__AGAIN : WAITIO__EOF;
        return WAITIO__AGAIN;
    }
    uint64_t span = span_of(p, t), place = at % span, left = t->last.written - at;
    if (left > span - place)
        left = span - place;
    /* A network's file system may show the length before the name or the bytes: then later. */
    if (!p->is_near)
        t->generation = -1;
    if (turn_page(p, t, (int64_t)(at / span), O_RDONLY))
        return WAITIO__AGAIN;
    struct iovec v[8];
    int nv = 0;
    for (; nv < n && nv < 8 && left; nv++) {
        v[nv] = iov[nv];
        if (v[nv].iov_len > left)
            v[nv].iov_len = left;
        left -= v[nv].iov_len;
    }
    ssize_t done = preadv(t->data_fd, v, nv, (off_t)place);
    if (done <= 0)
        return WAITIO__AGAIN;
    p->nap = first_nap;
    p->mine.last.read += (uint64_t)done;
    *moved = (size_t)done;
    return publish(p);
}

static bool pair_ready(pair *p, bool write)
{
    if (!p->theirs.map && h3ou__now() < p->next_look)
        return false;
    bool is_there = look(p);
    const waitio__record *t = &p->theirs.last, *m = &p->mine.last;
    bool can_write = m->written / p->span == 0 || t->read >= (m->written / p->span - 1) * p->span;
    bool is = t->written > m->read || t->is_closed || is_dead(p) || (write && can_write);
    if (!is && (!is_there || !p->theirs.map)) {
        p->next_look = h3ou__now() + p->nap;
        p->nap = p->nap * 1.5 < longest_nap ? p->nap * 1.5 : longest_nap;
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

static double file_doze(waitio__link *link, bool write)
{
    if (is_listener(link)) {
        inbox *box = link->state;
        return box->is_near && link->fd >= 0 ? seldom : longest_nap;
    }
    pair *p = link->state;
    char path[PATH + 32];
    if (p->is_wanted)
        return longest_nap;
    if (pair_ready(p, write && !*p->trouble))
        return 0;
    if (!p->mine.map || !p->theirs.map || link->fd < 0)
        return p->nap;
    name_of(p, p->theirs.letter, -1, path);
    if (inotify_add_watch(link->fd, path, IN_MODIFY) < 0)
        return p->nap;
    p->mine.map[SLEEPS_AT] = 1;
    p->nap = 2 * first_nap; /* there may be events to drain */
    atomic_thread_fence(memory_order_seq_cst);
    if (pair_ready(p, write && !*p->trouble))
        return 0;
    return write ? 0.002 : alive_every;
}

static void file_wake(waitio__link *link)
{
    pair *p = link->state;
    if (!is_listener(link) && p->mine.map)
        p->mine.map[SLEEPS_AT] = 0;
}

static void pair_close(pair *p)
{
    char path[PATH + 32];
    if (p->mine.record_fd >= 0) {
        p->mine.last.is_closed = true;
        publish(p);
        look(p);
        /* Whoever is the last removes all; what the other has not read yet stays until then. */
        if (p->theirs.last.is_closed || p->is_dead) {
            int64_t mine = (int64_t)(p->mine.last.written / p->span);
            int64_t theirs = (int64_t)(p->theirs.last.written / span_of(p, &p->theirs));
            for (int64_t g = -1; g <= mine; g = g < 0 ? (int64_t)p->removed : g + 1) {
                name_of(p, p->mine.letter, g, path);
                unlink(path);
            }
            /* A writer at the beginning of a file may have left the two before it. */
            for (int64_t g = -1; g <= theirs; g = g < 0 && theirs > 2 ? theirs - 2 : g + 1) {
                name_of(p, p->theirs.letter, g, path);
                unlink(path);
            }
            char folder[PATH];
            snprintf(path, sizeof path, "%s.new", p->path); /* of a link that nobody accepted */
            unlink(path);
            snprintf(path, sizeof path, "%s", p->path);
            *strrchr(path, '/') = 0;
            folder_of(&p->set, folder);
            leave_inbox(path, folder);
        }
    }
    half_close(&p->mine);
    half_close(&p->theirs);
    free(p);
}

static void file_close(waitio__link *link)
{
    if (link->state && is_listener(link)) {
        inbox *box = link->state;
        char path[PATH + 32];
        owner_of(box->path, path);
        unlink(path);
        waitio__link waiting;
        while (!file_accept(link, &waiting))
            file_close(&waiting);
        leave_inbox(box->path, box->folder);
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
    .doze = file_doze,
    .wake = file_wake,
    .close = file_close,
    .trouble = file_trouble,
};
