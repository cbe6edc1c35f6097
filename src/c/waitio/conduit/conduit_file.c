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
 *     LINK.new       the link is wanted; removed by the process that accepts it
 *     LINK.a, LINK.b the records of the process that opened it and the one that accepted it
 *     LINK.aN        the bytes from a to b, from byte N of the stream on; LINK.bN from b to a
 *
 * On a file system of this host the records are mapped, and inotify wakes a process that blocks. A network file system
 * guarantees less: there files are opened anew for each look, synchronised before their length is published, and looked
 * at less and less often while nothing comes.
 */
#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "os/os_clock.h"
#include "waitio/conduit/file_pair.h"

enum { PATH = WAITIO__PATH, PATH_IN = WAITIO__PATH_IN, SLEEPS_AT = WAITIO__RECORD };
/* s: an inbox is read this often, too: a link may have come before inotify watched it */
static const double seldom = 0.25;

typedef struct inbox { /* of a listener */
    enum waitio__file_kind kind;
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

static int file_open(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    *out = (waitio__link){.conduit = &waitio__file, .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    waitio__file_pair *p = waitio__file_pair_new(set, out, true);
    if (!p)
        return H3OU__ENOMEM;
    p->to = *to;
    p->is_wanted = true;
    return H3OU__OK;
}

/* A process that has not joined yet has no inbox: this does not count as a refusal. */
static int file_opened(waitio__link *link)
{
    waitio__file_pair *p = link->state;
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
    /* The owner of the inbox: its end is watched until the record of the other end exists. */
    p->theirs.last.pid = who.pid;
    p->theirs.last.host = who.host;
    p->theirs.last.is_locked = who.is_locked;
    snprintf(p->path, sizeof p->path, "%.600s/%llx-%x-%x-%x", path, (unsigned long long)waitio__scratch_host(),
             (unsigned)getpid(), (unsigned)t.tv_nsec, atomic_fetch_add(&serial, 1u));
    int code = waitio__file_pair_request(link);
    /* A process that stops listening first removes its owner file and then ends the links that it finds; so either it
     * finds this link, or this process finds that the owner file has gone. */
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

/* Writes the name of a link that is wanted, or an empty string if there is none. */
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
    waitio__file_pair *p = waitio__file_pair_new(&box->set, out, false);
    if (!p) {
        if (out->fd >= 0)
            close(out->fd);
        return H3OU__ENOMEM;
    }
    p->is_near = box->folder.is_near;
    snprintf(p->path, sizeof p->path, "%.480s/%.200s", box->folder.path, found);
    snprintf(marker, sizeof marker, "%s.new", p->path);
    int code = waitio__file_pair_begin(p);
    /* Such an error is not one of the listener, which goes on. While the disk is full, the link stays wanted. */
    bool stays = code && waitio__file_is_full(errno);
    if (!stays)
        unlink(marker);
    if (code)
        out->conduit->close(out);
    return code ? WAITIO__AGAIN : H3OU__OK;
}

static int file_writev(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    waitio__file_pair *p = link->state;
    *moved = 0;
    waitio__file_pair_look(p);
    waitio__file_pair_remove_read(p);
    int code = waitio__file_pair_append(p, iov, n, moved);
    if (code == WAITIO__AGAIN && (waitio__file_pair_is_dead(p) || p->theirs.last.is_closed))
        return h3ou__fail(H3OU__EPEER, "the process at the other end of %s has gone", p->path);
    return code;
}

static int file_readv(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    waitio__file_pair *p = link->state;
    waitio__file_half *t = &p->theirs;
    *moved = 0;
    if (p->pause > shortest_pause)
        watch_drain(link);
    if (t->last.written <= p->mine.last.read)
        waitio__file_pair_look(p);
    if (t->last.written <= p->mine.last.read) {
        /* inotify may have reported something after the last sleep. */
        if (p->is_watching)
            watch_drain(link);
        if (t->last.is_closed || waitio__file_pair_is_dead(p))
            return waitio__file_pair_look(p) && t->last.written > p->mine.last.read ? WAITIO__AGAIN : WAITIO__EOF;
        return WAITIO__AGAIN;
    }
    if (waitio__file_pair_read(p, iov, n, moved)) {
        p->next_read = h3ou__now() + (p->is_near ? full_pause : waitio__file_pair_next_pause(p));
        return WAITIO__AGAIN;
    }
    p->pause = shortest_pause;
    p->next_read = 0;
    p->mine.last.read += *moved;
    return waitio__file_pair_publish(p);
}

static bool is_listener(const waitio__link *link)
{
    return *(const enum waitio__file_kind *)link->state == WAITIO__FILE_INBOX;
}

static bool file_ready(waitio__link *link, bool write)
{
    if (is_listener(link)) {
        inbox *box = link->state;
        return h3ou__now() >= box->next_look;
    }
    waitio__file_pair *p = link->state;
    if (p->is_wanted)
        return h3ou__now() >= p->next_look;
    return waitio__file_pair_ready(p, write);
}

static double file_sleep_begin(waitio__link *link, bool write)
{
    if (is_listener(link)) {
        inbox *box = link->state;
        return box->folder.is_near && link->fd >= 0 ? seldom : longest_pause;
    }
    waitio__file_pair *p = link->state;
    char path[PATH_IN];
    if (p->is_wanted)
        return longest_pause;
    if (waitio__file_pair_ready(p, write))
        return 0;
    if (!p->mine.map || !p->theirs.map || link->fd < 0)
        return p->pause;
    waitio__file_record_path(p, &p->theirs, path);
    p->is_watching = inotify_add_watch(link->fd, path, IN_MODIFY) >= 0;
    if (!p->is_watching)
        return p->pause;
    p->mine.map[SLEEPS_AT] = 1;
    p->pause = 2 * shortest_pause; /* there may be events to drain */
    atomic_thread_fence(memory_order_seq_cst);
    if (waitio__file_pair_ready(p, write))
        return 0;
    return write || p->next_read > 0 ? full_pause : alive_every;
}

static void file_sleep_end(waitio__link *link)
{
    waitio__file_pair *p = link->state;
    if (!is_listener(link) && p->mine.map)
        p->mine.map[SLEEPS_AT] = 0;
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
        waitio__file_pair_close(link->state);
    }
    link->state = NULL;
    if (link->fd >= 0)
        close(link->fd);
    link->fd = -1;
}

static const char *file_trouble(const waitio__link *link)
{
    const waitio__file_pair *p = link->state;
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
