/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: what is half written or hostile, what the folder is like, how much space is used, and who lives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "conduit_kit.h"
#include "os/os_clock.h"
#include "waitio/conduit/record.h"

enum { MOST = 1 << 20, SPAN = MOST / 2 };

static const variety near = {.name = "file", .conduit = &waitio__file};
static const variety far = {.name = "file_polls", .conduit = &waitio__file, .file_polls = true};

static void only_entry(const char *folder, char path[1000])
{
    struct dirent *e;
    DIR *d = opendir(folder);
    path[0] = 0;
    while (d && (e = readdir(d)) != NULL)
        if (e->d_name[0] != '.')
            snprintf(path, 1000, "%.700s/%s", folder, e->d_name);
    if (d)
        closedir(d);
    assert_true(path[0] != 0);
}

typedef struct stranger { /* who opens, by hand */
    bench b;
    char inbox[1000];
    waitio__link link; /* of who accepts */
    waitio__record mine;
} stranger;

static void put_file(const stranger *s, const char *name, const void *bytes, size_t n, off_t at)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", s->inbox, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, n, at), (ssize_t)n);
    close(fd);
}

static void tell(stranger *s, uint64_t written, uint64_t read)
{
    unsigned char bytes[WAITIO__RECORD];
    s->mine.written = written;
    s->mine.read = read;
    waitio__record_put(&s->mine, bytes);
    put_file(s, "link.a", bytes, sizeof bytes, 0);
}

static void stranger_open(stranger *s, const variety *v)
{
    char folder[1000], from[1100], to[1100];
    memset(s, 0, sizeof *s);
    bench_open(&s->b, v);
    only_entry(s->b.set.scratch, folder);
    only_entry(folder, s->inbox);
    put_file(s, "link.a", (unsigned char[4096]){0}, 4096, 0);
    s->mine.span = SPAN;
    tell(s, 0, 0);
    put_file(s, "link.tmp", "", 0, 0);
    snprintf(from, sizeof from, "%s/link.tmp", s->inbox);
    snprintf(to, sizeof to, "%s/link.new", s->inbox);
    assert_int_equal(rename(from, to), 0);
    bench_accept(&s->b, &s->link);
}

static void stranger_close(stranger *s)
{
    drop(&s->link);
    remove_below(s->b.set.scratch);
    bench_close(&s->b);
}

static const unsigned char *bytes_of(uint64_t at, size_t n)
{
    static unsigned char bytes[4096];
    memset(bytes, 0, sizeof bytes);
    /* The stream's own, found by asking for them one by one. */
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < 256; c++) {
            bytes[i] = (unsigned char)c;
            if (is_stream(at + i, bytes + i, 1))
                break;
        }
    return bytes;
}

static void test_torn_record(void **state)
{
    stranger s;
    stream in = {0};
    unsigned char whole[WAITIO__RECORD], old[WAITIO__RECORD];
    stranger_open(&s, *state);
    put_file(&s, "link.a0", bytes_of(0, 100), 100, 0);
    waitio__record_put(&s.mine, old);
    waitio__record next = s.mine;
    next.written = 100;
    waitio__record_put(&next, whole);
    for (size_t half = 16; half < WAITIO__RECORD; half += 8) {
        unsigned char torn[WAITIO__RECORD];
        memcpy(torn, whole, half);
        memcpy(torn + half, old + half, WAITIO__RECORD - half);
        put_file(&s, "link.a", torn, sizeof torn, 0);
        assert_int_equal(stream_read(&in, &s.link, 100), WAITIO__AGAIN);
    }
    put_file(&s, "link.a", whole, sizeof whole, 0);
    assert_true(stream_read_all(&in, &s.link, 100));
    stranger_close(&s);
}

