/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls beyond the published ones, between processes, by every route. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run.h"

enum { SYNC = 9999, LONG = 3 << 20 };

static char big[LONG], other_big[LONG];

static int bad(seat *me, int line, const char *what)
{
    snprintf(me->text, sizeof me->text, "line %d: %s: %.1500s", line, what, waitio_error());
    return line;
}

/* Both ends are here. */
static int meet(waitio_group_t g, int other)
{
    char out = 1, in = 0;
    waitio_req_t r[2];
    int code = waitio_irecv(g, other, &in, 1, SYNC, &r[0]);
    if (!code)
        code = waitio_isend(g, other, &out, 1, SYNC, &r[1]);
    return code ? code : waitio_waitall(2, r, NULL);
}

static int deliver(waitio_group_t g, int to, char *buf, size_t n, waitio_tag_t tag)
{
    waitio_req_t r;
    int code = waitio_isend(g, to, buf, n, tag, &r);
    return code ? code : waitio_wait(&r);
}

static int receive(waitio_group_t g, int from, char *buf, size_t n, waitio_tag_t tag, waitio_status_t *s)
{
    waitio_req_t r;
    int code = waitio_irecv(g, from, buf, n, tag, &r);
    if (!code)
        code = waitio_wait(&r);
    if (s && waitio_get_status(&r, s))
        return WAITIO_ESTATE;
    return code;
}

/* name and value pairs for all processes that start until the next call. */
static void set_environment(const char *const pair[])
{
    static const char *const ours[] = {"WAITIO_ROUTES",
                                       "WAITIO_COMM_TYPE",
                                       "WAITIO_PROGRESS",
                                       "WAITIO_CREDIT",
                                       "WAITIO_UNEXPECTED_LIMIT",
                                       "WAITIO_CHECKSUM",
                                       "WAITIO_ENCRYPT",
                                       "WAITIO_STREAMS",
                                       "WAITIO_EAGER_LIMIT",
                                       "WAITIO_MAX_CONNECTIONS",
                                       NULL};
    for (int i = 0; ours[i]; i++)
        unsetenv(ours[i]);
    for (int i = 0; pair && pair[i]; i += 2)
        setenv(pair[i], pair[i + 1], 1);
}

static int (*scene)(seat *me, waitio_group_t g, int rank, int size);

static int play(seat *me)
{
    int rank, size;
    /* A name that would upset a terminal does not upset a connection. */
    if (waitio_set_name("a\tname\n") || seat_join(me, 20) || waitio_set_patience(30))
        return bad(me, __LINE__, "join");
    waitio_group_t g = group_of_all(3);
    if (!g || waitio_group_rank(g, &rank) || waitio_group_size(g, &size))
        return bad(me, __LINE__, "group");
    int code = scene(me, g, rank, size);
    if (code)
        return code;
    waitio_group_free(g);
    return waitio_finalize() ? bad(me, __LINE__, "finalize") : 0;
}

static void run_scene(int (*s)(seat *, waitio_group_t, int, int), int npb, const int size[], double seconds)
{
    run r;
    scene = s;
    run_begin(&r, npb, size);
    run_start_all(&r, play);
    assert_true(run_ends_well(&r, seconds));
}

static const char *const routes[] = {"tcp", "unix", "shm"};
enum { ROUTES = 3 };

/* Two processes, one of each PB, by every route. */
static void run_everywhere(int (*s)(seat *, waitio_group_t, int, int))
{
    for (int i = 0; i < ROUTES; i++) {
        set_environment((const char *const[]){"WAITIO_ROUTES", routes[i], NULL});
        run_scene(s, 2, (int[]){1, 1}, 30);
    }
    set_environment(NULL);
}

