/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes wrong while jobs join: every process of every job ends, in time, with one sentence that names the remedy.
 */
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
#include "waitio/joining/job_collectives.h"

/* Of the processes that are started next. */
static const char *with_name, *with_value; /* NULL: unset */
/* SHORT: ends, after the others have come even on a slow machine; LONG: does not end. Seconds. */
enum { SHORT = 3, LONG = 10 };
static double with_timeout = LONG;

static void set_variable(void)
{
    if (with_name && with_value)
        setenv(with_name, with_value, 1);
    else if (with_name)
        unsetenv(with_name);
}

static int joins(seat *me)
{
    set_variable();
    me->step = 1;
    int code = seat_join(me, with_timeout);
    me->step = 2;
    if (code)
        return code;
    return seat_keep(me, waitio_finalize());
}

static void with(const char *name, const char *value)
{
    with_name = name;
    with_value = value;
}

static void test_variables(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *part;
    } wrong[] = {
        {"WAITIO_MASTER_HOST", NULL, "WAITIO_MASTER_HOST is not set"},
        {"WAITIO_MASTER_PORT", NULL, "WAITIO_MASTER_PORT is not set"},
        {"WAITIO_PBID", NULL, "WAITIO_PBID is not set"},
        {"WAITIO_NPB", NULL, "WAITIO_NPB is not set"},
        {"WAITIO_NPB", "", "WAITIO_NPB is not set"},
        {"WAITIO_MASTER_PORT", "http", "WAITIO_MASTER_PORT=http"},
        {"WAITIO_MASTER_PORT", "70000", "WAITIO_MASTER_PORT=70000"},
        {"WAITIO_PBID", "-1", "WAITIO_PBID=-1"},
        {"WAITIO_PBID", "1x", "WAITIO_PBID=1x"},
        {"WAITIO_NPB", "0", "WAITIO_NPB=0"},
        {"WAITIO_NPB", "1", "WAITIO_PBID=1, but WAITIO_NPB=1"},
        {"WAITIO_EAGER_LIMIT", "big", "WAITIO_EAGER_LIMIT=big"},
        {"WAITIO_PATIENCE", "-3", "WAITIO_PATIENCE=-3"},
        {"WAITIO_RANK", "7", "WAITIO_RANK=7"},
        {"WAITIO_SIZE", NULL, "WAITIO_RANK is set, but not WAITIO_SIZE"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run r;
        run_begin(&r, 2, (int[]){1, 1});
        with(wrong[i].name, wrong[i].value);
        run_start(&r, 1, 0, joins);
        assert_true(run_end(&r, 10));
        assert_true(seat_says(&r.seat[0], WAITIO_EENV, wrong[i].part));
        run_close(&r);
    }
}

static void test_hosts(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *part;
    } wrong[] = {
        {"WAITIO_MASTER_HOST", "no..such..host", "host \"no..such..host\" is not known"},
        {"WAITIO_ADDRESS", "192.0.2.1", "listening at 192.0.2.1"}, /* an address for documents: nobody's */
        {"WAITIO_DEVICE", "nodevice9", "network device \"nodevice9\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run r;
        run_begin(&r, 2, (int[]){1, 1});
        with(wrong[i].name, wrong[i].value);
        run_start(&r, 0, 0, joins);
        assert_true(run_end(&r, 10));
        assert_true(seat_says(&r.seat[0], WAITIO_EHOST, wrong[i].part));
        run_close(&r);
    }
}

static int joins_as_far_master(seat *me)
{
    setenv("WAITIO_MASTER_HOST", "192.0.2.1", 1);
    setenv("WAITIO_ADDRESS", "127.0.0.1", 1);
    return joins(me);
}

static void test_far_master(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    with(NULL, NULL);
    run_start(&r, 0, 0, joins_as_far_master);
    assert_true(run_end(&r, 10));
    assert_true(seat_says(&r.seat[0], WAITIO_EHOST, "WAITIO_MASTER_HOST=192.0.2.1 is not this machine"));
    run_close(&r);
}

