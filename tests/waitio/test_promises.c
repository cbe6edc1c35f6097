/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a completion promises, by its consequence: one process completes its requests and is stopped (SIGSTOP) with all
 * its threads; the other must get everything that it needs, and is the only one that moves. Run once for each conduit
 * and wait policy (CMakeLists.txt). PROMISES=tcp: connections can be cut here; PROMISES=slow: each message takes long.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "os/os_clock.h"
#include "run.h"
#include "waitio/message/peer.h"

enum { MOST = 1 << 20, LIST = 64 };
static const double patience = 40; /* s: for the process that is not stopped; a stopped run is slow under a sanitizer */

static int failed(seat *me, int number, const char *what)
{
    snprintf(me->text, sizeof me->text, "%s (%d): %s", what, number, waitio_error());
    return number;
}

/* Every call that completes requests. */

static int by_wait(int n, waitio_req_t req[])
{
    int code = 0;
    for (int i = 0; i < n && !code; i++)
        code = waitio_wait(&req[i]);
    return code;
}

static int by_test(int n, waitio_req_t req[])
{
    int code = 0;
    for (int i = 0; i < n && !code; i++)
        for (int done = 0; !done && !code;)
            code = waitio_test(&req[i], &done);
    return code;
}

static int by_wait_for(int n, waitio_req_t req[])
{
    int code = 0;
    for (int i = 0; i < n && !code; i++)
        do
            code = waitio_wait_for(&req[i], 0.01, NULL);
        while (code == WAITIO_ETIMEOUT);
    return code;
}

static int by_waitall(int n, waitio_req_t req[])
{
    return waitio_waitall(n, req, NULL);
}

static int by_waitall_for(int n, waitio_req_t req[])
{
    return waitio_waitall_for(n, req, patience, NULL);
}

static int by_waitany(int n, waitio_req_t req[])
{
    int code = 0, index;
    for (int i = 0; i < n && !code; i++)
        code = waitio_waitany(n, req, &index, NULL);
    return code;
}

static int by_waitany_for(int n, waitio_req_t req[])
{
    int code = 0, index;
    for (int i = 0; i < n && !code; i++)
        code = waitio_waitany_for(n, req, patience, &index, NULL);
    return code;
}

typedef int (*completion)(int n, waitio_req_t req[]);
static const struct {
    const char *name;
    completion complete;
} way[] = {{"wait", by_wait},
           {"test", by_test},
           {"wait_for", by_wait_for},
           {"waitall", by_waitall},
           {"waitall_for", by_waitall_for},
           {"waitany", by_waitany},
           {"waitany_for", by_waitany_for}};
enum { WAYS = sizeof way / sizeof way[0] };

/* What is exchanged; inherited by the processes. */
static struct plan {
    int n, window;     /* messages; started together */
    size_t size[LIST]; /* of message i: size[i % sizes] */
    int sizes;
    completion complete;
    bool is_receiver_stopped, starts_late, is_cut;
} plan;

static size_t size_of(int i)
{
    return plan.size[i % plan.sizes];
}

static void stop_here(seat *me)
{
    me->step = 1;
    raise(SIGSTOP); /* until the test program lets it go on */
}

/* Cuts the connection to the other process as a broken cable would: neither end says anything by it any more. */
static void cut(void)
{
    waitio__peer *p = waitio__instance_current()->peers.first;
    waitio__lane *l = p ? p->lane[0] : NULL;
    if (l && l->channel.has_link)
        shutdown(l->channel.link.fd, SHUT_RDWR);
}

static int begin(seat *me, waitio_group_t *g, char **buffer)
{
    if (seat_join(me, 30))
        return 1;
    *g = group_of_all(3);
    *buffer = malloc((size_t)plan.window * MOST);
    return *g && *buffer ? 0 : failed(me, 2, "begin");
}

static int sends(seat *me)
{
    waitio_group_t g;
    char *buffer;
    waitio_req_t req[LIST];
    if (begin(me, &g, &buffer))
        return 1;
    for (int i = 0; i < plan.n; i += plan.window) {
        for (int k = 0; k < plan.window; k++) {
            fill_pattern(buffer + (size_t)k * MOST, size_of(i + k), (uint64_t)(i + k));
            if (waitio_isend(g, 1, buffer + (size_t)k * MOST, size_of(i + k), 5, &req[k]))
                return failed(me, 3, "isend");
        }
        if (plan.is_cut && i == plan.n / 2 / plan.window * plan.window)
            cut();
        if (plan.complete(plan.window, req))
            return failed(me, 4, "completion of a send");
    }
    if (!plan.is_receiver_stopped)
        stop_here(me);
    me->step = 2;
    free(buffer);
    return waitio_finalize() ? failed(me, 5, "finalize") : 0;
}