/* waitall and waitany and their forms with a time, with messages of all kinds in both directions. */
static int waits(seat *me, waitio_group_t g, int rank, int size)
{
    enum { N = 40 };
    waitio_req_t r[2 * N];
    waitio_status_t s[2 * N];
    static char in[N][100000], out[N][100000];
    int other = 1 - rank, index;
    (void)size;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            size_t n = (size_t)(i * 2500);
            fill_pattern(out[i], n, (uint64_t)(rank * N + i));
            if (waitio_irecv(g, other, in[i], sizeof in[i], i, &r[i]) ||
                waitio_isend(g, other, out[i], n, i, &r[N + i]))
                return bad(me, __LINE__, "start");
        }
        for (int left = 2 * N; round && left; left--) {
            if (left % 2 ? waitio_waitany(2 * N, r, &index, &s[0]) : waitio_waitany_for(2 * N, r, 20, &index, &s[0]))
                return bad(me, __LINE__, "waitany");
            if (index < 0 || index >= 2 * N || s[0].tag != index % N || s[0].length != (size_t)(index % N * 2500))
                return bad(me, __LINE__, "status of waitany");
        }
        if (round && (waitio_waitany(2 * N, r, &index, NULL) || index != -1))
            return bad(me, __LINE__, "waitany of none");
        if (round ? waitio_waitall_for(2 * N, r, 0, s) : waitio_waitall(2 * N, r, s))
            return bad(me, __LINE__, "waitall");
        for (int i = 0; i < 2 * N; i++)
            if (s[i].source != other || s[i].error || s[i].is_cancelled || s[i].tag != i % N ||
                s[i].length != (size_t)(i % N * 2500))
                return bad(me, __LINE__, "status");
        for (int i = 0; i < N; i++)
            if (!is_pattern(in[i], (size_t)(i * 2500), (uint64_t)(other * N + i)))
                return bad(me, __LINE__, "content");
    }
    if (waitio_waitall(0, NULL, NULL) || waitio_waitany(0, NULL, &index, NULL) || index != -1)
        return bad(me, __LINE__, "none at all");
    if (waitio_waitall(-1, r, NULL) != WAITIO_EARG || waitio_waitany(2, NULL, &index, NULL) != WAITIO_EARG ||
        waitio_waitany(1, r, NULL, NULL) != WAITIO_EARG)
        return bad(me, __LINE__, "wrong arguments were taken");
    return 0;
}

static void test_waits(void **state)
{
    (void)state;
    run_everywhere(waits);
}

/* A time that ends leaves the request active. */
static int times(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_req_t r[2];
    waitio_status_t s;
    int other = 1 - rank, index = 7, done = 7;
    char in[2] = {0}, out[2] = {5, 6};
    (void)size;
    if (waitio_irecv(g, other, &in[0], 1, 1, &r[0]) || waitio_irecv(g, WAITIO_ANY_SOURCE, &in[1], 1, 2, &r[1]))
        return bad(me, __LINE__, "irecv");
    for (int i = 0; i < 3; i++)
        if (waitio_wait_for(&r[i % 2], 0.01 * i, &s) != WAITIO_ETIMEOUT)
            return bad(me, __LINE__, "wait_for");
    if (waitio_waitall_for(2, r, 0.02, NULL) != WAITIO_ETIMEOUT ||
        waitio_waitany_for(2, r, 0.02, &index, &s) != WAITIO_ETIMEOUT || index != -1)
        return bad(me, __LINE__, "waitall_for, waitany_for");
    if (waitio_test(&r[0], &done) || done || waitio_get_status(&r[0], &s) != WAITIO_EARG)
        return bad(me, __LINE__, "test");
    if (meet(g, other))
        return bad(me, __LINE__, "meet");
    if (deliver(g, other, &out[0], 1, 1))
        return bad(me, __LINE__, "deliver");
    if (waitio_wait_for(&r[0], 20, &s) || in[0] != 5 || s.tag != 1 || s.source != other || s.length != 1)
        return bad(me, __LINE__, "later");
    if (meet(g, other))
        return bad(me, __LINE__, "meet");
    if (waitio_wait_for(&r[1], 0, NULL) != WAITIO_ETIMEOUT || meet(g, other) || deliver(g, other, &out[1], 1, 2))
        return bad(me, __LINE__, "the other one");
    while (!waitio_test(&r[1], &done) && !done)
        waitio_progress(0.001);
    if (!done || in[1] != 6 || waitio_get_status(&r[1], &s) || s.source != other || s.tag != 2)
        return bad(me, __LINE__, "test of the other one");
    return waitio_wait(&r[1]) || waitio_wait_for(&r[0], 0, NULL) ? bad(me, __LINE__, "again") : 0;
}

static void test_times(void **state)
{
    (void)state;
    run_everywhere(times);
}

