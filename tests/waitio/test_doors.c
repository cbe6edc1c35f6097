/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who comes to the places where processes wait for each other (the master's port, a process's port, the place where a
 * job without MPI meets), and does not belong to the run: it gets nothing, and keeps nobody from anything.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/os_clock.h"
#include "run.h"
#include "waitio/identity/greeting.h"

enum { LIMIT = 256, SILENT = 300, FILES = 150 };

static int connect_soon(int port)
{
    int fd;
    double end = h3ou__now() + 10;
    while ((fd = connect_to(port)) < 0 && h3ou__now() < end)
        h3ou__sleep(0.01);
    return fd;
}

static void close_many(int fd[], int n)
{
    for (int i = 0; i < n; i++)
        close(fd[i]);
}

/* False: they could not be made, and none is open. */
static bool connect_many(int fd[SILENT], int port)
{
    int n = 0;
    while (n < SILENT && (fd[n] = connect_soon(port)) >= 0)
        n++;
    if (n < SILENT)

        close_many(fd, n);
    return n == SILENT;
}

/* How many files a model can open here. */
static int open_files(void)
{
    FILE *f[FILES];
    int n = 0;
    while (n < FILES && (f[n] = fopen("/dev/null", "r")) != NULL)
        n++;
    for (int i = 0; i < n; i++)
        fclose(f[i]);
    return n;
}

static int besieged(seat *me)
{
    struct rlimit limit;
    char word[8] = "";
    waitio_req_t receive;
    setenv("WAITIO_ROUTES", "tcp", 1);
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return 1;
    limit.rlim_cur = LIMIT;
    if (setrlimit(RLIMIT_NOFILE, &limit))
        return 1;
    if (seat_join(me, 5))
        return 2;
    me->step = 1;
    if (seat_turn(me, 1))
        return seat_keep(me, 3);
    if (open_files() < FILES)
        return 4;
    waitio_group_t all = group_of_all(0);
    waitio_irecv(all, 1, word, sizeof word, 0, &receive);
    me->step = 2;
    if (waitio_wait(&receive) || strcmp(word, "through"))
        return seat_keep(me, 5);
    return seat_keep(me, waitio_finalize());
}

static int comes_through(seat *me)
{
    char word[8] = "through";
    waitio_req_t send;
    setenv("WAITIO_ROUTES", "tcp", 1);
    if (seat_join(me, 5))
        return 2;
    me->step = 1;
    seat_turn(me, 1);
    waitio_isend(group_of_all(0), 0, word, sizeof word, 0, &send);
    if (waitio_wait(&send))
        return seat_keep(me, 5);
    return seat_keep(me, waitio_finalize());
}

/* Connections that say nothing, more than the process may have descriptors: jobs join, the model opens its files, and
 * messages find their way. */
static void test_silence(void **state)
{
    (void)state;
    run r;
    int gate[SILENT], ear[SILENT];
    run_begin(&r, 2, (int[]){1, 1});
    seat *s = run_start(&r, 0, 0, besieged);
    bool besieges = connect_many(gate, r.port);
    seat *other = run_start(&r, 1, 0, comes_through);
    bool joined = seat_reaches(s, 1, 20) && seat_reaches(other, 1, 20);
    joined = joined && connect_many(ear, s->ear);
    s->go = 1;
    bool was_ready = joined && seat_reaches(s, 2, 20);
    other->go = 1;
    assert_true(run_end(&r, 30));
    for (int i = 0; i < 2; i++) {
        if (r.seat[i].code)
            print_message("PB %d: %d %s\n", r.seat[i].pb, r.seat[i].code, r.seat[i].text);
        assert_int_equal(r.seat[i].code, 0);
    }
    assert_true(besieges && was_ready);
    close_many(gate, SILENT);
    close_many(ear, SILENT);
    run_close(&r);
}

/* A process that knows the secret, greets many times, and never says that it wants to join. */
typedef struct crowd {
    waitio__memory memory;
    waitio__hub hub;
    waitio__greetings greetings;
    waitio__key key;
    waitio__link link[SILENT];
    int nlink, nfailed;
} crowd;

static void crowd_speaks(void *owner, waitio__greet *proof)
{
    (void)owner;
    (void)proof;
}

static void crowd_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    crowd *c = owner;
    (void)g;
    if (other->verdict == WAITIO__TAKEN)
        c->link[c->nlink++] = *link;
}

static void crowd_failed(void *owner, waitio__greeting *g, int code)
{
    (void)g;
    (void)code;
    ((crowd *)owner)->nfailed++;
}

static void crowd_gathers(crowd *c, int port)
{
    static const waitio__greeting_ops ops = {.speak = crowd_speaks, .greeted = crowd_greeted, .failed = crowd_failed};
    waitio__key secret;
    waitio__address at;
    int n;
    memset(c, 0, sizeof *c);
    assert_int_equal(waitio__secret_read(&secret), 0);
    waitio__key_derive(&secret, "join", 0, &c->key);
    assert_int_equal(h3ou__address_resolve("127.0.0.1", port, &at, 1, &n), 0);
    assert_int_equal(waitio__hub_open(&c->hub, &c->memory), 0);
    waitio__greetings_open(&c->greetings, &c->hub);
    for (int i = 0; i < SILENT; i++) {
        waitio__link link;
        waitio__greet hello = {.purpose = WAITIO__FOR_JOIN, .source = 1};
        assert_int_equal(waitio__tcp.open(NULL, &at, &link), 0);
        assert_non_null(waitio__greeting_open(&c->greetings, &link, &hello, &c->key, &ops, c));
        double end = h3ou__now() + 5;
        while (c->greetings.n && h3ou__now() < end)
            waitio__hub_turn(&c->hub, 0.01);
        waitio__greetings_free_dead(&c->greetings);
    }
}

static void crowd_leaves(crowd *c)
{
    for (int i = 0; i < c->nlink; i++)
        c->link[i].conduit->close(&c->link[i]);
    waitio__greetings_free(&c->greetings);
    waitio__hub_close(&c->hub);
    waitio__memory_free(&c->memory);
}

/* Of those who have greeted the master and then say nothing, only a few may stay. */
static void test_greeted_and_silent(void **state)
{
    (void)state;
    run r;
    static crowd c;
    run_begin(&r, 2, (int[]){1, 1});
    seat *s = run_start(&r, 0, 0, besieged);
    int first = connect_soon(r.port);
    assert_true(first >= 0);
    close(first);
    crowd_gathers(&c, r.port);
    assert_true(c.nlink > SILENT / 2); /* or the test would show nothing */
    seat *other = run_start(&r, 1, 0, comes_through);
    bool joined = seat_reaches(s, 1, 20) && seat_reaches(other, 1, 20);
    s->go = 1;
    joined = joined && seat_reaches(s, 2, 20);
    other->go = 1;
    assert_true(run_end(&r, 30));
    crowd_leaves(&c);
    for (int i = 0; i < 2; i++) {
        if (r.seat[i].code)
            print_message("PB %d: %d %s\n", r.seat[i].pb, r.seat[i].code, r.seat[i].text);
        assert_int_equal(r.seat[i].code, 0);
    }
    assert_true(joined);
    run_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_greeted_and_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
