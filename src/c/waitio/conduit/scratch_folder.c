/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/conduit/scratch_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/error.h"
#include "base/log.h"
#include "os/os_clock.h"

enum {
    TRIALS = 100,
    YOUNG = 60,
    OLD = 7 * 24 * 3600
}; /* s: OLD: files of that age are not in use; owners touch theirs every hour */
static const double touch_every = 3600;                 /* s */

uint64_t waitio__scratch_host(void)
{
    char text[64] = "";
    struct stat s;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    uint64_t space = stat("/proc/self/ns/pid", &s) ? 0 : (uint64_t)s.st_ino;
    uint64_t number = XXH64(text, n > 0 ? (size_t)n : 0, space);
    return number ? number : 1;
}

static void run_begins(char begin[64])
{
    snprintf(begin, 64, "waitio-files-%u-", (unsigned)geteuid());
}

static void run_of(const waitio__conduit_settings *set, char path[WAITIO__PATH])
{
    char begin[64];
    run_begins(begin);
    snprintf(path, WAITIO__PATH, "%s/%s%016llx", set->scratch, begin, (unsigned long long)set->instance);
}

void waitio__scratch_inbox(const waitio__conduit_settings *set, const waitio__address *a, char path[WAITIO__PATH])
{
    char at[H3OU__ADDRESS_TEXT], run[WAITIO__PATH];
    run_of(set, run);
    h3ou__address_text(a, at);
    for (char *c = at; *c; c++)
        if (*c == '[' || *c == ']' || *c == ':' || *c == '%')
            *c = '_';
    snprintf(path, WAITIO__PATH, "%.600s/%s", run, at);
}

/* The file systems that are seen by processes of this host only. */
bool waitio__scratch_is_near(const waitio__conduit_settings *set, const char *path)
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

void waitio__scratch_sign(waitio__record *r, int fd, bool is_near)
{
    r->pid = (uint32_t)getpid();
    r->host = waitio__scratch_host();
    r->is_locked = is_near && !flock(fd, LOCK_EX | LOCK_NB);
}

/* True if no process holds the lock on an open file. */
static bool is_unlocked(int fd)
{
    bool is = !flock(fd, LOCK_SH | LOCK_NB);
    if (is)
        flock(fd, LOCK_UN);
    return is;
}

static bool has_ended(const waitio__record *r, uint64_t host, int fd)
{
    if (r->pid && r->host == host)
        return kill((pid_t)r->pid, 0) && errno == ESRCH;
    return r->is_locked && is_unlocked(fd);
}

bool waitio__scratch_is_dead(const waitio__record *r, uint64_t host, const char *path)
{
    int fd = r->is_locked && r->host != host ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    bool is = has_ended(r, host, fd);
    if (fd >= 0)
        close(fd);
    return is;
}

static int cannot_make(const char *path)
{
    return h3ou__fail(H3OU__EFILE, "WAITIO_SCRATCH_DIR: %s: %s", path, strerror(errno));
}

/* Calls `each` for all entries of an open folder, until it returns false. */
static void folder_walk(int folder, bool (*each)(int folder, const char *name, void *arg), void *arg)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *e;
    while (d && (e = readdir(d)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && !each(folder, e->d_name, arg))
            break;
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
}

enum life { ENDED, UNKNOWN, LIVES }; /* of several files in a folder, the greatest decides */

typedef struct sweep {
    time_t now; /* by the clock of the file system */
    enum life life;
    int nrecords;
} sweep;

/* Finds out whether the writer of this file lives. */
static enum life judge_writer(int fd, time_t now)
{
    unsigned char bytes[WAITIO__RECORD];
    waitio__record r;
    struct stat s;
    if (fstat(fd, &s))
        return UNKNOWN;
    if (now - s.st_mtime < YOUNG) /* it may not have been locked yet */
        return LIVES;
    if (pread(fd, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes && !waitio__record_get(bytes, &r)) {
        uint64_t host = waitio__scratch_host();
        if (has_ended(&r, host, fd))
            return ENDED;
        if (r.is_locked || r.host == host)
            return LIVES;
    }
    return now - s.st_mtime < OLD ? UNKNOWN : ENDED;
}

static bool judge_file(int inbox, const char *name, void *arg)
{
    sweep *s = arg;
    size_t n = strlen(name);
    if (strcmp(name, "owner") != 0 && (n < 2 || (strcmp(name + n - 2, ".a") != 0 && strcmp(name + n - 2, ".b") != 0)))
        return true;
    int fd = openat(inbox, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    enum life life = fd < 0 ? UNKNOWN : judge_writer(fd, s->now);
    if (fd >= 0)
        close(fd);
    s->nrecords++;
    s->life = life > s->life ? life : s->life;
    return s->life != LIVES;
}

/* -1: it is not a folder of this user that only he can enter. */
static int open_mine(int folder, const char *name, struct stat *s)
{
    int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || (!fstat(fd, s) && s->st_uid == geteuid() && !(s->st_mode & 077)))
        return fd;
    close(fd);
    return -1;
}

static enum life judge_inbox(int run, const char *name, time_t now, int *fd)
{
    struct stat s;
    sweep inside = {.now = now};
    *fd = open_mine(run, name, &s);
    if (*fd < 0)
        return UNKNOWN;
    if (now - s.st_mtime < YOUNG)
        return LIVES;
    folder_walk(*fd, judge_file, &inside);
    return inside.nrecords || now - s.st_mtime >= OLD ? inside.life : UNKNOWN;
}

static bool find_life(int run, const char *name, void *arg)
{
    sweep *s = arg;
    int fd;
    s->life = judge_inbox(run, name, s->now, &fd);
    if (fd >= 0)
        close(fd);
    return s->life != LIVES;
}

static bool remove_file(int folder, const char *name, void *arg)
{
    (void)arg;
    unlinkat(folder, name, 0);
    return true;
}

static bool remove_inbox(int run, const char *name, void *arg)
{
    const sweep *s = arg;
    int fd;
    bool is_dead = judge_inbox(run, name, s->now, &fd) == ENDED;
    if (is_dead)
        folder_walk(fd, remove_file, NULL);
    if (fd >= 0)
        close(fd);
    if (is_dead)
        unlinkat(run, name, AT_REMOVEDIR);
    return true;
}

/* The folder of one run: left alone while one of its processes lives. */
static bool sweep_run(int scratch, const char *name, void *arg)
{
    sweep s = *(const sweep *)arg;
    char begin[64];
    struct stat stat;
    run_begins(begin);
    int fd = strncmp(name, begin, strlen(begin)) ? -1 : open_mine(scratch, name, &stat);
    if (fd < 0)
        return true;
    folder_walk(fd, find_life, &s);
    if (s.life != LIVES && s.now - stat.st_mtime >= YOUNG) {
        folder_walk(fd, remove_inbox, &s);
        if (!unlinkat(scratch, name, AT_REMOVEDIR))
            h3ou__log(H3OU__LOG_WHISPER, "swept", "folder=%s", name);
    }
    close(fd);
    return true;
}

/* own: the folder that was just made. */
static void sweep_scratch(const char *scratch, const char *own)
{
    struct stat s;
    int fd = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && !stat(own, &s))
        folder_walk(fd, sweep_run, &(sweep){.now = s.st_mtime});
    if (fd >= 0)
        close(fd);
}