/* A receive that nobody met, named and wild; too late; a send that has gone. */
static int cancels(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_req_t r[4];
    waitio_status_t s;
    char in[4] = {0}, out = 9;
    int other = 1 - rank;
    (void)size;
    if (waitio_irecv(g, other, &in[0], 1, 1, &r[0]) || waitio_irecv(g, other, &in[1], 1, 1, &r[1]) ||
        waitio_irecv(g, WAITIO_ANY_SOURCE, &in[2], 1, WAITIO_ANY_TAG, &r[2]))
        return bad(me, __LINE__, "irecv");
    if (waitio_cancel(&r[0]) || waitio_cancel(&r[0]) || waitio_cancel(&r[2]))
        return bad(me, __LINE__, "cancel");
    if (waitio_wait_for(&r[2], 0, &s) || !s.is_cancelled || waitio_wait(&r[0]) || waitio_get_status(&r[0], &s) ||
        !s.is_cancelled || s.error || s.length || waitio_cancel(&r[0]))
        return bad(me, __LINE__, "cancelled");
    if (meet(g, other) || deliver(g, other, &out, 1, 1) || waitio_wait_for(&r[1], 20, &s) || s.is_cancelled ||
        in[1] != 9)
        return bad(me, __LINE__, "the one behind it");
    if (waitio_cancel(&r[1]) || waitio_get_status(&r[1], &s) || s.is_cancelled || in[0] || in[2])
        return bad(me, __LINE__, "too late");
    /* A long message that was announced: its receive cannot be withdrawn, nor its send. */
    fill_pattern(big, LONG, (uint64_t)rank);
    if (waitio_isend(g, other, big, LONG, 3, &r[0]) || meet(g, other) || waitio_cancel(&r[0]) ||
        waitio_irecv(g, other, other_big, LONG, 3, &r[1]) || waitio_cancel(&r[1]) || waitio_waitall(2, r, NULL))
        return bad(me, __LINE__, "long ones");
    if (waitio_get_status(&r[0], &s) || s.is_cancelled || waitio_get_status(&r[1], &s) || s.is_cancelled ||
        !is_pattern(other_big, LONG, (uint64_t)other))
        return bad(me, __LINE__, "long ones went on");
    return meet(g, other) ? bad(me, __LINE__, "meet") : 0;
}

/* Before there is a connection: it never leaves. */
static int cancels_first(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_req_t r[3];
    waitio_status_t s[3];
    char out[3] = {1, 2, 3}, in = 0;
    (void)size;
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            if (waitio_isend(g, 1, &out[i], 1, 4, &r[i]))
                return bad(me, __LINE__, "isend");
        if (waitio_cancel(&r[0]) || waitio_cancel(&r[2]) || waitio_waitall(3, r, s))
            return bad(me, __LINE__, "cancel");
        if (!s[0].is_cancelled || s[1].is_cancelled || !s[2].is_cancelled)
            return bad(me, __LINE__, "status");
    } else if (receive(g, 0, &in, 1, 4, NULL) || in != 2) {
        return bad(me, __LINE__, "only the one in the middle");
    }
    int flag = 7;
    if (meet(g, 1 - rank) || waitio_iprobe(g, WAITIO_ANY_SOURCE, 4, &flag, NULL) || flag)
        return bad(me, __LINE__, "more");
    return meet(g, 1 - rank) ? bad(me, __LINE__, "meet") : 0;
}

static void test_cancels(void **state)
{
    (void)state;
    run_everywhere(cancels);
    run_everywhere(cancels_first);
}