static int receives(seat *me)
{
    waitio_group_t g;
    char *buffer;
    waitio_req_t req[LIST];
    if (begin(me, &g, &buffer))
        return 1;
    if (plan.starts_late)
        h3ou__sleep(0.5);
    for (int i = 0; i < plan.n; i += plan.window) {
        for (int k = 0; k < plan.window; k++)
            if (waitio_irecv(g, 0, buffer + (size_t)k * MOST, MOST, 5, &req[k]))
                return failed(me, 3, "irecv");
        if (plan.complete(plan.window, req))
            return failed(me, 4, "completion of a receive");
        for (int k = 0; k < plan.window; k++) {
            size_t n;
            if (waitio_received(&req[k], &n) || n != size_of(i + k) ||
                !is_pattern(buffer + (size_t)k * MOST, n, (uint64_t)(i + k)))
                return failed(me, 6, "content");
        }
    }
    if (plan.is_receiver_stopped)
        stop_here(me);
    me->step = 2;
    free(buffer);
    return waitio_finalize() ? failed(me, 5, "finalize") : 0;
}

/* The one that is not stopped comes to its end while the other is stopped; then that one goes on. */
static void check(const char *what)
{
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    const seat *sender = run_start(&r, 0, 0, sends), *receiver = run_start(&r, 1, 0, receives);
    const seat *stopped = plan.is_receiver_stopped ? receiver : sender;
    const seat *moving = plan.is_receiver_stopped ? sender : receiver;
    bool came = seat_reaches(stopped, 1, patience) && seat_reaches(moving, 2, patience);
    if (!came)
        print_message("%s: the stopped process has reached step %d, the other one %d\n", what, stopped->step,
                      moving->step);
    while (stopped->step < 2 && stopped->status < 0 && came) {
        kill(stopped->pid, SIGCONT);
        h3ou__sleep(0.01);
    }
    bool ended = run_end(&r, came ? 30 : 0);
    for (int i = 0; i < r.n; i++)
        if (r.seat[i].code)
            print_message("%s: PB %d: code %d: %s\n", what, r.seat[i].pb, r.seat[i].code, r.seat[i].text);
    assert_true(came);
    assert_true(ended);
    for (int i = 0; i < r.n; i++) {
        assert_int_equal(r.seat[i].status, 0);
        assert_int_equal(r.seat[i].code, 0);
    }
    run_close(&r);
}

static bool is_mode(const char *mode)
{
    const char *mine = getenv("PROMISES");
    return mine && !strcmp(mine, mode);
}

/* Where each message takes long, only every third way. */
static int stride(void)
{
    return is_mode("slow") ? 3 : 1;
}

/* Closely following short sends, each completed by itself. */
static void test_short_sends(void **state)
{
    (void)state;
    for (int i = 0; i < WAYS; i += stride()) {
        plan = (struct plan){.n = 40, .window = 1, .size = {8}, .sizes = 1, .complete = way[i].complete};
        check(way[i].name);
    }
}

static void test_windows(void **state)
{
    (void)state;
    for (int i = 0; i < WAYS; i += stride()) {
        plan = (struct plan){
            .n = 2 * LIST, .window = LIST, .size = {0, 8, 100, 1000}, .sizes = 4, .complete = way[i].complete};
        check(way[i].name);
    }
}

static void test_all_sizes(void **state)
{
    (void)state;
    for (int i = 0; i < WAYS; i += stride()) {
        plan = (struct plan){.n = 40,
                             .window = 4,
                             .size = {8, 0, 5000, 1024, 16384, 8, 20000, 100000, 3, MOST},
                             .sizes = 10,
                             .complete = way[i].complete};
        check(way[i].name);
    }
}

/* More than the kernel or a ring takes, before the receiver looks. */
static void test_receiver_is_late(void **state)
{
    (void)state;
    plan = (struct plan){
        .n = 16384, .window = 64, .size = {1000}, .sizes = 1, .complete = by_waitall, .starts_late = true};
    check("waitall");
    plan = (struct plan){.n = 4096, .window = 1, .size = {1000}, .sizes = 1, .complete = by_wait, .starts_late = true};
    check("wait");
}

