/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/watch/timeline.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/env.h"
#include "base/error.h"
#include "base/log.h"
#include "os/os_clock.h"

/* Offsets in the head of the file, and its length. tools/run/report/timeline_file.py has them, too. */
enum {
    AT_VERSION = 8,
    AT_HEAD = 12,
    AT_PID = 16,
    AT_SIZE = 20,
    AT_RANK = 24,
    AT_TICK = 28,
    AT_BEGAN = 32,    /* clock of the day at tick 0, in ns since 1970 */
    AT_LATEST = 40,   /* ticks at the latest change of the activity */
    AT_ENDED = 48,    /* clock of the day when the file was closed, 0: it was not */
    AT_LAST = 56,     /* ticks then */
    AT_LEFT_OUT = 64, /* events that came when the file was full */
    AT_PAUSED = 72,   /* not 0: nothing is recorded; another process may write it */
    AT_TOTAL = 80,    /* ticks of each activity, those of left out events, too */
    AT_HOST = 192,
    AT_COMPONENT = 256,
    AT_MPI = 336,
    HEAD = 512
};
enum { VERSION = 1, TICK = 100, /* ns */ WINDOW = 1 << 16, DEPTH = 16, TEXT = 120, EVENT = 2 * TEXT + 32 };
enum { STEP = 14, LABEL = 15 }; /* events that are no activity */
static const int64_t DEFAULT_LIMIT = 8, MOST = 1 << 20; /* MiB */

typedef struct label {
    uint64_t hash; /* of its texts; 0: the place is free */
    int number;
} label;

typedef struct level {
    enum h3ou__activity activity;
    int label;
} level;

struct h3ou__timeline {
    int file;
    unsigned char *head, *window; /* window: NULL when the file is full */
    int64_t begin, limit;         /* of the window in the file, and of the file */
    int at;                       /* in the window, of the next event */
    double origin;                /* clock at tick 0 */
    uint64_t latest, written;     /* ticks at the latest change, and of the latest event */
    uint64_t total[H3OU__ACTIVITIES], left_out;
    level level[DEPTH]; /* [0] the phase */
    int depth;          /* of the present one; may be beyond DEPTH */
    label *label;       /* [nplace], which is a power of two */
    int nlabel, nplace;
    int64_t time, step; /* model time of the latest step event, in us, and how far it was from the one before */
};

static uint64_t clock_in_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Maps a window of the file, whose room is set aside, so that a full disk is seen here. Returns 0, or a number of errno. */
static int open_window(h3ou__timeline *t, int64_t begin)
{
    int code = posix_fallocate(t->file, begin, WINDOW);
    void *at = code ? MAP_FAILED : mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, t->file, begin);
    if (at == MAP_FAILED)
        return code ? code : errno;
    t->window = at;
    t->begin = begin;
    t->at = 0;
    return 0;
}

/* Goes on to the next window, unless the file is as long as it may be. */
static void turn_window(h3ou__timeline *t)
{
    munmap(t->window, WINDOW);
    t->window = NULL;
    int code = t->begin + 2 * WINDOW > t->limit ? 0 : open_window(t, t->begin + WINDOW);
    if (code)
        h3ou__log(H3OU__LOG_WARNING, "timeline", "bytes=%lld because=\"%s\"", (long long)t->begin + WINDOW, strerror(code));
}

static void free_timeline(h3ou__timeline *t)
{
    if (t->window)
        munmap(t->window, WINDOW);
    if (t->head)
        munmap(t->head, HEAD);
    if (t->file >= 0)
        close(t->file);
    free(t->label);
    free(t);
}

static void fill_head(h3ou__timeline *t, const char *component, int rank, int size, const char *mpi)
{
    h3ou__put32(t->head + AT_VERSION, VERSION);
    h3ou__put32(t->head + AT_HEAD, HEAD);
    h3ou__put32(t->head + AT_PID, (uint32_t)getpid());
    h3ou__put32(t->head + AT_SIZE, (uint32_t)size);
    h3ou__put32(t->head + AT_RANK, (uint32_t)rank);
    h3ou__put32(t->head + AT_TICK, TICK);
    gethostname((char *)t->head + AT_HOST, AT_COMPONENT - AT_HOST - 1);
    snprintf((char *)t->head + AT_COMPONENT, AT_MPI - AT_COMPONENT, "%s", component);
    snprintf((char *)t->head + AT_MPI, HEAD - AT_MPI, "%s", mpi);
    t->origin = h3ou__now();
    h3ou__put64(t->head + AT_BEGAN, clock_in_ns());
    memcpy(t->head, "h3outime", AT_VERSION);
}