/* What is there is told, and stays. */
static int probes(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_status_t s;
    waitio_req_t r;
    int flag = 7, other = 1 - rank;
    char in[200];
    (void)size;
    if (waitio_iprobe(g, other, 5, &flag, &s) || flag || waitio_iprobe(g, WAITIO_ANY_SOURCE, 5, &flag, &s) || flag)
        return bad(me, __LINE__, "too early");
    if (waitio_probe(g, other, 5, 0, &s) != WAITIO_ETIMEOUT || waitio_probe(g, other, 5, 0.01, &s) != WAITIO_ETIMEOUT)
        return bad(me, __LINE__, "timeout");
    if (waitio_iprobe(g, 2, 5, &flag, &s) != WAITIO_EARG || waitio_iprobe(g, other, 5, NULL, &s) != WAITIO_EARG)
        return bad(me, __LINE__, "wrong arguments were taken");
    if (meet(g, other))
        return bad(me, __LINE__, "meet");
    fill_pattern(big, LONG, (uint64_t)rank);
    if (deliver(g, other, big, 77, 5) || waitio_isend(g, other, big, LONG, 6, &r))
        return bad(me, __LINE__, "send");
    if (waitio_probe(g, WAITIO_ANY_SOURCE, WAITIO_ANY_TAG, -1, &s) || s.source != other || s.tag != 5 || s.length != 77)
        return bad(me, __LINE__, "any");
    if (waitio_probe(g, other, 6, 20, &s) || s.tag != 6 || s.length != LONG || s.source != other)
        return bad(me, __LINE__, "the long one");
    if (waitio_iprobe(g, other, 5, &flag, NULL) || !flag || waitio_iprobe(g, other, 4, &flag, NULL) || flag)
        return bad(me, __LINE__, "still there");
    if (receive(g, s.source, other_big, s.length, s.tag, NULL) || !is_pattern(other_big, LONG, (uint64_t)other) ||
        receive(g, WAITIO_ANY_SOURCE, in, sizeof in, WAITIO_ANY_TAG, &s) || s.length != 77 || s.tag != 5 ||
        waitio_wait(&r))
        return bad(me, __LINE__, "receive");
    if (waitio_iprobe(g, other, WAITIO_ANY_TAG, &flag, NULL) ||
        (flag && (waitio_iprobe(g, other, 5, &flag, NULL) || flag)))
        return bad(me, __LINE__, "gone");
    return meet(g, other) ? bad(me, __LINE__, "meet") : 0;
}

static void test_probes(void **state)
{
    (void)state;
    run_everywhere(probes);
}

/* Who leaves and what it left behind. */
static int probes_left(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_status_t s;
    char byte = 1;
    int flag;
    (void)size;
    if (rank == 1)
        return deliver(g, 0, &byte, 1, 1) ? bad(me, __LINE__, "send") : 0;
    if (waitio_probe(g, 1, 2, -1, &s) != WAITIO_EPEER || !strstr(waitio_error(), "has left the run"))
        return bad(me, __LINE__, "probe");
    if (waitio_iprobe(g, 1, 2, &flag, &s) != WAITIO_EPEER)
        return bad(me, __LINE__, "iprobe");
    if (waitio_iprobe(g, 1, 1, &flag, &s) || !flag || receive(g, WAITIO_ANY_SOURCE, &byte, 1, 1, &s) || s.source != 1)
        return bad(me, __LINE__, "what it had sent");
    /* Nobody else is there who could send. */
    if (receive(g, WAITIO_ANY_SOURCE, &byte, 1, 1, &s) != WAITIO_EPEER ||
        waitio_probe(g, WAITIO_ANY_SOURCE, 1, -1, &s) != WAITIO_EPEER)
        return bad(me, __LINE__, "from any");
    return 0;
}

/* A receive from any source that waits while the last of the others leaves. */
static int waits_for_left(seat *me, waitio_group_t g, int rank, int size)
{
    char byte = 1;
    if (rank)
        return deliver(g, 0, &byte, 1, 1) ? bad(me, __LINE__, "send") : 0;
    for (int i = 1; i < size; i++)
        if (receive(g, WAITIO_ANY_SOURCE, &byte, 1, 1, NULL))
            return bad(me, __LINE__, "receive");
    if (receive(g, WAITIO_ANY_SOURCE, &byte, 1, 1, NULL) != WAITIO_EPEER || !strstr(waitio_error(), "has left the run"))
        return bad(me, __LINE__, "from nobody");
    return 0;
}

static void test_probes_left(void **state)
{
    (void)state;
    run_everywhere(probes_left);
    run_everywhere(waits_for_left);
    run_scene(waits_for_left, 2, (int[]){1, 3}, 30);
}