/* A network's file system may show the length before the bytes. */
static void test_late_bytes(void **state)
{
    stranger s;
    stream in = {0};
    stranger_open(&s, *state);
    tell(&s, 100, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(stream_read(&in, &s.link, 100), WAITIO__AGAIN);
    put_file(&s, "link.a0", bytes_of(0, 40), 40, 0);
    assert_true(stream_read_all(&in, &s.link, 40));
    for (int i = 0; i < 3; i++)
        assert_int_equal(stream_read(&in, &s.link, 100), WAITIO__AGAIN);
    put_file(&s, "link.a0", bytes_of(40, 60), 60, 40);
    assert_true(stream_read_all(&in, &s.link, 60));
    stranger_close(&s);
}

static void test_hostile_counts(void **state)
{
    static const uint64_t hostile[] = {UINT64_MAX, (uint64_t)1 << 63, ((uint64_t)1 << 63) - 1};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        stranger s;
        stream in = {0}, out = {0};
        int code = 0;
        stranger_open(&s, *state);
        /* More than was written to it cannot have been read: it gets no more room for that. */
        tell(&s, 0, hostile[i]);
        for (int tries = 0; tries < 200; tries++)
            code = stream_write(&out, &s.link, 200000);
        assert_int_equal(code, WAITIO__AGAIN);
        assert_true(out.at <= MOST);
        put_file(&s, "link.a0", bytes_of(0, 100), 100, 0);
        tell(&s, 100, 0);
        assert_true(stream_read_all(&in, &s.link, 100));
        tell(&s, 50, 0); /* backwards */
        assert_int_equal(stream_read(&in, &s.link, 100), WAITIO__AGAIN);
        tell(&s, hostile[i], 0);
        assert_int_equal(stream_read(&in, &s.link, 100), WAITIO__AGAIN);
        stranger_close(&s);
    }
}

static void test_folder(void **state)
{
    bench b;
    waitio__link link;
    char path[700];
    bench_prepare(&b, *state);
    /* Open to others. */
    snprintf(path, sizeof path, "%s/waitio-files-%u-%016llx", b.set.scratch, (unsigned)geteuid(),
             (unsigned long long)b.set.instance);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, 0777), 0);
    assert_int_equal(waitio__file.listen(&b.set, &b.at, &link, NULL), H3OU__EFILE);
    assert_non_null(strstr(h3ou__fail_text(), "WAITIO_SCRATCH_DIR"));
    assert_non_null(strstr(h3ou__fail_text(), path));
    assert_int_equal(rmdir(path), 0);
    /* Not a folder, but a link to one. */
    assert_int_equal(symlink("/dev/shm", path), 0);
    assert_int_equal(waitio__file.listen(&b.set, &b.at, &link, NULL), H3OU__EFILE);
    assert_int_equal(unlink(path), 0);
    waitio__conduit_settings missing = b.set;
    snprintf(missing.scratch, sizeof missing.scratch, "%.400s/missing", b.set.scratch);
    assert_int_equal(waitio__file.listen(&missing, &b.at, &link, NULL), H3OU__EFILE);
    assert_non_null(strstr(h3ou__fail_text(), "WAITIO_SCRATCH_DIR"));
    bench_close(&b);
}

static uint64_t bytes_below(const char *path)
{
    char inside[1200];
    uint64_t n = 0;
    struct dirent *e;
    struct stat s;
    DIR *d = opendir(path);
    while (d && (e = readdir(d)) != NULL) {
        snprintf(inside, sizeof inside, "%.900s/%s", path, e->d_name);
        if (e->d_name[0] == '.' || lstat(inside, &s))
            continue;
        n += S_ISDIR(s.st_mode) ? bytes_below(inside) : (uint64_t)s.st_size;
    }
    if (d)
        closedir(d);
    return n;
}

/* The scratch folder becomes a disk of its own, which only this process sees. False: that is not allowed here. */
static bool mount_disk(const bench *b, const char *size)
{
    if (!unshare(CLONE_NEWNS) && !mount("none", "/", "", MS_REC | MS_PRIVATE, "") &&
        !mount("none", b->set.scratch, "tmpfs", 0, size))
        return true;
    print_message("mounting a small tmpfs: %s; a full disk is not tested\n", strerror(errno));
    return false;
}

static void unmount_disk(const bench *b)
{
    assert_int_equal(umount2(b->set.scratch, MNT_DETACH), 0);
}

static void disk_begin(bench *b, const variety *v, const char *size, uint64_t file_most)
{
    bench_prepare(b, v);
    if (!mount_disk(b, size)) {
        bench_close(b);
        skip();
    }
    b->set.file_most = file_most;
}

static void disk_end(bench *b)
{
    bench_hush(b);
    int left = files_below(b->set.scratch);
    unmount_disk(b);
    bench_close(b);
    assert_int_equal(left, 0);
}