static void test_no_master(void **state)
{
    (void)state;
    run r;
    char part[128];
    with(NULL, NULL);
    with_timeout = SHORT;
    run_begin(&r, 2, (int[]){1, 2});
    run_start(&r, 1, 0, joins);
    run_start(&r, 1, 1, joins);
    assert_true(run_end(&r, 10));
    snprintf(part, sizeof part,
             "waited 3 s for the master at 127.0.0.1:%d, Connection refused: start the job with WAITIO_PBID=0",
             r.port);
    assert_true(seat_says(&r.seat[0], WAITIO_ETIMEOUT, part));
    assert_true(seat_says(&r.seat[1], WAITIO_ETIMEOUT, part));
    run_close(&r);
    with_timeout = LONG;
}

/* The port belongs to a program that says nothing, or something else. */
static void other_service(int pb, const char *says, int code, const char *part)
{
    run r;
    with(NULL, NULL);
    run_begin(&r, 2, (int[]){1, 1});
    int server = listen_on(r.port);
    assert_true(server >= 0);
    run_start(&r, pb, 0, joins);
    int guest = accept(server, NULL, NULL);
    if (says)
        assert_int_equal(send(guest, says, strlen(says), MSG_NOSIGNAL), strlen(says));
    assert_true(run_end(&r, 20));
    close(guest);
    close(server);
    assert_true(seat_says(&r.seat[0], code, part));
    run_close(&r);
}

static void test_other_service(void **state)
{
    (void)state;
    const char *http = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n";
    with_timeout = SHORT;
    other_service(1, NULL, WAITIO_ETIMEOUT, "does not answer as a WaitIO master");
    other_service(0, NULL, WAITIO_ETIMEOUT, "is in use by another program: choose a free port");
    other_service(1, http, WAITIO_EPROTO, "is no WaitIO master");
    other_service(0, http, WAITIO_ETIMEOUT, "is in use by another program: choose a free port");
    with_timeout = LONG;
}

static int joins_when_told(seat *me)
{
    seat_idle(me, 1);
    return joins(me);
}

/* The port belongs for a moment to somebody who does not listen. */
static void test_port_taken_by_chance(void **state)
{
    (void)state;
    run r;
    with(NULL, NULL);
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, joins_when_told);
    int holder = bind_to(r.port); /* after the start: a child inherits what is open */
    assert_true(holder >= 0);
    r.seat[0].go = r.seat[1].go = 1;
    assert_true(seat_reaches(&r.seat[0], 1, 5));
    h3ou__sleep(0.3);
    close(holder);
    assert_true(run_end(&r, 10));
    assert_true(seat_says(&r.seat[0], 0, ""));
    assert_true(seat_says(&r.seat[1], 0, ""));
    run_close(&r);
}

/* All processes that r has started failed alike. */
static void assert_all(run *r, int code, const char *part)
{
    assert_true(run_end(r, 20));
    for (int i = 0; i < r->n; i++)
        assert_true(seat_says(&r->seat[i], code, part));
    run_close(r);
}

static void test_npb_too_large(void **state)
{
    (void)state;
    run r;
    with(NULL, NULL);
    with_timeout = SHORT;
    run_begin(&r, 4, (int[]){2, 2, 1, 1});
    for (int i = 0; i < 4; i++)
        run_start(&r, i / 2, i % 2, joins);
    assert_all(&r, WAITIO_ETIMEOUT, "PB 2, PB 3 of WAITIO_NPB=4 jobs did not join");
    /* A King whose patience ends long before the master's knows as much. */
    run_begin(&r, 3, (int[]){1, 2, 1});
    with_timeout = 60;
    run_start(&r, 0, 0, joins);
    with_timeout = SHORT;
    run_start(&r, 1, 0, joins);
    run_start(&r, 1, 1, joins);
    assert_all(&r, WAITIO_ETIMEOUT, "waited 3 s: PB 2 of WAITIO_NPB=3 jobs did not join");
    with_timeout = LONG;
}

static void test_npb_unequal(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 3, (int[]){2, 2, 1});
    with(NULL, NULL);
    run_start(&r, 0, 0, joins);
    run_start(&r, 0, 1, joins);
    with("WAITIO_NPB", "2");
    run_start(&r, 1, 0, joins);
    run_start(&r, 1, 1, joins);
    assert_all(&r, WAITIO_EJOIN, "PB 1 was started with WAITIO_NPB=2, but the master (PB 0) with WAITIO_NPB=3");
}

