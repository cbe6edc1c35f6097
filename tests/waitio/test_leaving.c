/* SPDX-License-Identifier: BSD-3-Clause */
/* Who leaves says what it will not take: senders get their error at once, by each conduit, and nobody waits for
 * patience to end (here an hour). */
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/os_clock.h"
#include "run.h"

enum { LONG = 3 << 20, SHORT = 60000, MANY = 15, WITHIN = 30 /* s */ };

static char scratch[] = "/tmp/leaving-XXXXXX";
static const char *const ways[][5] = {
    {"WAITIO_ROUTES", "tcp"},
    {"WAITIO_ROUTES", "unix"},
    {"WAITIO_ROUTES", "shm", "WAITIO_SINGLE_COPY", "0"},
    {"WAITIO_ROUTES", "shm", "WAITIO_SINGLE_COPY", "1"},
    {"WAITIO_COMM_TYPE", "file", "WAITIO_MAXFILE_SIZE_PER_PROC", "131072"},
};
enum { WAYS = sizeof ways / sizeof *ways };

static char buffer[MANY][LONG];

static int bad(seat *me, int number, const char *what)
{
    snprintf(me->text, sizeof me->text, "%s: %s", what, waitio_error());
    return number;
}

static int (*scene)(seat *me, waitio_group_t g);

static int play(seat *me)
{
    if (seat_join(me, 20))
        return 1;
    waitio_group_t g = group_of_all(0);
    int code = g ? scene(me, g) : bad(me, 2, "group");
    return code;
}

/* By each way: PB 1's process and PB 0's. `during` looks at the run while it goes on. */
static void each_way(int (*s)(seat *, waitio_group_t), int npb, void (*during)(run *r), const char *of_0,
                     const char *of_1)
{
    scene = s;
    for (int i = 0; i < WAYS; i++) {
        run r;
        for (int k = 0; k < 4 && ways[i][k]; k += 2)
            setenv(ways[i][k], ways[i][k + 1], 1);
        run_begin(&r, npb, (int[]){npb == 1 ? 2 : 1, 1});
        run_start_all(&r, play);
        if (during)
            during(&r);
        bool well = run_end(&r, WITHIN);
        for (int k = 0; k < 2; k++) {
            const char *part = k ? of_1 : of_0;
            const seat *at = &r.seat[k];
            bool is_right = !part || (!at->status && !at->code && strstr(at->text, part));
            if (!is_right)
                print_message("%s %s, process %d: code %d, status %d: \"%s\", expected \"%s\"\n", ways[i][0],
                              ways[i][1], k, at->code, at->status, at->text, part);
            well = well && is_right;
        }
        for (int k = 0; k < 4 && ways[i][k]; k += 2)
            unsetenv(ways[i][k]);
        assert_true(well);
        run_close(&r);
    }
}

/* The call failed since the other process has gone; keeps the sentence. */
static int expect_gone(seat *me, int code)
{
    if (code != WAITIO_EPEER)
        return bad(me, 10, "no WAITIO_EPEER");
    seat_keep(me, code);
    return 0;
}

/* PB 1 has heard of a long message, or has not, and leaves without receiving it. */
static int is_not_taken(seat *me, waitio_group_t g)
{
    waitio_req_t req;
    waitio_status_t st;
    char word = 0;
    if (me->pb == 1) {
        bool hears = me->go;
        if (waitio_irecv(g, 0, &word, 1, 1, &req) || waitio_wait(&req))
            return bad(me, 3, "word");
        if (hears && waitio_probe(g, 0, 2, -1, &st))
            return bad(me, 4, "probe");
        return waitio_finalize() ? bad(me, 5, "finalize") : 0;
    }
    if (waitio_isend(g, 1, &word, 1, 1, &req) || waitio_wait(&req) || waitio_isend(g, 1, buffer[0], LONG, 2, &req))
        return bad(me, 6, "isend");
    int code = expect_gone(me, waitio_wait(&req));
    return code || !waitio_finalize() ? code : bad(me, 7, "finalize");
}

static void let_hear(run *r)
{
    r->seat[1].go = 1;
}

static void test_not_taken(void **state)
{
    (void)state;
    each_way(is_not_taken, 2, let_hear,
             "has left the run (waitio_finalize) without taking a message of 3145728 bytes, tag 2", "");
    each_way(is_not_taken, 2, NULL, "has left the run (waitio_finalize)", "");
}

/* Both have announced a long message to the other, and both leave. */
static int neither_takes(seat *me, waitio_group_t g)
{
    waitio_req_t req;
    waitio_status_t st;
    if (waitio_isend(g, 1 - me->pb, buffer[0], LONG, 2, &req) || waitio_probe(g, 1 - me->pb, 2, -1, &st))
        return bad(me, 3, "start");
    return expect_gone(me, waitio_finalize());
}