/* Number 2 dies after all have met: probes of it and receives from any source end with that. */
static int mourns(seat *me)
{
    waitio_req_t r[3];
    waitio_status_t s[3];
    char in[3];
    if (seat_join(me, 20) || waitio_set_patience(30))
        return bad(me, __LINE__, "join");
    waitio_group_t g = group_of_all(3);
    int rank;
    waitio_group_rank(g, &rank);
    for (int i = 0; i < 3; i++)
        if (i != rank && meet(g, i))
            return bad(me, __LINE__, "meet");
    if (rank && waitio_irecv(g, WAITIO_ANY_SOURCE, &in[0], 1, 1, &r[0]))
        return bad(me, __LINE__, "irecv");
    me->step = 1;
    if (rank == 2) {
        seat_idle(me, 1);
        return 0;
    }
    if (rank == 0 && waitio_probe(g, 2, 1, -1, s) != WAITIO_EPEER)
        return bad(me, __LINE__, "probe");
    if (rank == 1 && waitio_waitall(1, r, s) != WAITIO_EPEER)
        return bad(me, __LINE__, "wild");
    seat_keep(me, WAITIO_EPEER);
    /* What is said now is of no use without it, but who is there still talks. */
    if (rank == 0 ? receive(g, 2, in, 1, 1, s) != WAITIO_EPEER
                  : receive(g, WAITIO_ANY_SOURCE, in, 1, 1, s) != WAITIO_EPEER ||
                        waitio_probe(g, WAITIO_ANY_SOURCE, 1, -1, s) != WAITIO_EPEER)
        return bad(me, __LINE__, "later");
    if (meet(g, 1 - rank))
        return bad(me, __LINE__, "the two that live");
    return waitio_finalize() == WAITIO_EPEER ? 0 : bad(me, __LINE__, "finalize did not complain");
}

static void test_mourns(void **state)
{
    (void)state;
    for (int i = 0; i < ROUTES; i++) {
        run r;
        set_environment((const char *const[]){"WAITIO_ROUTES", routes[i], NULL});
        run_begin(&r, 2, (int[]){1, 2});
        run_start_all(&r, mourns);
        for (int k = 0; k < 3; k++)
            assert_true(seat_reaches(&r.seat[k], 1, 20));
        seat_kill(&r.seat[2]);
        run_end(&r, 20);
        for (int k = 0; k < 2; k++) {
            if (r.seat[k].code || r.seat[k].status)
                print_message("%s: rank %d: %d: %s\n", routes[i], k, r.seat[k].code, r.seat[k].text);
            assert_int_equal(r.seat[k].status, 0);
            assert_int_equal(r.seat[k].code, 0);
            assert_non_null(strstr(r.seat[k].text, "PB 1 rank 1"));
        }
        run_close(&r);
    }
    set_environment(NULL);
}

/* All send to number 0, which asks for anything; per sender the order is kept. */
static int anything(seat *me, waitio_group_t g, int rank, int size)
{
    enum { EACH = 300 };
    static char in[100000];
    static const size_t lengths[] = {0, 1, 500, 20000, 70000};
    int next[RUN_SEATS] = {0};
    if (rank) {
        for (int i = 0; i < EACH; i++) {
            size_t n = lengths[(i + rank) % 5];
            fill_pattern(big, n, (uint64_t)(rank * EACH + i));
            if (deliver(g, 0, big, n, 1000 * rank + i))
                return bad(me, __LINE__, "send");
        }
        return receive(g, 0, in, 1, 1, NULL) ? bad(me, __LINE__, "end") : 0;
    }
    for (int k = 0; k < EACH * (size - 1); k++) {
        waitio_status_t s;
        bool is_short = k % 7 == 0;
        int code = receive(g, WAITIO_ANY_SOURCE, in, is_short ? 400 : sizeof in, WAITIO_ANY_TAG, &s);
        if (s.source < 1 || s.source >= size || s.tag != 1000 * s.source + next[s.source])
            return bad(me, __LINE__, "source, tag or order");
        int i = next[s.source]++;
        if (s.length != lengths[(i + s.source) % 5] || s.error != code ||
            code != (is_short && s.length > 400 ? WAITIO_ETRUNC : 0))
            return bad(me, __LINE__, "length");
        if (!is_pattern(in, code ? 400 : s.length, (uint64_t)(s.source * EACH + i)))
            return bad(me, __LINE__, "content");
    }
    for (int i = 1; i < size; i++)
        if (deliver(g, i, in, 1, 1))
            return bad(me, __LINE__, "end");
    return 0;
}