static void test_npb_too_small(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    with(NULL, NULL);
    run_start(&r, 0, 0, joins);
    run_start(&r, 2, 0, joins);
    assert_all(&r, WAITIO_EJOIN, "a job has WAITIO_PBID=2, but WAITIO_NPB=2 allows 0 to 1");
}

static void test_twice(void **state)
{
    (void)state;
    run r;
    with(NULL, NULL);
    run_begin(&r, 3, (int[]){2, 1, 1});
    run_start(&r, 0, 0, joins);
    run_start(&r, 0, 1, joins);
    run_start(&r, 1, 0, joins);
    run_start(&r, 1, 0, joins);
    assert_all(&r, WAITIO_EJOIN, "two jobs have WAITIO_PBID=1");
    run_begin(&r, 2, (int[]){1, 1});
    run_start(&r, 0, 0, joins);
    run_start(&r, 0, 0, joins);
    assert_all(&r, WAITIO_EJOIN, "two jobs have WAITIO_PBID=0");
}

/* Two jobs of more than one process each, on one host: they would mix their processes. */
static void test_twice_without_mpi(void **state)
{
    (void)state;
    run r;
    with(NULL, NULL);
    with_timeout = SHORT;
    run_begin(&r, 2, (int[]){1, 2});
    run_start(&r, 1, 0, joins);
    assert_true(seat_reaches(&r.seat[0], 1, 5));
    h3ou__sleep(0.2);
    run_start(&r, 1, 0, joins);
    assert_true(run_end(&r, 20));
    assert_true(seat_says(&r.seat[0], WAITIO_ETIMEOUT, "1 of the 2 processes of this job"));
    assert_true(seat_says(&r.seat[1], WAITIO_EJOIN, "another job on this host has the same WAITIO_PBID (1)"));
    run_close(&r);
    with_timeout = LONG;
}

static int joins_and_stays(seat *me)
{
    set_variable();
    if (seat_join(me, with_timeout))
        return 1;
    me->step = 2;
    int code = seat_turn(me, 1);
    return seat_keep(me, code ? code : waitio_finalize());
}

/* A job that comes too late is sent away; the run goes on. */
static void test_late(void **state)
{
    (void)state;
    run r;
    with(NULL, NULL);
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, joins_and_stays);
    assert_true(seat_reaches(&r.seat[0], 2, 10) && seat_reaches(&r.seat[1], 2, 10));
    run_start(&r, 1, 0, joins);
    run_start(&r, 0, 0, joins);
    assert_true(seat_reaches(&r.seat[2], 2, 10) && seat_reaches(&r.seat[3], 2, 10));
    r.seat[0].go = r.seat[1].go = 1;
    assert_true(run_end(&r, 20));
    for (int i = 0; i < 2; i++)
        assert_true(seat_says(&r.seat[i], 0, ""));
    for (int i = 2; i < 4; i++)
        assert_true(seat_says(&r.seat[i], WAITIO_EJOIN, "has begun: all 2 jobs (WAITIO_NPB) had joined"));
    run_close(&r);
}

/* The jobs of a second run, which was given the same port, come to the first run's master before and after the first
 * run's own: they are told so, and the first run does not suffer. */
static void test_two_runs_on_one_port(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    with("COUPLER_JOB_ID", "first");
    run_start(&r, 0, 0, joins_and_stays);
    with("COUPLER_JOB_ID", "second");
    run_start(&r, 1, 0, joins);
    assert_true(seat_reaches(&r.seat[1], 2, 10)); /* the master's port is taken by now */
    run_start(&r, 0, 0, joins);
    assert_true(seat_reaches(&r.seat[2], 2, 10));
    with("COUPLER_JOB_ID", "first");
    run_start(&r, 1, 0, joins_and_stays);
    assert_true(seat_reaches(&r.seat[0], 2, 10) && seat_reaches(&r.seat[3], 2, 10));
    with("COUPLER_JOB_ID", "second");
    run_start(&r, 1, 0, joins);
    assert_true(seat_reaches(&r.seat[4], 2, 10));
    r.seat[0].go = r.seat[3].go = 1;
    assert_true(run_end(&r, 20));
    for (int i = 0; i < 5; i++)
        if (i % 3)
            assert_true(seat_says(&r.seat[i], WAITIO_EJOIN,
                            "belongs to another run (its COUPLER_JOB_ID is first, that of this job is second)"));
        else
            assert_true(seat_says(&r.seat[i], 0, ""));
    run_close(&r);
}

