/* SPDX-License-Identifier: BSD-3-Clause */
/* Every conduit is held to the text of conduit.h by the same cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "conduit_kit.h"
#include "os/os_clock.h"

static void test_listen(void **state)
{
    bench b;
    waitio__link second;
    bench_open(&b, *state);
    assert_ptr_equal(waitio__conduit_find(b.v->conduit->name), b.v->conduit);
    assert_ptr_equal(b.listener.conduit, b.v->conduit);
    assert_true(b.at.port != 0);
    assert_int_equal(b.v->conduit->accept(&b.listener, &second), WAITIO__AGAIN);
    assert_int_equal(b.v->conduit->listen(&b.set, &b.at, &second, NULL), H3OU__EREFUSED);
    bench_hush(&b);
    assert_int_equal(b.v->conduit->listen(&b.set, &b.at, &second, NULL), 0);
    drop(&second);
    bench_close(&b);
}

enum { MOST = 16 }; /* varieties */

/* Every conduit of the library's table is held to these cases. */
static void test_all_are_here(void **state)
{
    (void)state;
    assert_true(nvarieties <= MOST);
    for (int i = 0; waitio__conduits[i]; i++) {
        int k = 0;
        while (k < nvarieties && varieties[k].conduit != waitio__conduits[i])
            k++;
        if (k == nvarieties)
            fail_msg("%s has no row in varieties (conduit_kit.c)", waitio__conduits[i]->name);
    }
}

/* Nobody listens: refused, or as the files do it, waits until somebody does. */
static void test_refused(void **state)
{
    bench b;
    waitio__link a, c;
    bench_open(&b, *state);
    bench_hush(&b); /* so that the address is one that nobody has */
    int code = b.v->conduit->open(&b.set, &b.at, &a);
    double end = deadline();
    for (int i = 0; !code && (b.v->waits ? i < 20 : h3ou__now() < end); i++) {
        code = a.conduit->opened(&a);
        assert_int_not_equal(code, 0);
        code = code == WAITIO__AGAIN ? 0 : code;
        h3ou__sleep(0.001);
    }
    if (b.v->waits) {
        stream in = {0}, out = {0};
        assert_int_equal(code, 0);
        bench_listen(&b);
        finish_opening(&a);
        bench_accept(&b, &c);
        assert_true(stream_write_all(&out, &a, 1000));
        assert_true(stream_read_all(&in, &c, 1000));
        drop(&a);
        drop(&c);
    } else {
        assert_int_equal(code, H3OU__EREFUSED);
        assert_true(strlen(h3ou__fail_text()) > 0);
        drop(&a);
    }
    bench_close(&b);
}

static void test_many(void **state)
{
    enum { MANY = 20 };
    bench b;
    waitio__link a[MANY], c[MANY];
    stream in[MANY], out[MANY];
    bool is_met[MANY] = {false};
    bench_open(&b, *state);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(b.v->conduit->open(&b.set, &b.at, &a[i]), 0);
    for (int i = 0; i < MANY; i++) {
        struct iovec v = {&(unsigned char){(unsigned char)i}, 1};
        size_t moved;
        finish_opening(&a[i]);
        assert_int_equal(a[i].conduit->writev(&a[i], &v, 1, &moved), 0);
    }
    for (int i = 0; i < MANY; i++)
        bench_accept(&b, &c[i]);
    /* They may come in any order: each says which it is, and gets an answer of its own. */
    for (int i = 0; i < MANY; i++) {
        unsigned char number = 255;
        struct iovec v = {&number, 1};
        size_t moved = 0;
        double end = deadline();
        while (c[i].conduit->readv(&c[i], &v, 1, &moved) == WAITIO__AGAIN && h3ou__now() < end)
            h3ou__sleep(0.0005);
        assert_int_equal(moved, 1);
        assert_true(number < MANY && !is_met[number]);
        is_met[number] = true;
        in[number].at = out[i].at = 1000u * number;
        assert_true(stream_write_all(&out[i], &c[i], 3000));
    }
    for (int i = 0; i < MANY; i++)
        assert_true(stream_read_all(&in[i], &a[i], 3000));
    for (int i = 0; i < MANY; i++) {
        drop(i % 2 ? &a[i] : &c[i]);
        drop(i % 2 ? &c[i] : &a[i]);
    }
    bench_close(&b);
}

