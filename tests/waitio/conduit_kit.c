/* SPDX-License-Identifier: BSD-3-Clause */
#include "conduit_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <dirent.h>

#include "base/error.h"
#include "os/os_clock.h"

enum { PERIOD = 65521, PIECES = 7, LONG_SLEEP = 60 };

const variety varieties[] = {
    {.name = "tcp4", .conduit = &waitio__tcp, .crosses = true, .rounds = 2000},
    {.name = "tcp6", .conduit = &waitio__tcp, .is_v6 = true, .crosses = true, .rounds = 500},
    {.name = "unix", .conduit = &waitio__unix, .crosses = true, .rounds = 2000},
    {.name = "shm", .conduit = &waitio__shm, .crosses = true, .rounds = 4000},
    {.name = "file", .conduit = &waitio__file, .waits = true, .crosses = true, .rounds = 2000},
    {.name = "file_polls", .conduit = &waitio__file, .file_polls = true, .waits = true, .crosses = true, .rounds = 200},
    {.name = "inproc", .conduit = &waitio__inproc, .rounds = 2000},
};
const int nvarieties = sizeof varieties / sizeof varieties[0];

static _Thread_local uint64_t dice_state = 88172645463325252u;

uint64_t dice(uint64_t sides)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return dice_state % sides;
}

double deadline(void)
{
    return h3ou__now() + 30;
}

void bench_prepare(bench *b, const variety *v)
{
    static uint16_t next_port = 20000;
    unsigned pid = (unsigned)getpid();
    *b = (bench){.v = v, .set = {.instance = pid, .file_most = 1 << 20, .file_polls = v->file_polls}};
    strcpy(b->set.scratch, "/dev/shm/waitio-conduits-XXXXXX");
    assert_non_null(mkdtemp(b->set.scratch));
    if (v->is_v6) {
        b->at.ip[15] = 1;
    } else {
        const unsigned char ip[16] = {
            [10] = 255, 255, 127, (unsigned char)(pid >> 16), (unsigned char)(pid >> 8), (unsigned char)(pid | 1)};
        memcpy(b->at.ip, ip, sizeof ip);
    }
    b->at.port = v->conduit == &waitio__tcp ? 0 : next_port++;
}

void bench_listen(bench *b)
{
    waitio__address bound;
    assert_int_equal(b->v->conduit->listen(&b->set, &b->at, &b->listener, &bound), 0);
    b->at = bound;
    b->is_listening = true;
}

void bench_open(bench *b, const variety *v)
{
    bench_prepare(b, v);
    bench_listen(b);
}

void drop(waitio__link *link)
{
    link->conduit->close(link);
}

void bench_hush(bench *b)
{
    if (b->is_listening)
        drop(&b->listener);
    b->is_listening = false;
}

static int each_below(const char *path, bool do_remove)
{
    char inside[1200];
    int n = 0;
    struct dirent *e;
    DIR *d = opendir(path);
    while (d && (e = readdir(d)) != NULL) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        snprintf(inside, sizeof inside, "%.900s/%s", path, e->d_name);
        n += 1 + each_below(inside, do_remove);
        if (do_remove && remove(inside))
            n++;
    }
    if (d)
        closedir(d);
    return n;
}

int files_below(const char *path)
{
    return each_below(path, false);
}

void remove_below(const char *path)
{
    each_below(path, true);
}

void bench_close(bench *b)
{
    bench_hush(b);
    int left = files_below(b->set.scratch);
    remove_below(b->set.scratch);
    rmdir(b->set.scratch);
    assert_int_equal(left, 0);
}

void finish_opening(waitio__link *opener)
{
    double end = deadline();
    int code;
    while ((code = opener->conduit->opened(opener)) == WAITIO__AGAIN && h3ou__now() < end)
        h3ou__sleep(0.0005);
    assert_int_equal(code, 0);
}

void bench_accept(bench *b, waitio__link *accepter)
{
    double end = deadline();
    int code;
    while ((code = b->v->conduit->accept(&b->listener, accepter)) == WAITIO__AGAIN && h3ou__now() < end)
        h3ou__sleep(0.0005);
    assert_int_equal(code, 0);
}

void bench_connect(bench *b, waitio__link *opener, waitio__link *accepter)
{
    assert_int_equal(b->v->conduit->open(&b->set, &b->at, opener), 0);
    finish_opening(opener);
    bench_accept(b, accepter);
}

/* PERIOD bytes again and again; prime, so that no page or ring fits. Twice, so that any piece is in one place. */
static const unsigned char *pattern(uint64_t at)
{
    static _Thread_local unsigned char bytes[2 * PERIOD];
    static _Thread_local bool is_made;
    for (uint32_t i = 0, x = 1; i < 2 * PERIOD && !is_made; i++) {
        x = i % PERIOD ? x * 1664525u + 1013904223u : 1;
        bytes[i] = (unsigned char)(x >> 24);
    }
    is_made = true;
    return bytes + at % PERIOD;
}