/* Any order of the starts, a master that comes late. */
static void test_late_master(void **state)
{
    (void)state;
    run r;
    with(NULL, NULL);
    run_begin(&r, 3, (int[]){2, 1, 1});
    run_start(&r, 2, 0, joins);
    run_start(&r, 1, 0, joins);
    run_start(&r, 0, 1, joins);
    h3ou__sleep(0.4);
    run_start(&r, 0, 0, joins);
    assert_all(&r, 0, "");
}

/* A process without MPI dies before it has told its King where it listens. */
static int dies_in_between(seat *me)
{
    waitio__job_collectives inside;
    if (me->rank == 0)
        return joins(me);
    if (waitio__launcher_open(&inside, 5))
        return 1;
    me->step = 1;
    seat_idle(me, 1);
    return 2;
}

static void test_killed(void **state)
{
    (void)state;
    run r;
    with(NULL, NULL);
    with_timeout = 60; /* valgrind on a busy machine starts processes slowly */
    for (int killed = 0; killed < 3; killed++) { /* the master, another King, a process of the King's */
        run_begin(&r, 3, (int[]){1, 2, 1});
        run_start(&r, 0, 0, joins);
        run_start(&r, 1, 0, killed == 2 ? dies_in_between : joins);
        run_start(&r, 1, 1, killed == 2 ? dies_in_between : joins);
        for (int i = 0; i < 3; i++)
            assert_true(seat_reaches(&r.seat[i], 1, 5));
        /* The King of PB 1 reaches the master, once its job has told it all; PB 2 is missing, so nobody gets on. */
        assert_true(killed == 2 || port_has(r.port, 1, 5));
        h3ou__sleep(1.5); /* time to say who it is */
        seat_kill(&r.seat[killed]);
        assert_true(run_end(&r, 8));
        for (int i = 0; i < 3; i++) {
            if (i == killed)
                continue;
            const char *part = killed == 0   ? "the job of the master (PB 0, at 127.0.0.1:"
                               : killed == 1 ? (i ? "rank 0 of this job" : "the job of PB 1 died while the jobs joined")
                                             : "rank 1 of this job (without MPI): it closed the connection";
            assert_true(seat_says(&r.seat[i], WAITIO_EPEER, part));
        }
        run_close(&r);
    }
    with_timeout = LONG;
}

/* Strangers at the master's port: none keeps the jobs from joining. */
static void test_strangers(void **state)
{
    (void)state;
    run r;
    int fd[40], n = 0;
    with(NULL, NULL);
    run_begin(&r, 2, (int[]){1, 1});
    run_start(&r, 0, 0, joins);
    double end = h3ou__now() + 5;
    while ((fd[0] = connect_to(r.port)) < 0 && h3ou__now() < end)
        h3ou__sleep(0.01);
    for (n = 1; n < 40; n++) {
        char junk[200];
        fd[n] = connect_to(r.port);
        assert_true(fd[n] >= 0);
        fill_pattern(junk, sizeof junk, (uint64_t)n);
        if (n % 3 == 1) /* 0: silence, 2: half a frame */
            assert_int_equal(send(fd[n], junk, sizeof junk, MSG_NOSIGNAL), sizeof junk);
        else if (n % 3 == 2)
            assert_int_equal(send(fd[n], "WIO1\1\0\12\0", 8, MSG_NOSIGNAL), 8);
        if (n % 7 == 0)
            shutdown(fd[n], SHUT_RDWR);
    }
    run_start(&r, 1, 0, joins);
    assert_all(&r, 0, "");
    while (n--)
        close(fd[n]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables),     cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_far_master),    cmocka_unit_test(test_no_master),
        cmocka_unit_test(test_other_service), cmocka_unit_test(test_npb_too_large),
        cmocka_unit_test(test_npb_unequal),   cmocka_unit_test(test_npb_too_small),
        cmocka_unit_test(test_twice),         cmocka_unit_test(test_twice_without_mpi),
        cmocka_unit_test(test_late),          cmocka_unit_test(test_two_runs_on_one_port),
        cmocka_unit_test(test_late_master),   cmocka_unit_test(test_killed),
        cmocka_unit_test(test_strangers),     cmocka_unit_test(test_port_taken_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