/* The listener goes on after its links have come and gone. */
static void test_again_and_again(void **state)
{
    bench b;
    waitio__link a, c;
    bench_open(&b, *state);
    for (int i = 0; i < 10; i++) {
        bench_connect(&b, &a, &c);
        if (i % 2) {
            stream in = {0}, out = {0};
            assert_true(stream_write_all(&out, &a, 100));
            assert_true(stream_read_all(&in, &c, 100));
        }
        drop(i % 4 < 2 ? &a : &c);
        drop(i % 4 < 2 ? &c : &a);
    }
    bench_close(&b);
}

static void test_stream(void **state)
{
    bench b;
    waitio__link end[2];
    stream in[2] = {{0}}, out[2] = {{0}};
    uint64_t all = 4000000;
    bench_open(&b, *state);
    bench_connect(&b, &end[0], &end[1]);
    double until = deadline();
    while ((in[0].at < all || in[1].at < all) && h3ou__now() < until) {
        int i = (int)dice(2), code = WAITIO__AGAIN;
        if (dice(2) && out[i].at < all)
            code = stream_write(&out[i], &end[i], (size_t)(all - out[i].at));
        else if (in[i].at < all)
            code = stream_read(&in[i], &end[i], (size_t)(all - in[i].at));
        assert_true(code == 0 || code == WAITIO__AGAIN);
    }
    assert_true(in[0].at == all && in[1].at == all);
    drop(&end[0]);
    drop(&end[1]);
    bench_close(&b);
}

/* A reader that does not read: the writer is told to wait, loses nothing, and goes on. */
static void test_full(void **state)
{
    bench b;
    waitio__link end[2];
    bench_open(&b, *state);
    for (int from = 0; from < 2; from++) {
        stream in = {0}, out = {0};
        bench_connect(&b, &end[0], &end[1]);
        assert_true(stream_write_all(&out, &end[from], 1));
        assert_true(stream_read_all(&in, &end[!from], 1));
        for (int again = 0; again < 3; again++) {
            int code = 0, tries = 0;
            while (out.at < (64u << 20) && (!code || tries++ < 5))
                code = stream_write(&out, &end[from], 200000);
            assert_int_equal(code, WAITIO__AGAIN);
            assert_true(stream_read_all(&in, &end[!from], (size_t)(out.at - in.at)));
            assert_true(stream_write_all(&out, &end[from], 10));
        }
        if (end[0].conduit->trouble)
            assert_null(end[from].conduit->trouble(&end[from]));
        drop(&end[from]);
        assert_int_equal(stream_read_to_end(&in, &end[!from]), WAITIO__EOF);
        assert_true(in.at == out.at);
        drop(&end[!from]);
    }
    bench_close(&b);
}

/* What was written before the close is read, then the end is told, and stays told. */
static void test_close(void **state)
{
    bench b;
    waitio__link end[2];
    bench_open(&b, *state);
    for (int how = 0; how < 6; how++) {
        int from = how % 2;
        stream in = {0}, out = {0};
        bench_connect(&b, &end[0], &end[1]);
        if (how >= 2)
            assert_true(stream_write_all(&out, &end[from], how < 4 ? 1 : 50000));
        drop(&end[from]);
        assert_int_equal(stream_read_to_end(&in, &end[!from]), WAITIO__EOF);
        assert_true(in.at == out.at);
        assert_int_equal(stream_read(&in, &end[!from], 100), WAITIO__EOF);
        drop(&end[!from]);
    }
    bench_close(&b);
}

static void *write_and_close(void *argument)
{
    stream out = {0};
    stream_write_all(&out, argument, 64);
    drop(argument);
    return NULL;
}