/* Something else on the disk that takes all space, or that many bytes. */
static void add_ballast(const bench *b, char path[700], size_t most)
{
    static const char zeros[4096];
    size_t n = 0;
    snprintf(path, 700, "%s/ballast", b->set.scratch);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    while (n < most && write(fd, zeros, sizeof zeros) > 0)
        n += sizeof zeros;
    close(fd);
}

static void test_full_disk(void **state)
{
    bench b;
    waitio__link end[2];
    stream in = {0}, out = {0};
    char ballast[700];
    int code = 0;
    disk_begin(&b, *state, "size=1m", 64 << 20);
    bench_listen(&b);
    bench_connect(&b, &end[0], &end[1]);
    assert_true(stream_write_all(&out, &end[0], 1));
    assert_true(stream_read_all(&in, &end[1], 1));
    add_ballast(&b, ballast, 400000);
    for (int i = 0; i < 1000 && !code; i++)
        code = stream_write(&out, &end[0], 100000);
    assert_int_equal(code, WAITIO__AGAIN);
    const char *trouble = waitio__file.trouble(&end[0]);
    bool is_named = trouble && strstr(trouble, b.set.scratch);
    assert_int_equal(unlink(ballast), 0);
    assert_true(stream_write_all(&out, &end[0], 100000));
    assert_null(waitio__file.trouble(&end[0]));
    assert_true(stream_read_all(&in, &end[1], (size_t)(out.at - in.at)));
    drop(&end[0]);
    drop(&end[1]);
    disk_end(&b);
    assert_true(is_named);
}

/* Much more goes through a disk that is smaller than what one file may have. */
static void test_small_disk(void **state)
{
    bench b;
    waitio__link end[2];
    stream in = {0}, out = {0};
    const uint64_t all = 40000000;
    disk_begin(&b, *state, "size=6m", 16 << 20);
    bench_listen(&b);
    bench_connect(&b, &end[0], &end[1]);
    double until = deadline();
    for (int i = 0; in.at < all && h3ou__now() < until; i++) {
        if (out.at < all)
            stream_write(&out, &end[0], (size_t)(all - out.at));
        if (i % 4 == 0 || out.at == all)
            for (int k = 0; k < 4 && in.at < all; k++)
                stream_read(&in, &end[1], (size_t)(all - in.at));
    }
    bool is_through = in.at == all;
    drop(&end[0]);
    drop(&end[1]);
    disk_end(&b);
    assert_true(is_through);
}

/* What was read does not fill the disk for others while its writer has nothing more to say. */
static void test_idle(void **state)
{
    bench b;
    waitio__link end[2];
    stream in = {0}, out = {0};
    bench_prepare(&b, *state);
    b.set.file_most = 16 << 20;
    bench_listen(&b);
    bench_connect(&b, &end[0], &end[1]);
    assert_true(stream_write_all(&out, &end[0], 3000000));
    assert_true(stream_read_all(&in, &end[1], 3000000));
    double until = deadline();
    while (bytes_below(b.set.scratch) > 50000 && h3ou__now() < until) {
        waitio__link_ready(&end[0], false);
        h3ou__sleep(0.01);
    }
    assert_in_range(bytes_below(b.set.scratch), 0, 50000);
    assert_true(stream_write_all(&out, &end[0], 3000000));
    assert_true(stream_read_all(&in, &end[1], 3000000));
    drop(&end[0]);
    drop(&end[1]);
    bench_close(&b);
}

/* Returns whether an event loop sleeps although `move` has moved nothing and must be tried again. */
static bool does_sleep(waitio__link *link, int (*move)(stream *, waitio__link *, size_t), stream *of, bool write)
{
    enum { TURNS = 60 };
    sleeper s;
    sleeper_open(&s, link);
    waitio__hub_want(&s.hub, &s.source, write);
    for (int i = 0; i < TURNS; i++) {
        assert_int_equal(move(of, link, 1000), WAITIO__AGAIN);
        waitio__hub_turn(&s.hub, 1);
    }
    bool is = s.hub.sleeps >= TURNS / 10; /* on a slow machine the next attempt may be due at once */
    sleeper_close(&s);
    return is;
}