bool is_stream(uint64_t at, const unsigned char *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        size_t part = n - done < PERIOD ? n - done : PERIOD;
        if (memcmp(pattern(at + done), bytes + done, part) != 0)
            return false;
        done += part;
    }
    return true;
}

/* Random lengths that sum up to at least 1 and at most `most`; some are 0. */
static int cut(size_t most, size_t part[PIECES])
{
    int n = 1 + (int)dice(PIECES);
    size_t left = most;
    for (int i = 0; i < n; i++) {
        size_t longest = left < PERIOD ? left : PERIOD;
        part[i] = dice(4) == 0 ? (size_t)dice(longest + 1) : (size_t)dice((longest < 100 ? longest : 100) + 1);
        left -= part[i];
    }
    if (left == most)
        part[0] = 1;
    return n;
}

int stream_write(stream *s, waitio__link *link, size_t most)
{
    struct iovec v[PIECES];
    size_t part[PIECES], moved = 0, all = 0;
    int n = cut(most, part);
    for (int i = 0; i < n; i++) {
        v[i] = (struct iovec){(void *)(uintptr_t)pattern(s->at + all), part[i]};
        all += part[i];
    }
    int code = link->conduit->writev(link, v, n, &moved);
    assert_true(code ? moved == 0 : moved > 0 && moved <= all);
    s->at += moved;
    return code;
}

int stream_read(stream *s, waitio__link *link, size_t most)
{
    static _Thread_local unsigned char bytes[PIECES * PERIOD];
    struct iovec v[PIECES];
    size_t part[PIECES], moved = 0, all = 0;
    int n = cut(most, part);
    for (int i = 0; i < n; i++) {
        v[i] = (struct iovec){bytes + all, part[i]};
        all += part[i];
    }
    int code = link->conduit->readv(link, v, n, &moved);
    assert_true(code ? moved == 0 : moved > 0 && moved <= all);
    assert_true(is_stream(s->at, bytes, moved));
    s->at += moved;
    return code;
}

static bool move_all(int (*move)(stream *, waitio__link *, size_t), stream *s, waitio__link *link, size_t n)
{
    double end = deadline();
    uint64_t last = s->at + n;
    while (s->at < last) {
        int code = move(s, link, (size_t)(last - s->at));
        if (code == WAITIO__AGAIN && h3ou__now() < end)
            h3ou__sleep(0.0002);
        else if (code)
            return false;
    }
    return true;
}

bool stream_write_all(stream *s, waitio__link *link, size_t n)
{
    return move_all(stream_write, s, link, n);
}

bool stream_read_all(stream *s, waitio__link *link, size_t n)
{
    return move_all(stream_read, s, link, n);
}

int stream_read_to_end(stream *s, waitio__link *link)
{
    double end = deadline();
    int code = 0;
    while (code == 0 || (code == WAITIO__AGAIN && h3ou__now() < end)) {
        code = stream_read(s, link, 100000);
        if (code == WAITIO__AGAIN)
            h3ou__sleep(0.0005);
    }
    return code;
}

static void sleeper_ready(waitio__source *source, bool readable, bool writable)
{
    sleeper *s = (sleeper *)source;
    (void)readable;
    (void)writable;
    s->events++;
}

void sleeper_open(sleeper *s, waitio__link *link)
{
    memset(s, 0, sizeof *s);
    s->source.ready = sleeper_ready;
    s->link = link;
    assert_int_equal(waitio__hub_open(&s->hub, &s->memory), 0);
    assert_int_equal(waitio__hub_add(&s->hub, &s->source, link, false), 0);
}

void sleeper_close(sleeper *s)
{
    waitio__hub_remove(&s->hub, &s->source);
    waitio__hub_turn(&s->hub, 0);
    waitio__hub_close(&s->hub);
    waitio__memory_free(&s->memory);
}

int sleeper_write(sleeper *s, stream *of, size_t n)
{
    uint64_t last = of->at + n;
    int code = 0;
    while (of->at < last && (!code || code == WAITIO__AGAIN)) {
        code = stream_write(of, s->link, (size_t)(last - of->at));
        waitio__hub_want(&s->hub, &s->source, code == WAITIO__AGAIN);
        if (code == WAITIO__AGAIN)
            waitio__hub_turn(&s->hub, LONG_SLEEP);
    }
    waitio__hub_want(&s->hub, &s->source, false);
    return code;
}

int sleeper_read(sleeper *s, stream *of, size_t n)
{
    uint64_t last = of->at + n;
    int code = 0;
    while (of->at < last && (!code || code == WAITIO__AGAIN)) {
        code = stream_read(of, s->link, (size_t)(last - of->at));
        if (code == WAITIO__AGAIN)
            waitio__hub_turn(&s->hub, LONG_SLEEP);
    }
    return code;
}