/* Written and closed while the other looks. */
static void test_close_meanwhile(void **state)
{
    bench b;
    bench_open(&b, *state);
    for (int i = 0; i < 60; i++) {
        waitio__link end[2];
        pthread_t thread;
        stream in = {0};
        int code = 0;
        bench_connect(&b, &end[0], &end[1]);
        double until = deadline();
        assert_int_equal(pthread_create(&thread, NULL, write_and_close, &end[i % 2]), 0);
        while ((!code || code == WAITIO__AGAIN) && h3ou__now() < until)
            code = stream_read(&in, &end[!(i % 2)], 1000);
        pthread_join(thread, NULL);
        assert_int_equal(code, WAITIO__EOF);
        assert_true(in.at == 64);
        drop(&end[!(i % 2)]);
    }
    bench_close(&b);
}

static void test_close_before_accept(void **state)
{
    bench b;
    waitio__link a, c;
    stream in = {0}, out = {0};
    bench_open(&b, *state);
    assert_int_equal(b.v->conduit->open(&b.set, &b.at, &a), 0);
    finish_opening(&a);
    assert_true(stream_write_all(&out, &a, 5000));
    drop(&a);
    bench_accept(&b, &c);
    assert_int_equal(stream_read_to_end(&in, &c), WAITIO__EOF);
    assert_true(in.at == 5000);
    drop(&c);
    bench_close(&b);
}

/* The listener goes away with somebody waiting at it. */
static void test_listener_leaves(void **state)
{
    bench b;
    waitio__link a;
    stream in = {0};
    bench_open(&b, *state);
    assert_int_equal(b.v->conduit->open(&b.set, &b.at, &a), 0);
    finish_opening(&a);
    bench_hush(&b);
    int code = stream_read_to_end(&in, &a);
    assert_true(code == WAITIO__EOF || code == H3OU__EPEER);
    drop(&a);
    bench_close(&b);
}

static void test_nothing_there(void **state)
{
    bench b;
    waitio__link end[2];
    bench_open(&b, *state);
    bench_connect(&b, &end[0], &end[1]);
    for (int i = 0; i < 2; i++) {
        stream in = {0};
        assert_int_equal(stream_read(&in, &end[i], 100), WAITIO__AGAIN);
        assert_false(waitio__link_ready(&end[i], false));
        if (end[i].conduit->trouble)
            assert_null(end[i].conduit->trouble(&end[i]));
        if (end[i].conduit->memory)
            assert_true(end[i].conduit->memory(&end[i]) < (64u << 20));
    }
    drop(&end[0]);
    drop(&end[1]);
    bench_close(&b);
}

/* A peer gone: a writer that goes on is told so at last. */
static void test_write_to_nobody(void **state)
{
    bench b;
    waitio__link end[2];
    stream in = {0}, out = {0};
    bench_open(&b, *state);
    bench_connect(&b, &end[0], &end[1]);
    drop(&end[1]);
    double until = deadline();
    int code = 0;
    while ((!code || code == WAITIO__AGAIN) && h3ou__now() < until) {
        code = stream_write(&out, &end[0], 100000);
        if (code == WAITIO__AGAIN) /* as every owner does when it wakes */
            assert_int_not_equal(stream_read(&in, &end[0], 10), 0);
    }
    assert_int_equal(code, H3OU__EPEER);
    drop(&end[0]);
    bench_close(&b);
}

static void test_peek(void **state)
{
    bench b;
    waitio__link end[2];
    stream in = {0}, out = {0};
    const waitio__conduit *c = ((const variety *)*state)->conduit;
    assert_int_equal(!c->peek, !c->taken);
    if (!c->peek)
        return;
    bench_open(&b, *state);
    bench_connect(&b, &end[0], &end[1]);
    assert_true(stream_write_all(&out, &end[0], 1));
    assert_true(stream_read_all(&in, &end[1], 1));
    double until = deadline();
    while (in.at < 2000000 && h3ou__now() < until) {
        const unsigned char *bytes = NULL;
        size_t n = 0;
        if (dice(3) && out.at < 2000000)
            stream_write(&out, &end[0], (size_t)(2000000 - out.at));
        c->peek(&end[1], &bytes, &n);
        if (!n)
            continue;
        assert_true(in.at + n <= out.at);
        assert_true(is_stream(in.at, bytes, n));
        n = 1 + (size_t)dice(n);
        c->taken(&end[1], n);
        in.at += n;
    }
    assert_true(in.at == 2000000);
    drop(&end[0]);
    drop(&end[1]);
    bench_close(&b);
}