static void test_full_disk_sleeps(void **state)
{
    bench b;
    waitio__link end[2];
    stream out = {0};
    char ballast[700];
    disk_begin(&b, *state, "size=1m", 64 << 20);
    bench_listen(&b);
    bench_connect(&b, &end[0], &end[1]);
    add_ballast(&b, ballast, SIZE_MAX);
    while (!stream_write(&out, &end[0], 100000))
        ;
    bool sleeps = does_sleep(&end[0], stream_write, &out, true);
    assert_int_equal(unlink(ballast), 0);
    drop(&end[0]);
    drop(&end[1]);
    disk_end(&b);
    assert_true(sleeps);
}

static void test_late_bytes_sleep(void **state)
{
    stranger s;
    stream in = {0};
    stranger_open(&s, *state);
    tell(&s, 100, 0);
    bool sleeps = does_sleep(&s.link, stream_read, &in, false);
    put_file(&s, "link.a0", bytes_of(0, 100), 100, 0);
    assert_true(stream_read_all(&in, &s.link, 100));
    stranger_close(&s);
    assert_true(sleeps);
}

/* A link that is wanted while the disk is full is made when there is space, and an attempt leaves nothing behind. */
static void test_full_disk_connect(void **state)
{
    bench b;
    waitio__link end[2];
    stream in = {0}, out = {0};
    char ballast[700];
    disk_begin(&b, *state, "size=1m", 1 << 20);
    bench_listen(&b);
    int before = files_below(b.set.scratch) + 1; /* with the ballast */
    add_ballast(&b, ballast, SIZE_MAX);
    assert_int_equal(b.v->conduit->open(&b.set, &b.at, &end[0]), 0);
    assert_int_equal(b.v->conduit->opened(&end[0]), H3OU__EFILE);
    assert_non_null(strstr(h3ou__fail_text(), b.set.scratch));
    drop(&end[0]);
    assert_int_equal(files_below(b.set.scratch), before);
    assert_int_equal(unlink(ballast), 0);
    assert_int_equal(b.v->conduit->open(&b.set, &b.at, &end[0]), 0);
    finish_opening(&end[0]);
    add_ballast(&b, ballast, SIZE_MAX);
    for (int i = 0; i < 3; i++)
        assert_int_equal(b.v->conduit->accept(&b.listener, &end[1]), WAITIO__AGAIN);
    assert_int_equal(unlink(ballast), 0);
    bench_accept(&b, &end[1]);
    assert_true(stream_write_all(&out, &end[1], 1000));
    assert_true(stream_read_all(&in, &end[0], 1000));
    drop(&end[0]);
    drop(&end[1]);
    disk_end(&b);
}

/* A process rings just after the sleep is over, and after its bytes were read: that does not keep the other awake. */
static void test_late_ring(void **state)
{
    bench b;
    waitio__link end[2];
    stream in = {0}, out = {0};
    sleeper s;
    char run[1000], path[1000], record[1100] = "", byte;
    struct dirent *e;
    int n = 1;
    bench_open(&b, *state);
    bench_connect(&b, &end[0], &end[1]);
    assert_true(stream_write_all(&out, &end[0], 10));
    assert_true(stream_read_all(&in, &end[1], 10));
    sleeper_open(&s, &end[1]);
    waitio__hub_turn(&s.hub, 0.01);
    assert_true(stream_write_all(&out, &end[0], 10));
    assert_true(stream_read_all(&in, &end[1], 10));
    only_entry(b.set.scratch, run);
    only_entry(run, path);
    DIR *d = opendir(path);
    while (d && (e = readdir(d)) != NULL)
        if (strlen(e->d_name) > 2 && !strcmp(e->d_name + strlen(e->d_name) - 2, ".a"))
            snprintf(record, sizeof record, "%.800s/%.200s", path, e->d_name);
    closedir(d);
    int fd = open(record, O_RDWR | O_CLOEXEC);
    assert_int_equal(pread(fd, &byte, 1, 0), 1);
    assert_int_equal(pwrite(fd, &byte, 1, 0), 1);
    close(fd);
    for (int i = 0; i < 20 && n; i++) {
        n = waitio__hub_turn(&s.hub, 0);
        if (n)
            assert_int_equal(stream_read(&in, &end[1], 10), WAITIO__AGAIN);
    }
    sleeper_close(&s);
    drop(&end[0]);
    drop(&end[1]);
    bench_close(&b);
    assert_int_equal(n, 0);
}

