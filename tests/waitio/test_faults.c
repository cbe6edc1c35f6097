/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes wrong in a run: killed processes, ended patience, strangers, abort. No call may hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/os_clock.h"
#include "run.h"
#include "waitio/message/instance.h"

static int bad(seat *me, int number, const char *what)
{
    snprintf(me->text, sizeof me->text, "%s: %s", what, waitio_error());
    return number;
}

/* The rank in the group of all. */
static int number(void)
{
    int rank = -1;
    waitio_group_t g = group_of_all(9);
    waitio_group_rank(g, &rank);
    waitio_group_free(g);
    return rank;
}

static char buffer[4 << 20];

static int receive(waitio_group_t g, int from, size_t n, int tag)
{
    waitio_req_t req;
    int code = waitio_irecv(g, from, buffer, n, tag, &req);
    return code ? code : waitio_wait(&req);
}

static int deliver(waitio_group_t g, int to, size_t n, int tag)
{
    waitio_req_t req;
    int code = waitio_isend(g, to, buffer, n, tag, &req);
    return code ? code : waitio_wait(&req);
}

/* Numbers 0 and 1 talk, then 0 waits for 1, which is killed. Number 2 never has to do with 1. */
static int waits_for_1(seat *me)
{
    if (waitio_set_name(me->pb ? "ocean" : "atmosphere") || seat_join(me, 10) ||
        waitio__instance_name_job(1, "component ocean"))
        return 1;
    waitio_group_t g = group_of_all(0);
    int n = number(), code = 0;
    if (n == 0)
        code = deliver(g, 1, 100, 1);
    if (n == 1)
        code = receive(g, 0, 100, 1);
    if (code)
        return bad(me, 2, "before");
    me->step = 1;
    if (n == 1)
        seat_idle(me, 1);
    code = receive(g, n == 0 ? 1 : 0, 8, 2);
    seat_keep(me, code);
    waitio_group_free(g);
    if (!waitio_finalize())
        return bad(me, 3, "finalize did not complain");
    return code;
}

static void test_killed_peer(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 3, (int[]){1, 1, 1});
    run_start_all(&r, waits_for_1);
    for (int i = 0; i < 3; i++)
        assert_true(seat_reaches(&r.seat[i], 1, 10));
    seat_kill(&r.seat[1]);
    assert_true(run_end(&r, 5));
    if (strstr(r.seat[0].text, "ocean (PB 1 rank 0 at 127.0.0.1:"))
        assert_true(seat_says(&r.seat[0], WAITIO_EPEER, "died or left without goodbye"));
    else
        assert_true(seat_says(&r.seat[0], WAITIO_EPEER, "the job of PB 1, component ocean, died"));
    assert_true(seat_says(&r.seat[2], WAITIO_EPEER, "the job of PB 1, component ocean, died"));
    run_close(&r);
}

static void test_killed_master(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 3, (int[]){1, 1, 1});
    for (int pb = 0; pb < 3; pb++)
        run_start(&r, (pb + 1) % 3, 0, waits_for_1);
    for (int i = 0; i < 3; i++)
        assert_true(seat_reaches(&r.seat[i], 1, 10));
    seat_kill(&r.seat[2]); /* PB 0: the others have nothing to do with each other */
    r.seat[0].go = 1;
    assert_true(run_end(&r, 5));
    assert_int_equal(r.seat[0].code, WAITIO_EPEER);
    assert_int_equal(r.seat[1].code, WAITIO_EPEER);
    run_close(&r);
}

/* PB 1's second process is killed before anybody connects to it; the others go on until they need it. */
static int goes_on_without(seat *me)
{
    if (seat_join(me, 10))
        return 1;
    waitio_group_t g = group_of_all(0);
    int n = number(), code = 0;
    me->step = 1;
    if (n == 2) {
        seat_idle(me, 1);
        return 2;
    }
    code = seat_turn(me, 1);
    for (int i = 0; i < 10 && !code; i++)
        code = n == 0 ? deliver(g, 1, 50000, i) : receive(g, 0, 50000, i);
    if (code)
        return bad(me, 3, "the others");
    if (n == 0)
        code = receive(g, 2, 8, 2);
    seat_keep(me, code);
    waitio_group_free(g);
    int end = waitio_finalize();
    if (n == 0 ? end != WAITIO_EPEER || !strstr(waitio_error(), "PB 1 rank 1") : end != 0)
        return bad(me, 4, "finalize");
    return code;
}

static void test_killed_unknown(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 2});
    run_start_all(&r, goes_on_without);
    for (int i = 0; i < 3; i++)
        assert_true(seat_reaches(&r.seat[i], 1, 10));
    seat_kill(&r.seat[2]);
    h3ou__sleep(0.1);
    r.seat[0].go = r.seat[1].go = 1;
    assert_true(run_end(&r, 10));
    assert_true(seat_says(&r.seat[0], WAITIO_EPEER, "PB 1 rank 1 at 127.0.0.1:"));
    assert_true(seat_says(&r.seat[0], WAITIO_EPEER, "it refuses connections"));
    assert_true(seat_says(&r.seat[1], 0, ""));
    run_close(&r);
}