/* Makes the file with its first window. Returns 0, or a number of errno. */
static int make_file(h3ou__timeline *t, const char *file)
{
    t->file = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (t->file < 0)
        return errno;
    int code = open_window(t, 0);
    void *at = code ? MAP_FAILED : mmap(NULL, HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, t->file, 0);
    if (at == MAP_FAILED) {
        code = code ? code : errno;
        unlink(file);
        return code;
    }
    t->head = at;
    t->at = HEAD;
    return 0;
}

/* Writes a number in groups of seven bits, the lowest first, of which all but the last have the highest bit. Returns the number of bytes.
 */
static int write_number(unsigned char to[], uint64_t v)
{
    int n = 0;
    for (; v > 127; v >>= 7)
        to[n++] = (unsigned char)(v | 128);
    to[n++] = (unsigned char)v;
    return n;
}

/* Appends an event. Its first byte, which is never 0, is written last: so a reader sees whole events. */
static void append(h3ou__timeline *t, const unsigned char event[], int n)
{
    if (t->window && t->at + n > WINDOW) /* no event crosses the border of a window */
        turn_window(t);
    if (!t->window) {
        h3ou__put64(t->head + AT_LEFT_OUT, ++t->left_out);
        return;
    }
    unsigned char *at = t->window + t->at;
    memcpy(at + 1, event + 1, (size_t)n - 1);
    __atomic_store_n(at, event[0], __ATOMIC_RELEASE);
    t->at += n;
}

/* Returns the ticks of a moment, which is not before the latest event. */
static uint64_t ticks_of(const h3ou__timeline *t, double clock)
{
    double ticks = (clock - t->origin) * (1e9 / TICK);
    uint64_t whole = ticks > 0.0 ? (uint64_t)ticks : 0, least = t->latest > t->written ? t->latest : t->written;
    return whole > least ? whole : least;
}

/* Writes that an activity begins, or another kind of event. */
static int begin_event(h3ou__timeline *t, unsigned char event[], int kind, int number, uint64_t ticks)
{
    int n = write_number(event, (uint64_t)number << 4 | (uint64_t)kind);
    n += write_number(event + n, ticks - t->written);
    t->written = ticks;
    return n;
}

static const level *present(const h3ou__timeline *t)
{
    return &t->level[t->depth < DEPTH ? t->depth : DEPTH - 1];
}

/* The present level becomes that of a depth, where `to` is done. */
static void change(h3ou__timeline *t, int depth, level to, double ago)
{
    level from = *present(t);
    t->depth = depth;
    if (depth < DEPTH)
        t->level[depth] = to;
    to = *present(t);
    if ((from.activity == to.activity && from.label == to.label) || t->head[AT_PAUSED])
        return;
    unsigned char event[EVENT];
    uint64_t ticks = ticks_of(t, h3ou__now() - ago);
    t->total[from.activity] += ticks - t->latest;
    h3ou__put64(t->head + AT_TOTAL + 8 * from.activity, t->total[from.activity]);
    t->latest = ticks;
    h3ou__put64(t->head + AT_LATEST, ticks);
    append(t, event, begin_event(t, event, to.activity, to.label, ticks));
}

int h3ou__timeline_open(const char *component, int rank, int size, const char *mpi, h3ou__timeline **out)
{
    const char *folder = getenv("H3OU_RUN_DIRECTORY");
    char file[4096];
    int64_t limit;
    *out = NULL;
    int err = h3ou__env_int("H3OU_TIMELINE", 0, MOST, DEFAULT_LIMIT, &limit);
    if (err || limit == 0 || !folder || snprintf(file, sizeof file, "%s/timeline", folder) >= (int)sizeof file || access(file, F_OK) ||
        snprintf(file, sizeof file, "%s/timeline/%s.%d", folder, component, rank) >= (int)sizeof file)
        return err;
    h3ou__timeline *t = calloc(1, sizeof *t);
    if (!t)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the timeline");
    t->limit = limit << 20;
    int code = make_file(t, file);
    if (code) {
        h3ou__log(H3OU__LOG_WARNING, "timeline", "file=%s because=\"%s\"", file, strerror(code));
        free_timeline(t);
        return H3OU__OK;
    }
    fill_head(t, component, rank, size, mpi);
    unsigned char event[EVENT];
    t->level[0].activity = H3OU__ACT_START;
    append(t, event, begin_event(t, event, H3OU__ACT_START, 0, 0));
    *out = t;
    return H3OU__OK;
}