static void test_space(void **state)
{
    enum { RECORDS = 2 * 4096 + 4096 };
    bench b;
    waitio__link end[2];
    stream in = {0}, out = {0};
    uint64_t all = 50000000, largest = 0;
    bench_open(&b, *state);
    bench_connect(&b, &end[0], &end[1]);
    double until = deadline();
    for (int i = 0; in.at < all && h3ou__now() < until; i++) {
        if (out.at < all)
            stream_write(&out, &end[0], (size_t)(all - out.at));
        if (i % 3 && in.at < all)
            stream_read(&in, &end[1], (size_t)(all - in.at));
        if (i % 50 == 0) {
            uint64_t now = bytes_below(b.set.scratch);
            largest = now > largest ? now : largest;
        }
    }
    assert_true(in.at == all);
    assert_in_range(largest, 1, MOST + RECORDS);
    drop(&end[0]);
    drop(&end[1]);
    bench_close(&b);
}

/* The writer stops just where a file ends, or beside it; nothing is left, whoever closes first. */
static void test_last_file(void **state)
{
    static const size_t length[] = {SPAN - 1, SPAN, SPAN + 1, MOST, 3 * SPAN, 3 * SPAN + 1};
    for (size_t i = 0; i < 2 * sizeof length / sizeof length[0]; i++) {
        bench b;
        waitio__link end[2];
        stream in = {0}, out = {0};
        bench_open(&b, *state);
        bench_connect(&b, &end[0], &end[1]);
        double until = deadline();
        while (out.at < length[i / 2] && h3ou__now() < until)
            if (stream_write(&out, &end[0], (size_t)(length[i / 2] - out.at)) == WAITIO__AGAIN)
                stream_read(&in, &end[1], 100000);
        if (i % 2)
            drop(&end[0]);
        assert_true(stream_read_all(&in, &end[1], (size_t)(length[i / 2] - in.at)));
        drop(&end[1]);
        if (!(i % 2))
            drop(&end[0]);
        bench_close(&b);
    }
}

/* The two ends were told different sizes. */
static void test_different_sizes(void **state)
{
    bench b;
    waitio__link end[2];
    stream in[2] = {{0}}, out[2] = {{0}};
    uint64_t all = 3000000;
    bench_open(&b, *state);
    b.set.file_most = 300000;
    bench_connect(&b, &end[0], &end[1]);
    double until = deadline();
    while ((in[0].at < all || in[1].at < all) && h3ou__now() < until)
        for (int i = 0; i < 2; i++) {
            if (out[i].at < all)
                stream_write(&out[i], &end[i], (size_t)(all - out[i].at));
            if (in[i].at < all)
                stream_read(&in[i], &end[i], (size_t)(all - in[i].at));
        }
    assert_true(in[0].at == all && in[1].at == all);
    drop(&end[0]);
    drop(&end[1]);
    bench_close(&b);
}

/* Who comes finds the folder that who leaves is about to remove. */
static void come_and_go(bench *b, int times)
{
    for (int i = 0; i < times; i++) {
        bench_listen(b);
        bench_hush(b);
    }
}

static void test_coming_and_going(void **state)
{
    bench b, other;
    int status;
    bench_prepare(&b, *state);
    other = b;
    other.at.port++;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        alarm(60);
        come_and_go(&other, 150);
        _exit(0);
    }
    come_and_go(&b, 150);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    bench_close(&b);
}

/* In another namespace of processes, as in a container: talks to the listener, and ends without goodbye. */
static int talk_from_container(bench *b, bool says_goodbye)
{
    waitio__link link;
    stream in = {0}, out = {0};
    assert_int_equal(b->v->conduit->open(&b->set, &b->at, &link), 0);
    finish_opening(&link);
    bool is_well = stream_write_all(&out, &link, 1000) && stream_read_all(&in, &link, 1000);
    if (is_well && says_goodbye)
        drop(&link);
    return is_well ? 0 : 1;
}

static pid_t start_container(bench *b, bool says_goodbye)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (unshare(CLONE_NEWPID))
        _exit(77);
    pid = fork();
    if (!pid) {
        alarm(60);
        _exit(talk_from_container(b, says_goodbye));
    }
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        _exit(2);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 3);
}