/* Killed while a long message is on its way, in either direction. */
static int moves_much(seat *me)
{
    if (seat_join(me, 10))
        return 1;
    waitio_group_t g = group_of_all(0);
    int code = 0;
    for (int i = 0; !code; i++) {
        code = me->pb == 0 ? deliver(g, 1, sizeof buffer, 0) : receive(g, 0, sizeof buffer, 0);
        me->step = i;
    }
    seat_keep(me, code);
    waitio_group_free(g);
    waitio_finalize();
    return code;
}

static void test_killed_in_message(void **state)
{
    (void)state;
    for (int killed = 0; killed < 2; killed++) {
        run r;
        run_begin(&r, 2, (int[]){1, 1});
        run_start_all(&r, moves_much);
        assert_true(seat_reaches(&r.seat[1 - killed], 20, 20));
        seat_kill(&r.seat[killed]);
        assert_true(run_end(&r, 5));
        assert_int_equal(r.seat[1 - killed].code, WAITIO_EPEER);
        assert_non_null(strstr(r.seat[1 - killed].text, killed ? "PB 1" : "PB 0"));
        run_close(&r);
    }
}

/* Killed while the other waits in finalize for its goodbye: a King, and a process that is none. */
static int leaves(seat *me)
{
    if (seat_join(me, 10))
        return 1;
    waitio_group_t g = group_of_all(0);
    int n = number();
    int code = n == 0 ? deliver(g, 2, 8, 0) : n == 2 ? receive(g, 0, 8, 0) : 0;
    if (code)
        return bad(me, 2, "before");
    me->step = 1;
    if (n == 2)
        seat_idle(me, 1);
    waitio_group_free(g);
    return seat_keep(me, waitio_finalize());
}

static void test_killed_in_finalize(void **state)
{
    (void)state;
    for (int king = 0; king < 2; king++) {
        run r;
        run_begin(&r, king ? 3 : 2, king ? (int[]){1, 1, 1} : (int[]){1, 2});
        run_start_all(&r, leaves);
        for (int i = 0; i < 3; i++)
            assert_true(seat_reaches(&r.seat[i], 1, 10));
        h3ou__sleep(0.2);
        seat_kill(&r.seat[2]);
        assert_true(run_end(&r, 5));
        assert_int_equal(r.seat[0].code, WAITIO_EPEER);
        assert_non_null(strstr(r.seat[0].text, king ? "PB 2" : "PB 1 rank 1"));
        run_close(&r);
    }
}

static int impatient(seat *me)
{
    if (seat_join(me, 10) || waitio_set_patience(2))
        return 1;
    waitio_group_t g = group_of_all(3);
    if (me->pb == 1) {
        if (receive(g, 0, 8, 1))
            return bad(me, 2, "first");
        me->step = 1;
        seat_idle(me, 1);
        if (receive(g, 0, 8, 2) || deliver(g, 0, 8, 3))
            return bad(me, 3, "after");
    } else {
        deliver(g, 1, 8, 1);
        seat_idle(me, 1);
        if (receive(g, 1, 8, 5) != WAITIO_ETIMEOUT)
            return bad(me, 4, "no end of patience");
        seat_keep(me, WAITIO_ETIMEOUT);
        me->go = 2;
        /* A receive that was given up leaves no trace. */
        if (deliver(g, 1, 8, 2))
            return bad(me, 5, "after");
        me->step = 2;
        seat_idle(me, 3);
        if (receive(g, 1, 8, 3))
            return bad(me, 6, "after");
    }
    waitio_group_free(g);
    return waitio_finalize() ? bad(me, 7, "finalize") : 0;
}

static void test_patience(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, impatient);
    assert_true(seat_reaches(&r.seat[1], 1, 10));
    r.seat[0].go = 1;
    assert_true(seat_reaches(&r.seat[0], 2, 10));
    r.seat[1].go = 1;
    r.seat[0].go = 3;
    assert_true(run_end(&r, 10));
    assert_true(seat_says(&r.seat[0], 0, "patience ended: receive of at most 8 bytes from PB 1 rank 0 at 127.0.0.1:"));
    assert_true(seat_says(&r.seat[0], 0, "tag 5, group 3, waits since "));
    assert_true(seat_says(&r.seat[1], 0, ""));
    run_close(&r);
}