void h3ou__timeline_close(h3ou__timeline *t)
{
    if (!t)
        return;
    int64_t length = t->begin + t->at;
    uint64_t last = ticks_of(t, h3ou__now());
    enum h3ou__activity activity = present(t)->activity;
    h3ou__put64(t->head + AT_TOTAL + 8 * activity, t->total[activity] + last - t->latest);
    h3ou__put64(t->head + AT_LAST, last);
    h3ou__put64(t->head + AT_ENDED, clock_in_ns());
    bool is_cut = t->window && ftruncate(t->file, length) == 0; /* the zeros that follow say as much */
    if (t->left_out)
        h3ou__log(H3OU__LOG_WHISPER, "timeline", "bytes=%lld left_out=%llu because=H3OU_TIMELINE", (long long)(is_cut ? length : t->limit),
                  (unsigned long long)t->left_out);
    free_timeline(t);
}

/* Returns the place of a label, or the free one where it belongs. */
static label *find_label(const h3ou__timeline *t, uint64_t hash)
{
    uint64_t i = hash;
    while (t->label[i & (uint64_t)(t->nplace - 1)].hash && t->label[i & (uint64_t)(t->nplace - 1)].hash != hash)
        i++;
    return &t->label[i & (uint64_t)(t->nplace - 1)];
}

/* Makes room for one more label, at least half of which stays free. */
static bool reserve_label(h3ou__timeline *t)
{
    if (2 * (t->nlabel + 1) <= t->nplace)
        return true;
    label *former = t->label, *more = calloc(t->nplace ? 2 * (size_t)t->nplace : 64, sizeof *more);
    int n = t->nplace;
    if (!more)
        return false;
    t->label = more;
    t->nplace = n ? 2 * n : 64;
    for (int i = 0; i < n; i++)
        if (former[i].hash)
            *find_label(t, former[i].hash) = former[i];
    free(former);
    return true;
}

/* Adds a text, at most so long as the file has it, to a hash (FNV-1a). */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (int i = 0; text[i] && i < TEXT; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

static int write_text(unsigned char to[], const char *text)
{
    size_t length = strnlen(text, TEXT);
    int n = write_number(to, length);
    memcpy(to + n, text, length);
    return n + (int)length;
}

int h3ou__timeline_label(h3ou__timeline *t, const char *what, const char *who)
{
    if (!t || !reserve_label(t))
        return 0;
    uint64_t hash = hash_text(hash_text(0xcbf29ce484222325u, what), who);
    hash += !hash;
    label *l = find_label(t, hash);
    if (!l->hash) {
        unsigned char event[EVENT] = {LABEL};
        int n = 1 + write_text(event + 1, what);
        append(t, event, n + write_text(event + n, who));
        l->hash = hash;
        l->number = ++t->nlabel;
    }
    return l->number;
}

void h3ou__timeline_enter(h3ou__timeline *t, enum h3ou__activity activity, int number)
{
    h3ou__timeline_enter_since(t, activity, number, 0.0);
}

void h3ou__timeline_enter_since(h3ou__timeline *t, enum h3ou__activity activity, int number, double seconds)
{
    if (t)
        change(t, t->depth + 1, (level){activity, number}, seconds);
}

void h3ou__timeline_leave(h3ou__timeline *t)
{
    if (t && t->depth > 0)
        change(t, t->depth - 1, t->level[t->depth <= DEPTH ? t->depth - 1 : DEPTH - 1], 0.0);
}

void h3ou__timeline_phase(h3ou__timeline *t, enum h3ou__activity activity)
{
    if (t && t->depth > 0)
        t->level[0].activity = activity;
    else if (t)
        change(t, 0, (level){activity, 0}, 0.0);
}

void h3ou__timeline_step(h3ou__timeline *t, double time)
{
    if (!t || t->head[AT_PAUSED])
        return;
    unsigned char event[EVENT];
    int64_t now = fabs(time) < 9e12 ? (int64_t)llround(time * 1e6) : 0, step = now - t->time, more = step - t->step;
    t->time = now;
    t->step = step;
    int n = begin_event(t, event, STEP, 0, ticks_of(t, h3ou__now()));
    n += write_number(event + n, (uint64_t)more << 1 ^ (uint64_t)(more >> 63));
    append(t, event, n);
}
