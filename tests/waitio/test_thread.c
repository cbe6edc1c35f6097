/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress thread lets the program's calls in, whatever arrives meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alone.h"
#include "os/os_clock.h"
#include "run.h"
#include "waitio/message/call_lock.h"
#include "waitio/progress/progress.h"
#include "waitio/progress/progress_thread.h"

enum { CALLERS = 4, CALLS = 300, FLOODERS = 4, OPEN = 300, ROUNDS = 40 };

/* A link that has something to say in every turn, so that the thread never sleeps. */
static atomic_int turns;

static bool always(waitio__link *link, bool write)
{
    (void)link;
    (void)write;
    return true;
}

static void count(waitio__source *source, bool readable, bool writable)
{
    (void)source;
    (void)readable;
    (void)writable;
    atomic_fetch_add(&turns, 1);
}

static double never_sleep(waitio__link *link, bool write)
{
    (void)link;
    (void)write;
    return 0;
}

static void nothing(waitio__link *link)
{
    (void)link;
}

static const waitio__conduit restless = {
    .name = "restless", .ready = always, .sleep_begin = never_sleep, .sleep_end = nothing};

typedef struct busy {
    waitio__instance *in;
    waitio__source source;
    waitio__link link;
    int calls; /* that all callers have made; under the instance's lock */
} busy;

static void busy_begin(busy *b)
{
    *b = (busy){.in = alone_begin(1), .source.ready = count, .link = {.conduit = &restless, .fd = -1}};
    assert_int_equal(waitio__hub_add(&b->in->hub, &b->source, &b->link, false), 0);
    atomic_store(&turns, 0);
    assert_int_equal(waitio__progress_thread_start(b->in), 0);
    while (!atomic_load(&turns))
        h3ou__sleep(0.001);
    alarm(60); /* a caller that is never let in would wait for good */
}

static void busy_end(busy *b)
{
    waitio__progress_thread_stop(b->in);
    alarm(0);
    waitio__hub_remove(&b->in->hub, &b->source);
    waitio__instance_free(b->in);
}

static void *make_calls(void *arg)
{
    busy *b = arg;
    for (int i = 0; i < CALLS; i++) {
        waitio__call_lock_take(b->in);
        b->calls++;
        waitio__call_lock_give(b->in);
    }
    return NULL;
}

static void test_calls_are_let_in(void **state)
{
    busy b;
    pthread_t id[CALLERS];
    (void)state;
    busy_begin(&b);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&id[i], NULL, make_calls, &b), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(id[i], NULL);
    assert_int_equal(b.calls, CALLERS * CALLS);
    /* The thread has gone on, too. */
    int seen = atomic_load(&turns);
    while (atomic_load(&turns) == seen)
        h3ou__sleep(0.001);
    busy_end(&b);
}

static bool never(waitio__instance *in, void *arg)
{
    (void)in;
    (void)arg;
    return false;
}

static void test_patience_ends(void **state)
{
    busy b;
    (void)state;
    busy_begin(&b);
    waitio__call_lock_take(b.in);
    assert_int_equal(waitio__call_lock_await(b.in, never, NULL, 0.05), H3OU__ETIMEOUT);
    assert_int_equal(waitio__call_lock_await(b.in, never, NULL, 0), H3OU__ETIMEOUT);
    waitio__call_lock_give(b.in);
    busy_end(&b);
}

static bool have_all_called(waitio__instance *in, void *arg)
{
    (void)in;
    return ((busy *)arg)->calls == CALLERS * CALLS;
}

static void *await_calls(void *arg)
{
    busy *b = arg;
    waitio__call_lock_take(b->in);
    int code = waitio__call_lock_await(b->in, have_all_called, b, 50);
    waitio__call_lock_give(b->in);
    return (void *)(intptr_t)code;
}

/* Several sleep until the same has happened, which other callers bring about. */
static void test_waiters_are_woken(void **state)
{
    busy b;
    pthread_t waits[CALLERS], calls[CALLERS];
    (void)state;
    busy_begin(&b);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&waits[i], NULL, await_calls, &b), 0);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&calls[i], NULL, make_calls, &b), 0);
    for (int i = 0; i < CALLERS; i++) {
        void *code;
        pthread_join(calls[i], NULL);
        pthread_join(waits[i], &code);
        assert_int_equal((intptr_t)code, H3OU__OK);
    }
    busy_end(&b);
}

/* A link that rings once, by its descriptor, when it was told that the process sleeps; and then is silent until it is told again. */
static atomic_bool is_told;

static bool not_ready(waitio__link *link, bool write)
{
    (void)link;
    (void)write;
    return false;
}

static double tell(waitio__link *link, bool write)
{
    (void)link;
    (void)write;
    atomic_store(&is_told, true);
    return 1e9;
}

static void read_bell(waitio__source *source, bool readable, bool writable)
{
    uint64_t rung;
    (void)readable;
    (void)writable;
    assert_true(read(source->link->fd, &rung, sizeof rung) == sizeof rung || errno == EAGAIN);
}

static const waitio__conduit quiet = {.name = "quiet", .ready = not_ready, .sleep_begin = tell, .sleep_end = nothing};