/* A long send that nobody receives, and a goodbye that does not come. */
static int impatient_sender(seat *me)
{
    if (seat_join(me, 10) || waitio_set_patience(2))
        return 1;
    waitio_group_t g = group_of_all(0);
    if (me->pb == 1) {
        seat_turn(me, 1);
        waitio_finalize();
        return 0;
    }
    int code = deliver(g, 1, sizeof buffer, 0);
    seat_keep(me, code);
    waitio_group_free(g);
    return waitio_finalize() == WAITIO_ETIMEOUT ? code : bad(me, 2, "finalize");
}

static int impatient_leaver(seat *me)
{
    if (seat_join(me, 10) || waitio_set_patience(2))
        return 1;
    if (me->pb == 1)
        seat_idle(me, 1);
    return seat_keep(me, waitio_finalize());
}

static void test_patience_of_senders(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, impatient_sender);
    while (r.seat[0].code == 0 && !*r.seat[0].text)
        h3ou__sleep(0.01);
    r.seat[1].go = 1;
    assert_true(run_end(&r, 10));
    assert_true(seat_says(&r.seat[0], WAITIO_ETIMEOUT, "patience ended: send of 4194304 bytes to PB 1 rank 0"));
    run_close(&r);
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, impatient_leaver);
    while (r.seat[0].code == 0 && !*r.seat[0].text)
        h3ou__sleep(0.01);
    r.seat[1].go = 1;
    assert_true(run_end(&r, 10));
    assert_true(seat_says(&r.seat[0], WAITIO_ETIMEOUT, "waitio_finalize: patience ended after 2 s"));
    assert_true(seat_says(&r.seat[0], WAITIO_ETIMEOUT, "rank 0 of PB 1 to leave, too"));
    run_close(&r);
}

/* Who left has said so: what is still expected of it will not come. */
static int expects_too_much(seat *me)
{
    if (seat_join(me, 10))
        return 1;
    waitio_group_t g = group_of_all(0);
    if (me->pb == 1) {
        int code = deliver(g, 0, 8, 1);
        return seat_keep(me, code ? code : waitio_finalize());
    }
    int code = receive(g, 1, 8, 1);
    if (code)
        return bad(me, 2, "first");
    code = receive(g, 1, 8, 1);
    seat_keep(me, code);
    int late = deliver(g, 1, 8, 1);
    waitio_group_free(g);
    return late == WAITIO_EPEER && !waitio_finalize() ? code : bad(me, 3, "later");
}

static void test_left(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, expects_too_much);
    assert_true(run_end(&r, 10));
    assert_true(seat_says(&r.seat[0], WAITIO_EPEER, "PB 1 rank 0 at 127.0.0.1:"));
    assert_true(seat_says(&r.seat[0], WAITIO_EPEER, "has left the run (waitio_finalize)"));
    assert_true(seat_says(&r.seat[1], 0, ""));
    run_close(&r);
}

/* Talks until it may stop. */
static int chats(seat *me)
{
    if (seat_join(me, 10))
        return 1;
    waitio_group_t g = group_of_all(0);
    for (int i = 0;; i++) {
        char stop = 0;
        size_t n = (size_t)i * 977 % 60000;
        waitio_req_t req;
        if (me->pb == 0) {
            stop = (char)me->go;
            fill_pattern(buffer, n, (uint64_t)i);
            if (deliver(g, 1, n, 1) || waitio_isend(g, 1, &stop, 1, 2, &req) || waitio_wait(&req))
                return bad(me, 2, "send");
        } else if (receive(g, 0, n, 1) || !is_pattern(buffer, n, (uint64_t)i) ||
                   waitio_irecv(g, 0, &stop, 1, 2, &req) || waitio_wait(&req)) {
            return bad(me, 3, "receive");
        }
        me->step = i;
        if (stop)
            break;
    }
    waitio_group_free(g);
    return seat_keep(me, waitio_finalize());
}

static void test_strangers(void **state)
{
    (void)state;
    run r;
    int fd[60];
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, chats);
    assert_true(seat_reaches(&r.seat[0], 5, 10) && seat_reaches(&r.seat[1], 5, 10));
    for (int i = 0; i < 60; i++) {
        char junk[4096];
        fd[i] = connect_to(i % 3 == 0 ? r.port : r.seat[i % 3 - 1].ear);
        assert_true(fd[i] >= 0);
        fill_pattern(junk, sizeof junk, (uint64_t)i);
        if (i % 4 == 1) /* noise; 0: silence */
            send(fd[i], junk, sizeof junk, MSG_NOSIGNAL);
        else if (i % 4 == 2) /* half a frame */
            send(fd[i], "WIO1\1\0\1\0\0\0\0\0", 12, MSG_NOSIGNAL);
        else if (i % 4 == 3) { /* a HELLO of another instance, then noise */
            memset(junk, 0, 48);
            memcpy(junk, "WIO1\1\0\1\0", 8);
            junk[40] = (char)i;
            send(fd[i], junk, sizeof junk, MSG_NOSIGNAL);
        }
        if (i % 5 == 0)
            shutdown(fd[i], SHUT_RDWR);
    }
    int step[2] = {r.seat[0].step, r.seat[1].step};
    assert_true(seat_reaches(&r.seat[0], step[0] + 100, 10) && seat_reaches(&r.seat[1], step[1] + 100, 10));
    r.seat[0].go = 1;
    assert_true(run_end(&r, 10));
    for (int i = 0; i < 60; i++)
        close(fd[i]);
    assert_true(seat_says(&r.seat[0], 0, ""));
    assert_true(seat_says(&r.seat[1], 0, ""));
    run_close(&r);
}