static void test_anything(void **state)
{
    (void)state;
    for (int i = 0; i <= ROUTES; i++) {
        if (i < ROUTES)
            set_environment((const char *const[]){"WAITIO_ROUTES", routes[i], NULL});
        else
            set_environment((const char *const[]){"WAITIO_COMM_TYPE", "socket", NULL});
        run_scene(anything, 2, (int[]){2, 2}, 60);
    }
    set_environment(NULL);
}

/* Many tags received in the reverse order; messages of no bytes among them. */
static int reversed(seat *me, waitio_group_t g, int rank, int size)
{
    enum { N = 400 };
    static waitio_req_t r[N];
    static int out[N];
    int other = 1 - rank, in;
    (void)size;
    for (int i = 0; i < N; i++) {
        out[i] = i;
        if (waitio_isend(g, other, (char *)&out[i], i % 3 ? sizeof out[i] : 0, i, &r[i]))
            return bad(me, __LINE__, "send");
    }
    for (int i = N - 1; i >= 0; i--) {
        waitio_status_t s;
        in = i;
        if (receive(g, i % 2 ? WAITIO_ANY_SOURCE : other, (char *)&in, sizeof in, i, &s) || in != i || s.tag != i ||
            s.length != (i % 3 ? sizeof in : 0))
            return bad(me, __LINE__, "receive");
    }
    return waitio_waitall(N, r, NULL) ? bad(me, __LINE__, "waitall") : 0;
}

static void test_reversed(void **state)
{
    (void)state;
    run_everywhere(reversed);
}

/* What the counters say of a small talk. */
static int counts(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_counters_t a, b, c;
    char in[1000], out[1000] = "x";
    int other = 1 - rank;
    (void)size;
    if (waitio_get_counters(NULL) != WAITIO_EARG || waitio_get_counters(&a) || a.messages_sent || a.connections ||
        !a.memory)
        return bad(me, __LINE__, "at the beginning");
    if (meet(g, other) || waitio_get_counters(&b) || b.messages_sent != 1 || b.bytes_sent != 1 ||
        b.messages_received != 1 || b.bytes_received != 1 || b.connections != 1 || b.connections_opened != 1)
        return bad(me, __LINE__, "after one message");
    for (int i = 0; i < 100; i++)
        if (deliver(g, other, out, sizeof out, 1))
            return bad(me, __LINE__, "send");
    if (deliver(g, other, out, 1, 2) || waitio_probe(g, other, 2, -1, NULL) || waitio_get_counters(&b))
        return bad(me, __LINE__, "all are here");
    if (b.messages_sent != 102 || b.bytes_sent != 100002 || b.messages_received != 1 || b.unexpected < 101 ||
        b.unexpected_bytes < 100001 || b.unexpected_bytes > 100002 || b.memory < a.memory + 100001)
        return bad(me, __LINE__, "messages that nobody asked for");
    for (int i = 0; i < 101; i++)
        if (receive(g, other, in, sizeof in, i < 100 ? 1 : 2, NULL))
            return bad(me, __LINE__, "receive");
    if (waitio_get_counters(&c) || c.messages_received != 102 || c.bytes_received != 100002 || c.unexpected_bytes > 1 ||
        c.memory + 100001 > b.memory || c.reconnections || c.strangers || c.connections_rested || c.credit_stalls)
        return bad(me, __LINE__, "at the end");
    return meet(g, other) ? bad(me, __LINE__, "meet") : 0;
}

static void test_counts(void **state)
{
    (void)state;
    run_everywhere(counts);
}

/* Senders run ahead of number 0, which holds no more than it granted, and gets everything in order. */
enum { AHEAD = 3000 };
static uint64_t bound; /* bytes that the receiver may hold */