typedef struct talk { /* of one end of a ping-pong */
    waitio__link link;
    int rounds;
    size_t longest;
    int code;
} talk;

static size_t length_of(int round, size_t longest)
{
    return 1 + (size_t)((unsigned)round * 2654435761u >> 8) % longest;
}

/* Whoever does not wake hangs, and the time limit of the test tells. */
static void *speak(void *argument)
{
    talk *t = argument;
    stream in = {0}, out = {0};
    sleeper s;
    sleeper_open(&s, &t->link);
    for (int i = 0; i < t->rounds && !t->code; i++) {
        t->code = sleeper_write(&s, &out, length_of(i, t->longest));
        if (!t->code)
            t->code = sleeper_read(&s, &in, length_of(i, t->longest));
    }
    sleeper_close(&s);
    return NULL;
}

static void *answer(void *argument)
{
    talk *t = argument;
    stream in = {0}, out = {0};
    sleeper s;
    sleeper_open(&s, &t->link);
    for (int i = 0; i < t->rounds && !t->code; i++) {
        t->code = sleeper_read(&s, &in, length_of(i, t->longest));
        if (!t->code)
            t->code = sleeper_write(&s, &out, length_of(i, t->longest));
    }
    sleeper_close(&s);
    return NULL;
}

static void ping_pong(const variety *v, int rounds, size_t longest)
{
    bench b;
    pthread_t thread;
    talk one = {.rounds = rounds, .longest = longest}, other = one;
    bench_open(&b, v);
    bench_connect(&b, &one.link, &other.link);
    assert_int_equal(pthread_create(&thread, NULL, answer, &other), 0);
    speak(&one);
    pthread_join(thread, NULL);
    assert_int_equal(one.code, 0);
    assert_int_equal(other.code, 0);
    drop(&one.link);
    drop(&other.link);
    bench_close(&b);
}

static void test_wakes(void **state)
{
    const variety *v = *state;
    ping_pong(v, v->rounds, 64);
}

/* Longer than what is on its way at most: writers sleep, too. */
static void test_wakes_writers(void **state)
{
    const variety *v = *state;
    ping_pong(v, v->file_polls ? 4 : 12, 3000000);
}

/* The parent's processes by the table are also those of the child: it asserts nothing, and only reports. */
static pid_t fork_opener(bench *b, void (*role)(waitio__link *))
{
    waitio__link link;
    pid_t pid = fork();
    if (pid)
        return pid;
    alarm(60);
    if (b->v->conduit->open(&b->set, &b->at, &link))
        _exit(1);
    finish_opening(&link);
    role(&link);
    _exit(0);
}

static void answer_200(waitio__link *link)
{
    talk t = {.link = *link, .rounds = 200, .longest = 1000};
    answer(&t);
    t.link.conduit->close(&t.link);
    _exit(t.code ? 2 : 0);
}