static void test_containers(void **state)
{
    bench b;
    waitio__link link;
    stream in = {0}, out = {0};
    int status;
    const variety *v = *state;
    bench_open(&b, v);
    /* On a network's file system nobody knows whether a process of another namespace lives, as of another host. */
    pid_t pid = start_container(&b, v->file_polls);
    h3ou__sleep(0.01);
    if (waitpid(pid, &status, WNOHANG) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("a namespace of processes is not allowed here\n");
        bench_close(&b);
        skip();
    }
    bench_accept(&b, &link);
    assert_true(stream_read_all(&in, &link, 1000));
    h3ou__sleep(1.2); /* so that each looks once more whether the other lives */
    assert_true(stream_write_all(&out, &link, 1000));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(stream_read_to_end(&in, &link), WAITIO__EOF);
    drop(&link);
    bench_close(&b);
}

/* A process of another run that has a link to itself; *path: the run's folder. */
static pid_t start_run(const bench *like, int number, char path[1000])
{
    int ready[2];
    char byte;
    bench b = *like;
    b.set.instance += (uint64_t)number;
    snprintf(path, 1000, "%.500s/waitio-files-%u-%016llx", b.set.scratch, (unsigned)geteuid(),
             (unsigned long long)b.set.instance);
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        waitio__link end[2];
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        bench_listen(&b);
        bench_connect(&b, &end[0], &end[1]);
        if (write(ready[1], "", 1) == 1)
            pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void end_run(pid_t pid)
{
    int status;
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void make_older(const char *path, int seconds)
{
    char inside[1200];
    struct dirent *e;
    struct timespec t[2];
    DIR *d = opendir(path);
    while (d && (e = readdir(d)) != NULL)
        if (e->d_name[0] != '.') {
            snprintf(inside, sizeof inside, "%.900s/%s", path, e->d_name);
            make_older(inside, seconds);
        }
    if (d)
        closedir(d);
    clock_gettime(CLOCK_REALTIME, &t[0]);
    t[0].tv_sec -= seconds;
    t[1] = t[0];
    assert_int_equal(utimensat(AT_FDCWD, path, t, AT_SYMLINK_NOFOLLOW), 0);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* The first process of a run removes what killed runs left, and nothing else. */
static void test_sweep(void **state)
{
    enum { KILLED = 0, FRESH, LIVING, OTHERS };
    bench b;
    char path[4][1000];
    pid_t pid[3];
    bench_prepare(&b, *state);
    for (int i = 0; i < 3; i++)
        pid[i] = start_run(&b, i + 1, path[i]);
    end_run(pid[KILLED]);
    end_run(pid[FRESH]);
    make_older(path[KILLED], 300);
    make_older(path[LIVING], 300);
    snprintf(path[OTHERS], sizeof path[OTHERS], "%.500s/waitio-files-%u-0", b.set.scratch, (unsigned)geteuid() + 1);
    assert_int_equal(mkdir(path[OTHERS], 0700), 0);
    make_older(path[OTHERS], 300);
    bench_listen(&b);
    assert_false(is_there(path[KILLED]));
    assert_true(is_there(path[FRESH])); /* it might be coming */
    assert_true(is_there(path[LIVING]));
    assert_int_equal(files_below(path[LIVING]), 4);
    assert_true(is_there(path[OTHERS]));
    bench_hush(&b);
    end_run(pid[LIVING]);
    make_older(path[FRESH], 300);
    make_older(path[LIVING], 300);
    bench_listen(&b);
    assert_false(is_there(path[FRESH]));
    assert_false(is_there(path[LIVING]));
    rmdir(path[OTHERS]);
    bench_close(&b);
}

#define BOTH(name)                                                                                                     \
    {#name " (this host's)", name, NULL, NULL, (void *)(uintptr_t)&near},                                              \
    {                                                                                                                  \
#name " (a network's)", name, NULL, NULL, (void *)(uintptr_t)&far                                              \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {BOTH(test_torn_record),
                                       BOTH(test_late_bytes),
                                       BOTH(test_hostile_counts),
                                       BOTH(test_folder),
                                       BOTH(test_full_disk),
                                       BOTH(test_small_disk),
                                       BOTH(test_idle),
                                       BOTH(test_full_disk_sleeps),
                                       BOTH(test_late_bytes_sleep),
                                       BOTH(test_full_disk_connect),
                                       BOTH(test_late_ring),
                                       BOTH(test_space),
                                       BOTH(test_last_file),
                                       BOTH(test_different_sizes),
                                       BOTH(test_coming_and_going),
                                       BOTH(test_containers),
                                       BOTH(test_sweep)};
    return cmocka_run_group_tests_name("conduit_file", tests, NULL, NULL);
}