static void test_neither_takes(void **state)
{
    (void)state;
    each_way(neither_takes, 2, NULL, "without taking a message of 3145728 bytes, tag 2",
             "without taking a message of 3145728 bytes, tag 2");
}

/* More than PB 1 has room for, so that some wait at their sender. PB 1 itself sends, too, so it cannot say goodbye
 * before PB 0 has received, which it does after its sends. */
static int waits_for_room(seat *me, waitio_group_t g)
{
    enum { N = 60 };
    waitio_req_t req[N], back;
    waitio_status_t st;
    int gone = 0;
    if (me->pb == 1) {
        if (waitio_isend(g, 0, buffer[0], LONG, 3, &back) || waitio_probe(g, 0, 2, -1, &st))
            return bad(me, 3, "start");
        return waitio_finalize() ? bad(me, 4, "finalize") : 0;
    }
    for (int i = 0; i < N; i++)
        if (waitio_isend(g, 1, buffer[1], i == N - 1 ? LONG : 1000, 2, &req[i]))
            return bad(me, 5, "isend");
    for (int i = 0; i < N; i++)
        gone = waitio_wait(&req[i]);
    int code = expect_gone(me, gone);
    if (!code && (waitio_irecv(g, 1, buffer[0], LONG, 3, &back) || waitio_wait(&back)))
        return bad(me, 6, "receive");
    return code || !waitio_finalize() ? code : bad(me, 7, "finalize");
}

static void test_waits_for_room(void **state)
{
    (void)state;
    setenv("WAITIO_CREDIT", "8192", 1);
    each_way(waits_for_room, 2, NULL, "without taking a message of 3145728 bytes, tag 2", "");
    unsetenv("WAITIO_CREDIT");
}

/* A long message to oneself that is never received. */
static int to_itself(seat *me, waitio_group_t g)
{
    waitio_req_t req;
    if (waitio_isend(g, me->rank, buffer[0], LONG, 2, &req))
        return bad(me, 3, "isend");
    return expect_gone(me, waitio_finalize());
}

static void test_to_itself(void **state)
{
    (void)state;
    each_way(to_itself, 1, NULL, "without taking a message of 3145728 bytes, tag 2",
             "without taking a message of 3145728 bytes, tag 2");
}

/* PB 1 waits in finalize, its goodbye said, and is stopped; PB 0 sends more than the connection holds; PB 1 is
 * killed. */
static int sends_to_the_dead(seat *me, waitio_group_t g)
{
    waitio_req_t req[MANY];
    int gone = 0;
    if (waitio_irecv(g, 1 - me->pb, buffer[0], 8, 1, &req[0]) ||
        waitio_isend(g, 1 - me->pb, buffer[1], 8, 1, &req[1]) || waitio_waitall(2, req, NULL))
        return bad(me, 3, "start");
    me->step = 1;
    if (me->pb == 1) {
        waitio_finalize();
        return 4;
    }
    seat_idle(me, 1);
    for (int i = 0; i < MANY; i++)
        if (waitio_isend(g, 1, buffer[i], SHORT, 1, &req[i]))
            return bad(me, 5, "isend");
    me->step = 2;
    for (int i = 0; i < MANY; i++)
        gone = waitio_wait(&req[i]);
    return expect_gone(me, gone);
}

static void stop_and_kill(run *r)
{
    assert_true(seat_reaches(&r->seat[0], 1, WITHIN) && seat_reaches(&r->seat[1], 1, WITHIN));
    h3ou__sleep(0.3); /* for the goodbye; without it the test would say less, but not fail */
    kill(r->seat[1].pid, SIGSTOP);
    r->seat[0].go = 1;
    assert_true(seat_reaches(&r->seat[0], 2, WITHIN));
    h3ou__sleep(0.3); /* for the sender to read the goodbye; as above */
    seat_kill(&r->seat[1]);
}

static void test_killed_in_leaving(void **state)
{
    (void)state;
    each_way(sends_to_the_dead, 2, stop_and_kill, "PB 1 rank 0 at 127.0.0.1", NULL);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_taken),         cmocka_unit_test(test_neither_takes),
        cmocka_unit_test(test_waits_for_room),    cmocka_unit_test(test_to_itself),
        cmocka_unit_test(test_killed_in_leaving),
    };
    if (!mkdtemp(scratch) || setenv("WAITIO_SCRATCH_DIR", scratch, 1))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return failed;
}