static void test_processes(void **state)
{
    bench b;
    int status;
    talk t = {.rounds = 200, .longest = 1000};
    bench_open(&b, *state);
    if (b.v->crosses) {
        pid_t pid = fork_opener(&b, answer_200);
        bench_accept(&b, &t.link);
        speak(&t);
        assert_int_equal(t.code, 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        drop(&t.link);
    }
    bench_close(&b);
}

static int told[2]; /* a pipe: the other process has written all */

static void say_and_wait(waitio__link *link)
{
    stream out = {0};
    stream_write_all(&out, link, 7000);
    if (write(told[1], "", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

/* A process that is killed leaves no word; what it had written is read before its end is told. */
static void test_killed(void **state)
{
    bench b;
    waitio__link link;
    stream in = {0}, beyond;
    sleeper s;
    bench_open(&b, *state);
    if (b.v->crosses) {
        char byte;
        assert_int_equal(pipe(told), 0);
        pid_t pid = fork_opener(&b, say_and_wait);
        bench_accept(&b, &link);
        sleeper_open(&s, &link);
        assert_int_equal(sleeper_read(&s, &in, 6000), 0);
        assert_int_equal(read(told[0], &byte, 1), 1);
        close(told[0]);
        close(told[1]);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        assert_int_equal(sleeper_read(&s, &in, 1000), 0);
        beyond = in;
        int code = sleeper_read(&s, &beyond, 1);
        assert_true(code == WAITIO__EOF || code == H3OU__EPEER);
        sleeper_close(&s);
        drop(&link);
    }
    bench_close(&b);
}

static void *close_soon(void *argument)
{
    h3ou__sleep(0.02);
    drop(argument);
    return NULL;
}

/* Whoever sleeps learns that the other closed. */
static void test_close_wakes(void **state)
{
    bench b;
    for (int i = 0; i < 10; i++) {
        waitio__link end[2];
        pthread_t thread;
        stream in = {0};
        sleeper s;
        bench_open(&b, *state);
        bench_connect(&b, &end[0], &end[1]);
        sleeper_open(&s, &end[i % 2]);
        assert_int_equal(pthread_create(&thread, NULL, close_soon, &end[!(i % 2)]), 0);
        assert_int_equal(sleeper_read(&s, &in, 1), WAITIO__EOF);
        pthread_join(thread, NULL);
        sleeper_close(&s);
        drop(&end[i % 2]);
        bench_close(&b);
    }
}

static int descriptors(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static int maps(void)
{
    char line[1000];
    int n = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        n += strstr(line, "memfd:waitio") || strstr(line, "waitio-files");
    if (f)
        fclose(f);
    return n;
}

static void test_leaks(void **state)
{
    int fds = descriptors(), shared = maps();
    bench b;
    bench_open(&b, *state);
    for (int i = 0; i < 20; i++) {
        waitio__link a, c;
        stream in = {0}, out = {0};
        if (i % 4 == 3) { /* never opened, never accepted */
            if (!b.v->conduit->open(&b.set, &b.at, &a))
                drop(&a);
            while (b.v->conduit->accept(&b.listener, &c) == 0)
                drop(&c);
            continue;
        }
        bench_connect(&b, &a, &c);
        if (i % 2) {
            assert_true(stream_write_all(&out, &a, 30000));
            assert_true(stream_read_all(&in, &c, i % 4 == 1 ? 30000 : 10));
        }
        drop(&a);
        drop(&c);
    }
    bench_close(&b);
    assert_int_equal(descriptors(), fds);
    assert_int_equal(maps(), shared);
}

static const struct {
    const char *name;
    void (*run)(void **);
} cases[] = {{"listen", test_listen},
             {"refused", test_refused},
             {"many links", test_many},
             {"again and again", test_again_and_again},
             {"stream", test_stream},
             {"full", test_full},
             {"close", test_close},
             {"close meanwhile", test_close_meanwhile},
             {"close before accept", test_close_before_accept},
             {"listener leaves", test_listener_leaves},
             {"nothing there", test_nothing_there},
             {"write to nobody", test_write_to_nobody},
             {"peek", test_peek},
             {"wakes", test_wakes},
             {"wakes writers", test_wakes_writers},
             {"processes", test_processes},
             {"killed", test_killed},
             {"close wakes", test_close_wakes},
             {"leaks", test_leaks}};

int main(int argc, char **argv)
{
    enum { CASES = sizeof cases / sizeof cases[0] };
    static struct CMUnitTest test[CASES * MOST + 1] = {cmocka_unit_test(test_all_are_here)};
    static char name[CASES * MOST][80];
    size_t n = 1;
    for (int v = 0; v < nvarieties && v < MOST; v++)
        for (int i = 0; i < CASES; i++) {
            snprintf(name[n - 1], sizeof name[n - 1], "%s: %s", varieties[v].name, cases[i].name);
            if (argc > 1 && !strstr(name[n - 1], argv[1])) /* some, for who looks for a fault */
                continue;
            test[n] = (struct CMUnitTest){name[n - 1], cases[i].run, NULL, NULL, (void *)(uintptr_t)&varieties[v]};
            n++;
        }
    return _cmocka_run_group_tests("conduits", test, n, NULL, NULL);
}