/* A call of the program reads the bell before the thread that sleeps notices it: the link has to be told again that the thread sleeps, or it is deaf until it wakes
 * by itself, after a tenth of a second. The alarm comes before that has happened in each of the rounds. */
static void test_bell_taken_by_a_call(void **state)
{
    enum { BELLS = 8000 };
    uint64_t one = 1;
    waitio__source source = {.ready = read_bell, .round = -1};
    waitio__link link = {.conduit = &quiet, .fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    waitio__instance *in = alone_begin(1);
    (void)state;
    assert_int_equal(waitio__hub_add(&in->hub, &source, &link, false), 0);
    atomic_store(&is_told, false);
    assert_int_equal(waitio__progress_thread_start(in), 0);
    alarm(60);
    for (int i = 0; i < BELLS; i++) {
        while (!atomic_load(&is_told))
            sched_yield();
        waitio__call_lock_take(in);
        atomic_store(&is_told, false);
        assert_int_equal(write(link.fd, &one, sizeof one), sizeof one);
        waitio__progress(in, 0);
        waitio__call_lock_give(in);
    }
    alarm(0);
    waitio__progress_thread_stop(in);
    waitio__hub_remove(&in->hub, &source);
    close(link.fd);
    waitio__instance_free(in);
}

/* Connects again and again, keeps the newest connections open, says nothing and resets the others. */
static void flood(int port, double seconds)
{
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    struct linger reset = {.l_onoff = 1};
    int fd[OPEN];
    double end = h3ou__now() + seconds;
    memset(fd, -1, sizeof fd);
    for (int i = 0; h3ou__now() < end; i = (i + 1) % OPEN) {
        if (fd[i] >= 0)
            close(fd[i]);
        fd[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        setsockopt(fd[i], SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        connect(fd[i], (struct sockaddr *)&a, sizeof a);
    }
}

/* One message each way. */
static int exchange(waitio_group_t g, int rank, int i)
{
    waitio_req_t r[2];
    int mine = rank + 2 * i, other = -1;
    int code = waitio_irecv(g, 1 - rank, (char *)&other, sizeof other, i, &r[0]);
    if (!code)
        code = waitio_isend(g, 1 - rank, (char *)&mine, sizeof mine, i, &r[1]);
    if (!code)
        code = waitio_waitall_for(2, r, 60, NULL);
    return code ? code : other == 1 - rank + 2 * i ? 0 : __LINE__;
}

static int talk_in_flood(seat *me)
{
    waitio_group_t g;
    int rank, code = 0;
    setenv("WAITIO_ROUTES", "tcp", 1);
    setenv("WAITIO_PROGRESS", "thread", 1);
    if (seat_join(me, 20) || !(g = group_of_all(3)) || waitio_group_rank(g, &rank) || exchange(g, rank, 0))
        return seat_keep(me, me->code ? me->code : -1);
    me->step = 1;
    seat_idle(me, 1);
    for (int i = 1; i <= ROUNDS && !code; i++)
        code = exchange(g, rank, i);
    seat_keep(me, code);
    me->step = 2;
    seat_idle(me, 2);
    waitio_group_free(g);
    return code ? code : seat_keep(me, waitio_finalize());
}

static void test_flood(void **state)
{
    run r;
    pid_t flooder[FLOODERS];
    int status;
    bool is_through = true, is_over = false;
    (void)state;
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, talk_in_flood);
    for (int i = 0; i < r.n; i++)
        assert_true(seat_reaches(&r.seat[i], 1, 30));
    for (int i = 0; i < FLOODERS; i++) {
        flooder[i] = fork();
        assert_true(flooder[i] >= 0);
        if (flooder[i])
            continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        flood(r.seat[i % r.n].ear, 70);
        _exit(0);
    }
    h3ou__sleep(0.5);
    for (int i = 0; i < r.n; i++)
        r.seat[i].go = 1;
    for (int i = 0; i < r.n; i++)
        is_through = is_through && seat_reaches(&r.seat[i], 2, 50);
    for (int i = 0; i < FLOODERS; i++) {
        if (waitpid(flooder[i], &status, WNOHANG) == flooder[i]) {
            is_over = true;
            continue;
        }
        kill(flooder[i], SIGKILL);
        waitpid(flooder[i], &status, 0);
    }
    for (int i = 0; i < r.n; i++)
        r.seat[i].go = 2;
    bool well = run_end(&r, 30);
    for (int i = 0; i < r.n; i++) {
        if (r.seat[i].code)
            print_message("PB %d: %d: %s\n", r.seat[i].pb, r.seat[i].code, r.seat[i].text);
        well = well && !r.seat[i].code && !r.seat[i].status;
    }
    run_close(&r);
    assert_true(is_through && !is_over); /* the messages came through while the flood lasted */
    assert_true(well);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_are_let_in),
        cmocka_unit_test(test_patience_ends),
        cmocka_unit_test(test_waiters_are_woken),
        cmocka_unit_test(test_bell_taken_by_a_call),
        cmocka_unit_test(test_flood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