/* One process ends the run; every King hears it while it waits for something else. */
static int hears(seat *me)
{
    if (seat_join(me, 10))
        return 1;
    waitio_group_t g = group_of_all(0);
    me->step = 1;
    if (me->go == 50) {
        while (me->go == 50)
            h3ou__sleep(0.002);
        if (waitio_abort("ocean rank 1: no ice left", 5))
            return bad(me, 2, "abort");
        if (waitio_progress(0) != WAITIO_EABORT)
            return bad(me, 3, "the run goes on here");
        seat_keep(me, WAITIO_EABORT);
        return waitio_finalize();
    }
    if (me->rank) { /* told by nobody: the job's launcher ends it */
        seat_idle(me, 1);
        return 0;
    }
    int code = receive(g, (number() + 1) % 2, 8, 77);
    seat_keep(me, code);
    int later = deliver(g, 0, 8, 0);
    if (later != code || waitio_finalize() != code || !strstr(waitio_error(), "no ice left"))
        return bad(me, 4, "later");
    return code;
}

static void test_abort(void **state)
{
    (void)state;
    for (int who = 0; who < 4; who++) { /* the master; PB 1's King, and its second process; PB 2's King */
        run r;
        run_begin(&r, 3, (int[]){1, 2, 1});
        for (int i = 0; i < 4; i++) {
            r.seat[i].go = i == who ? 50 : 0;
            run_start(&r, i == 0 ? 0 : i == 3 ? 2 : 1, i == 2, hears);
        }
        for (int i = 0; i < 4; i++)
            assert_true(seat_reaches(&r.seat[i], 1, 10));
        h3ou__sleep(0.05);
        r.seat[who].go = 0;
        int kings[] = {0, 1, 3};
        if (who == 2) { /* its own King is not told */
            kings[1] = 0;
            double end = h3ou__now() + 5;
            while ((!*r.seat[0].text || !*r.seat[3].text) && h3ou__now() < end)
                h3ou__sleep(0.002);
            seat_kill(&r.seat[1]);
        }
        r.seat[2].go = 1;
        assert_true(run_end(&r, 10));
        for (int i = 0; i < 3; i++)
            assert_true(seat_says(&r.seat[kings[i]], WAITIO_EABORT, "ocean rank 1: no ice left"));
        run_close(&r);
    }
}

/* After a failure of its own a process still tells all others. 0 waits for 2, which is killed; the others wait for 0.
 */
static int aborts_after_failure(seat *me)
{
    if (seat_join(me, 10))
        return 1;
    waitio_group_t g = group_of_all(0);
    int n = number();
    me->step = 1;
    if (n == 2) {
        seat_idle(me, 1);
        return 2;
    }
    int code = receive(g, n == 0 ? 2 : 0, 8, 1);
    waitio_group_free(g);
    if (n == 0) {
        if (code != WAITIO_EPEER || waitio_abort("atmosphere: the second process of PB 1 is gone", 3))
            return bad(me, 3, "abort");
        code = waitio_progress(0);
    }
    seat_keep(me, code);
    waitio_finalize();
    return code;
}

static void test_abort_after_failure(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 3, (int[]){1, 2, 1});
    run_start_all(&r, aborts_after_failure);
    for (int i = 0; i < 4; i++)
        assert_true(seat_reaches(&r.seat[i], 1, 10));
    seat_kill(&r.seat[2]); /* PB 1 rank 1 */
    assert_true(run_end(&r, 10));
    for (int i = 0; i < 4; i++)
        if (i != 2)
            assert_true(seat_says(&r.seat[i], WAITIO_EABORT, "atmosphere: the second process of PB 1 is gone"));
    run_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed_peer),         cmocka_unit_test(test_killed_master),
        cmocka_unit_test(test_killed_unknown),      cmocka_unit_test(test_killed_in_message),
        cmocka_unit_test(test_killed_in_finalize),  cmocka_unit_test(test_patience),
        cmocka_unit_test(test_patience_of_senders), cmocka_unit_test(test_left),
        cmocka_unit_test(test_strangers),           cmocka_unit_test(test_abort),
        cmocka_unit_test(test_abort_after_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