/* Opens a folder of this user that no other can enter. WAITIO__AGAIN: a process that left has just removed it. */
static int make_run(const char *path, bool *is_new)
{
    struct stat s;
    bool is_made = !mkdir(path, 0700);
    if (!is_made && errno != EEXIST)
        return cannot_make(path);
    *is_new = *is_new || is_made;
    if (lstat(path, &s))
        return errno == ENOENT ? WAITIO__AGAIN : cannot_make(path);
    if (!S_ISDIR(s.st_mode) || s.st_uid != geteuid() || (s.st_mode & 077))
        return h3ou__fail(H3OU__EFILE, "WAITIO_SCRATCH_DIR: %s is not a folder of this user that only he can enter",
                          path);
    return H3OU__OK;
}

/* A process that leaves may remove the run's folder while it is empty, before the inbox is in it: then both are made
 * again. */
static int make_inbox(const waitio__inbox_folder *f, bool *is_new)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        int code = make_run(f->run, is_new);
        if (code == WAITIO__AGAIN)
            continue;
        if (code || !mkdir(f->path, 0700))
            return code;
        if (errno == EEXIST)
            return h3ou__fail(H3OU__EREFUSED, "the inbox %s is another process's", f->path);
        if (errno != ENOENT)
            break;
    }
    return cannot_make(f->path);
}

static void owner_of(const char *inbox, char path[WAITIO__PATH_IN])
{
    snprintf(path, WAITIO__PATH_IN, "%s/owner", inbox);
}

/* The owner file says that the inbox is in use, and by whom. */
static int make_owner(waitio__inbox_folder *f)
{
    char path[WAITIO__PATH_IN];
    unsigned char bytes[WAITIO__RECORD];
    waitio__record r = {0};
    owner_of(f->path, path);
    f->owner_fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (f->owner_fd < 0)
        return cannot_make(path);
    waitio__scratch_sign(&r, f->owner_fd, f->is_near);
    waitio__record_put(&r, bytes);
    if (write(f->owner_fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
        return H3OU__OK;
    int code = cannot_make(path);
    waitio__scratch_resign(f);
    return code;
}

int waitio__scratch_enter(const waitio__conduit_settings *set, const waitio__address *a, waitio__inbox_folder *f)
{
    bool is_new = false;
    *f = (waitio__inbox_folder){.owner_fd = -1, .next_touch = h3ou__now() + touch_every};
    run_of(set, f->run);
    waitio__scratch_inbox(set, a, f->path);
    int code = make_inbox(f, &is_new);
    if (code)
        return code;
    f->is_near = waitio__scratch_is_near(set, f->path);
    code = make_owner(f);
    if (code)
        waitio__scratch_leave(f->path);
    else if (is_new)
        sweep_scratch(set->scratch, f->run);
    return code;
}

void waitio__scratch_touch(waitio__inbox_folder *f, double now)
{
    if (now < f->next_touch)
        return;
    f->next_touch = now + touch_every;
    futimens(f->owner_fd, NULL);
}

void waitio__scratch_resign(waitio__inbox_folder *f)
{
    char path[WAITIO__PATH_IN];
    owner_of(f->path, path);
    close(f->owner_fd); /* first: an open file of NFS would keep another name in the folder */
    f->owner_fd = -1;
    unlink(path);
}

void waitio__scratch_leave(const char *inbox)
{
    char run[WAITIO__PATH];
    if (rmdir(inbox))
        return;
    snprintf(run, sizeof run, "%s", inbox);
    *strrchr(run, '/') = 0;
    rmdir(run);
}

int waitio__scratch_owner(const char *inbox, waitio__record *who)
{
    char path[WAITIO__PATH_IN];
    unsigned char bytes[WAITIO__RECORD];
    owner_of(inbox, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno;
    if (read(fd, bytes, sizeof bytes) != (ssize_t)sizeof bytes || waitio__record_get(bytes, who))
        *who = (waitio__record){0};
    close(fd);
    return 0;
}