static int runs_ahead(seat *me, waitio_group_t g, int rank, int size)
{
    static waitio_req_t r[AHEAD];
    static char text[AHEAD][100], in[100];
    waitio_counters_t c;
    char last = 1;
    if (rank) {
        for (int i = 0; i < AHEAD; i++) {
            fill_pattern(text[i], 100, (uint64_t)(rank * AHEAD + i));
            if (waitio_isend(g, 0, text[i], 100, i % 2, &r[i]))
                return bad(me, __LINE__, "isend");
        }
        me->step = 1;
        if (waitio_waitall(AHEAD, r, NULL) || waitio_get_counters(&c))
            return bad(me, __LINE__, "waitall");
        if (!c.credit_stalls)
            return bad(me, __LINE__, "no send waited");
        return receive(g, 0, &last, 1, 9, NULL) ? bad(me, __LINE__, "end") : 0;
    }
    for (int k = 1; k < size; k++)
        if (waitio_probe(g, k, 0, -1, NULL))
            return bad(me, __LINE__, "probe");
    for (int i = 0; i < 100; i++)
        if (waitio_progress(0.002) || waitio_get_counters(&c) || c.unexpected_bytes > bound)
            return bad(me, __LINE__, "it holds too much");
    for (int i = 0; i < AHEAD; i++)
        for (int k = 1; k < size; k++)
            if (receive(g, k, in, 100, i % 2, NULL) || !is_pattern(in, 100, (uint64_t)(k * AHEAD + i)) ||
                waitio_get_counters(&c) || c.unexpected_bytes > bound)
                return bad(me, __LINE__, "order");
    for (int k = 1; k < size; k++)
        if (deliver(g, k, &last, 1, 9))
            return bad(me, __LINE__, "end");
    return waitio_get_counters(&c) || c.unexpected_bytes ? bad(me, __LINE__, "left over") : 0;
}

static void test_runs_ahead(void **state)
{
    (void)state;
    for (int i = 0; i < ROUTES; i++) {
        set_environment((const char *const[]){"WAITIO_ROUTES", routes[i], "WAITIO_CREDIT", "65536", NULL});
        bound = 65536;
        run_scene(runs_ahead, 2, (int[]){1, 1}, 60);
        set_environment((const char *const[]){"WAITIO_ROUTES", routes[i], "WAITIO_UNEXPECTED_LIMIT", "65536", NULL});
        bound = 65536;
        run_scene(runs_ahead, 2, (int[]){1, 3}, 60);
    }
    set_environment(NULL);
}

/* A synchronous send waits until its message is received, also one without bytes. */
static int synchronises(seat *me, waitio_group_t g, int rank, int size)
{
    static const size_t length[] = {0, 1, 900, LONG};
    int other = 1 - rank, done = 1;
    char token = 1;
    waitio_req_t r;
    waitio_status_t s;
    (void)size;
    for (int i = 0; i < 4; i++) {
        if (rank == 0) {
            fill_pattern(big, length[i], (uint64_t)i);
            if (waitio_issend(g, other, big, length[i], i, &r) || waitio_wait_for(&r, 0.02, &s) != WAITIO_ETIMEOUT ||
                deliver(g, other, &token, 1, SYNC) || waitio_wait(&r))
                return bad(me, __LINE__, "issend");
            continue;
        }
        if (receive(g, other, &token, 1, SYNC, NULL) || waitio_probe(g, other, i, -1, &s) || s.length != length[i])
            return bad(me, __LINE__, "probe");
        if (receive(g, WAITIO_ANY_SOURCE, other_big, LONG, i, &s) || s.length != length[i] || !is_pattern(other_big, length[i], (uint64_t)i))
            return bad(me, __LINE__, "receive");
    }
    if (waitio_issend(g, rank, &token, 1, 7, &r) || waitio_test(&r, &done) || done || receive(g, rank, &token, 1, 7, NULL) ||
        waitio_test(&r, &done) || !done)
        return bad(me, __LINE__, "to itself");
    if (waitio_issend(g, 5, &token, 1, 7, &r) != WAITIO_EARG || waitio_issend(g, 0, &token, 1, WAITIO_ANY_TAG, &r) != WAITIO_EARG)
        return bad(me, __LINE__, "wrong arguments were taken");
    return 0;
}

static void test_synchronises(void **state)
{
    (void)state;
    run_everywhere(synchronises);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits),      cmocka_unit_test(test_times),       cmocka_unit_test(test_cancels),
        cmocka_unit_test(test_probes),     cmocka_unit_test(test_probes_left), cmocka_unit_test(test_mourns),
        cmocka_unit_test(test_anything),   cmocka_unit_test(test_reversed),    cmocka_unit_test(test_counts),
        cmocka_unit_test(test_runs_ahead),  cmocka_unit_test(test_synchronises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