/* What a sender waits for leaves with the completion of the receive. */
static void test_receiver_stops(void **state)
{
    (void)state;
    static const size_t last[] = {20000, 60000, 100000, MOST};
    for (int i = 0; i < WAYS * 4; i += stride()) {
        plan = (struct plan){.n = 8,
                             .window = i % 2 ? 4 : 1,
                             .size = {8, 70000, 30000, last[i % 4]},
                             .sizes = 4,
                             .complete = way[i / 4].complete,
                             .is_receiver_stopped = true};
        check(way[i / 4].name);
    }
}

static void test_cut(void **state)
{
    (void)state;
    if (!is_mode("tcp"))
        skip();
    for (int i = 0; i < WAYS; i += stride()) {
        plan = (struct plan){.n = 400,
                             .window = i % 2 ? 8 : 1,
                             .size = {8, 500, 2000},
                             .sizes = 3,
                             .complete = way[i].complete,
                             .is_cut = true};
        check(way[i].name);
    }
}

/* What happens when a process exits without waitio_finalize: 40 messages, each completed. */

static int exit_code; /* inherited */

static int sends_and_exits(seat *me)
{
    waitio_group_t g;
    char *buffer;
    plan.window = 1;
    if (begin(me, &g, &buffer))
        return 1;
    for (int i = 0; i < 40; i++) {
        waitio_req_t req;
        fill_pattern(buffer, size_of(i), (uint64_t)i);
        if (waitio_isend(g, 1, buffer, size_of(i), 5, &req) || waitio_wait(&req))
            return failed(me, 3, "send");
    }
    me->step = 2;
    free(buffer);
    exit(exit_code);
}

/* Receives late all that was sent; then asks for one message more than there is. */
static int receives_late(seat *me)
{
    waitio_group_t g;
    char *buffer;
    waitio_req_t req;
    plan.window = 1;
    if (begin(me, &g, &buffer))
        return 1;
    for (int i = 0; i < 40; i++) {
        int code = waitio_irecv(g, 0, buffer, MOST, 5, &req);
        code = code ? code : waitio_wait(&req);
        /* An error of the master's process ends the run for all, perhaps before its messages are taken. */
        if (exit_code && (code == WAITIO_EPEER || code == WAITIO_EABORT))
            return 0;
        if (code || !is_pattern(buffer, size_of(i), (uint64_t)i))
            return failed(me, 10 + i, "message");
        if (i == 0 && plan.starts_late)
            h3ou__sleep(0.3);
    }
    me->step = 2;
    int code = waitio_irecv(g, 0, buffer, MOST, 5, &req) ? WAITIO_EPEER : waitio_wait(&req);
    snprintf(me->text, sizeof me->text, "%s", waitio_error());
    free(buffer);
    bool is_lost = code == WAITIO_EPEER || code == WAITIO_EABORT;
    if (!is_lost)
        return failed(me, 8, "the end of the sender was not told");
    code = waitio_finalize();
    return exit_code == 0 && code ? failed(me, 9, "finalize") : 0;
}

static void test_exit(void **state)
{
    (void)state;
    static const int codes[] = {0, 3};
    for (int i = 0; i < 8; i++) {
        plan = (struct plan){.size = {8, 1000, i / 4 ? 100000 : 8}, .sizes = 3, .starts_late = i / 2 % 2};
        exit_code = codes[i % 2];
        run r;
        run_begin(&r, 2, (int[]){1, 1});
        run_start(&r, 0, 0, sends_and_exits);
        run_start(&r, 1, 0, receives_late);
        bool ended = run_end(&r, patience);
        for (int k = 0; k < r.n; k++)
            if (r.seat[k].code)
                print_message("case %d: PB %d: code %d: %s\n", i, r.seat[k].pb, r.seat[k].code, r.seat[k].text);
        assert_true(ended);
        assert_int_equal(r.seat[0].code, 0);
        assert_int_equal(r.seat[1].code, 0);
        run_close(&r);
    }
}

int main(void)
{
    setenv("WAITIO_CREDIT", "8388608", 0);
    setenv("WAITIO_UNEXPECTED_LIMIT", "1073741824", 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_sends),    cmocka_unit_test(test_windows),
        cmocka_unit_test(test_all_sizes),      cmocka_unit_test(test_receiver_is_late),
        cmocka_unit_test(test_receiver_stops), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
