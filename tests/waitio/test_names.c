/* SPDX-License-Identifier: BSD-3-Clause */
/* The names by which processes of one host reach each other, on a host that others use, too. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/os_clock.h"
#include "os/socket.h"
#include "run.h"
#include "waitio/conduit/byte_stream.h"
#include "waitio/message/instance.h"

enum { OTHER_USER = 65534 };
static const char *const kinds[] = {"shm", "unix"};

/* A process of another user, which does `what` and then sits there until it is killed. It answers 1 or 0 for how that
 * went, or -1: it cannot be another user (the test program is not root's). */
static int other_user(int (*what)(const waitio__address *at), const waitio__address *at, pid_t *pid)
{
    int told[2], result = 0;
    if (geteuid() || pipe(told))
        return -1;
    *pid = fork();
    if (!*pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        result = setgid(OTHER_USER) || setuid(OTHER_USER) ? -1 : what(at);
        if (write(told[1], &result, sizeof result) != (ssize_t)sizeof result)
            _exit(1);
        for (;;)
            pause();
    }
    close(told[1]);
    if (*pid < 0 || read(told[0], &result, sizeof result) != (ssize_t)sizeof result)
        result = 0;
    close(told[0]);
    return result;
}

static void end_other_user(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static int hold_names(const waitio__address *at)
{
    int held = 0;
    for (int i = 0; i < 2; i++) {
        int fd;
        held += !waitio__byte_stream_listen_local(kinds[i], at, &fd);
    }
    return held == 2;
}

static int call_names(const waitio__address *at)
{
    char name[WAITIO__STREAM_NAME];
    int reached = 0;
    for (int i = 0; i < 200; i++) {
        int fd;
        waitio__byte_stream_name(kinds[i % 2], at, name);
        reached += !h3ou__local_connect(name, &fd);
    }
    return reached > 0;
}

/* Names in use that begin so; *local: the number behind the last one. */
static int names_in_use(const char *begin, uint64_t *local)
{
    char line[512];
    int n = 0;
    FILE *f = fopen("/proc/net/unix", "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *at = strstr(line, begin);
        if (!at)
            continue;
        n++;
        *local = strtoull(at + strlen(begin), NULL, 16);
    }
    if (f)
        fclose(f);
    return n;
}

static int joins_and_stays(seat *me)
{
    int code = seat_join(me, 20);
    if (code)
        return code;
    me->step = 1;
    code = seat_keep(me, seat_turn(me, 1));
    return code ? code : seat_keep(me, waitio_finalize());
}

/* Whoever knows the address of a process, and the names of others of the run, does not know its name. */
static void test_names_cannot_be_guessed(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 2});
    run_start_all(&r, joins_and_stays);
    for (int i = 0; i < 3; i++)
        assert_true(seat_reaches(&r.seat[i], 1, 20));
    uint64_t local[2][3] = {{0}};
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < 3; i++) {
            char begin[64];
            snprintf(begin, sizeof begin, "@waitio-%s-127.0.0.1:%d-", kinds[kind], r.seat[i].ear);
            assert_int_equal(names_in_use(begin, &local[kind][i]), 1);
            assert_true(local[kind][i] > UINT32_MAX); /* 64 bits: that they are few happens once in 2^32 runs */
        }
    for (int i = 0; i < 3; i++)
        assert_true(local[0][i] != local[0][(i + 1) % 3]);
    r.seat[0].go = r.seat[1].go = r.seat[2].go = 1;
    assert_true(run_end(&r, 20));
    for (int i = 0; i < 3; i++)
        assert_int_equal(r.seat[i].code, 0);
    run_close(&r);
}

/* Process 1 gives its names up, or keeps them, and another user takes them or calls there. Then process 0 writes. */
static int (*trouble)(const waitio__address *at);

static int writes_in_trouble(seat *me)
{
    char word[8] = "word";
    waitio_req_t request;
    pid_t pid = 0;
    if (seat_join(me, 20))
        return 1;
    waitio__instance *in = waitio__instance_current();
    if (me->pb) {
        for (int i = 1; trouble == hold_names && i < WAITIO__ROUTES; i++)
            waitio__listener_close(&in->listening.messages[i]);
        int done = other_user(trouble, &in->self.address, &pid);
        if (done < 1)
            return 100 + done;
    }
    waitio_group_t g = group_of_all(1);
    me->step = 1;
    int code = seat_keep(me, seat_turn(me, 1));
    if (!code)
        code = me->pb ? waitio_irecv(g, 0, word, sizeof word, 1, &request)
                      : waitio_isend(g, 1, word, sizeof word, 1, &request);
    code = seat_keep(me, code ? code : waitio_wait(&request));
    me->step = 2;
    if (pid)
        end_other_user(pid);
    waitio_group_free(g);
    return code ? code : seat_keep(me, waitio_finalize());
}

static void write_in_trouble(int (*what)(const waitio__address *at))
{
    run r;
    if (geteuid()) {
        print_message("only root can be another user\n");
        skip();
    }
    trouble = what;
    setenv("WAITIO_PATIENCE", "20", 1);
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, writes_in_trouble);
    for (int i = 0; i < 2; i++)
        assert_true(seat_reaches(&r.seat[i], 1, 20));
    r.seat[0].go = r.seat[1].go = 1;
    assert_true(run_end(&r, 40));
    unsetenv("WAITIO_PATIENCE");
    for (int i = 0; i < 2; i++) {
        if (r.seat[i].code)
            print_message("%d %s\n", r.seat[i].code, r.seat[i].text);
        assert_int_equal(r.seat[i].code, 0);
    }
    run_close(&r);
}

/* Another user holds the names and says nothing: the next route is taken. */
static void test_names_held_by_another_user(void **state)
{
    (void)state;
    write_in_trouble(hold_names);
}

/* Another user calls there again and again: it is turned away, and does not fill the place of those who are awaited. */
static void test_calls_of_another_user(void **state)
{
    (void)state;
    write_in_trouble(call_names);
}

/* The same of the conduits alone: no link comes of it. */
static void test_conduits_turn_away(void **state)
{
    (void)state;
    static const waitio__conduit *const conduit[] = {&waitio__shm, &waitio__unix};
    waitio__address at = {.port = (uint16_t)(getpid() % 60000), .local = (uint64_t)getpid() << 20};
    waitio__conduit_settings set = {0};
    waitio__link listener[2], link;
    pid_t pid;
    for (int i = 0; i < 2; i++)
        assert_int_equal(conduit[i]->listen(&set, &at, &listener[i], NULL), 0);
    int done = other_user(call_names, &at, &pid);
    for (int i = 0; i < 2 && done == 1; i++)
        for (int n = 0; n < 10; n++)
            assert_int_equal(conduit[i]->accept(&listener[i], &link), WAITIO__AGAIN);
    for (int i = 0; i < 2; i++) /* this user is let in */
        if (done == 1) {
            waitio__link own;
            assert_int_equal(conduit[i]->open(&set, &at, &own), 0);
            assert_int_equal(conduit[i]->accept(&listener[i], &link), 0);
            conduit[i]->close(&own);
            conduit[i]->close(&link);
        }
    for (int i = 0; i < 2; i++)
        conduit[i]->close(&listener[i]);
    if (done == -1) {
        print_message("only root can be another user\n");
        skip();
    }
    end_other_user(pid);
    assert_int_equal(done, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_cannot_be_guessed),
        cmocka_unit_test(test_names_held_by_another_user),
        cmocka_unit_test(test_calls_of_another_user),
        cmocka_unit_test(test_conduits_turn_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
