/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between processes of several PBs: order, matching, sizes, directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run.h"

static int bad(seat *me, int number, const char *what)
{
    snprintf(me->text, sizeof me->text, "%s (%d): %s", what, number, waitio_error());
    return number;
}

/* Each rank sends to each, itself included, and receives from each. */
static int everybody(seat *me)
{
    int rank, size, pbs, pb, *nprocs = NULL, own[RUN_SEATS];
    if (seat_join(me, 20))
        return 1;
    waitio_group_t g = group_of_all(7);
    if (!g || waitio_group_rank(g, &rank) || waitio_group_size(g, &size) || waitio_pb_size(&pbs) || waitio_pb_rank(&pb))
        return bad(me, 2, "group");
    if (pb != me->pb || waitio_get_nprocs(&nprocs) != pbs || waitio_get_nprocs(own) != pbs)
        return bad(me, 3, "nprocs");
    int sum = 0;
    for (int i = 0; i < pbs; i++)
        sum += nprocs[i] == own[i] ? own[i] : 1000;
    free(nprocs);
    if (sum != size)
        return bad(me, 4, "sizes");
    int out[RUN_SEATS], in[RUN_SEATS];
    waitio_req_t send[RUN_SEATS], recv[RUN_SEATS];
    for (int i = 0; i < size; i++) {
        out[i] = 1000 * rank + i;
        if (waitio_irecv(g, i, (char *)&in[i], sizeof in[i], 5, &recv[i]) ||
            waitio_isend(g, i, (char *)&out[i], sizeof out[i], 5, &send[i]))
            return bad(me, 5, "start");
    }
    for (int i = 0; i < size; i++) {
        size_t got;
        if (waitio_wait(&recv[i]) || waitio_wait(&send[i]) || waitio_received(&recv[i], &got))
            return bad(me, 6, "wait");
        if (in[i] != 1000 * i + rank || got != sizeof(int))
            return bad(me, 7, "content");
    }
    waitio_group_free(g);
    return waitio_finalize() ? bad(me, 8, "finalize") : 0;
}

static void test_everybody(void **state)
{
    (void)state;
    static const int shapes[][4] = {{1, 1}, {1, 3}, {2, 1, 1}, {2, 3, 2}, {3, 1, 2, 3}, {3, 3, 3, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        run r;
        run_begin(&r, shapes[i][0], shapes[i] + 1);
        run_start_all(&r, everybody);
        assert_true(run_ends_well(&r, 30));
    }
}

static int everybody_elsewhere(seat *me)
{
    setenv("WAITIO_ADDRESS", me->pb ? "127.0.0.3" : "", 1);
    setenv("WAITIO_DEVICE", me->pb ? "nowhere" : "lo", 1); /* WAITIO_ADDRESS goes before it */
    if (me->pb == 1) {                                     /* as across hosts */
        char port[16];
        snprintf(port, sizeof port, "%d", me->go);
        setenv("WAITIO_KING_HOST", "127.0.0.4", 1);
        setenv("WAITIO_KING_PORT", port, 1);
    }
    return everybody(me);
}

static void test_addresses(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){2, 3});
    for (int i = 0, port = free_port(); i < 5; i++)
        r.seat[i].go = port;
    run_start_all(&r, everybody_elsewhere);
    assert_true(run_ends_well(&r, 30));
}

enum { LIMIT = 16384 };
static const size_t sizes[] = {0,         1,     127,    128,    129,     LIMIT - 1,     LIMIT,
                               LIMIT + 1, 65536, 262144, 262145, 1 << 20, (1 << 20) + 7, 64 << 20};
enum { NSIZE = sizeof sizes / sizeof sizes[0] };

/* One way and back, posted before and after the message comes, in buffers larger than the message. */
static int pingpong(seat *me)
{
    if (seat_join(me, 20))
        return 1;
    waitio_group_t g = group_of_all(0);
    size_t most = sizes[NSIZE - 1] + 64;
    char *buf = malloc(most);
    int other = 1 - me->pb;
    for (int i = 0; i < NSIZE; i++)
        for (int way = 0; way < 2; way++) {
            waitio_req_t req;
            size_t n = sizes[i], got;
            if (n > 2 << 20 && getenv("WAITIO_EAGER_LIMIT"))
                continue; /* once is enough */
            if (way == me->pb) {
                fill_pattern(buf, n, (uint64_t)i);
                if (waitio_isend(g, other, buf, n, i, &req) || waitio_wait(&req))
                    return bad(me, 100 + i, "send");
            } else {
                memset(buf, 0x55, n + 8);
                for (int k = 0; i % 2 && k < 20; k++)
                    waitio_progress(0.0001); /* the message may come before its receive */
                if (waitio_irecv(g, other, buf, n + (size_t)(i % 3), i, &req) || waitio_wait(&req) ||
                    waitio_received(&req, &got))
                    return bad(me, 200 + i, "receive");
                if (got != n || !is_pattern(buf, n, (uint64_t)i) || buf[n] != 0x55)
                    return bad(me, 300 + i, "content");
            }
        }
    free(buf);
    waitio_group_free(g);
    return waitio_finalize() ? bad(me, 8, "finalize") : 0;
}

static int pingpong_paper(seat *me)
{
    setenv("WAITIO_EAGER_LIMIT", "128", 1);
    return pingpong(me);
}

static int pingpong_unlike(seat *me)
{
    setenv("WAITIO_EAGER_LIMIT", me->pb ? "0" : "1048576", 1);
    return pingpong(me);
}

static void test_sizes(void **state)
{
    (void)state;
    static const role roles[] = {pingpong, pingpong_paper, pingpong_unlike};
    for (int i = 0; i < 3; i++) {
        run r;
        run_begin(&r, 2, (int[]){1, 1});
        run_start_all(&r, roles[i]);
        assert_true(run_ends_well(&r, 60));
    }
}

/* Many messages over few tags and two groups in both directions at once, received in any interleaving of them. */
enum { COUNT = 600, TAGS = 5, GROUPS = 2 };

static size_t size_of(int from, int i)
{
    static const size_t some[] = {8, 16, 100, 4096, LIMIT, LIMIT + 8, 100000, 300000};
    return some[(unsigned)(i * 7 + from * 3 + i / 11) % 8];
}

static int interleaved(seat *me)
{
    if (seat_join(me, 20))
        return 1;
    waitio_group_t g[GROUPS] = {group_of_all(1), group_of_all(2)};
    int other = 1 - me->pb;
    static char *out[COUNT], *in[COUNT];
    static waitio_req_t send[COUNT], recv[COUNT];
    /* Message i has tag i % TAGS of group i / 7 % GROUPS; receives of each (tag, group) are posted in order, but those
     * of different ones in another order than they are sent. */
    int order[COUNT], n = 0;
    for (int k = TAGS * GROUPS - 1; k >= 0; k--)
        for (int i = 0; i < COUNT; i++)
            if (i % TAGS == k % TAGS && i / 7 % GROUPS == k / TAGS)
                order[n++] = i;
    for (int i = 0; i < COUNT; i++) {
        size_t nout = size_of(me->pb, i), nin = size_of(other, order[i]);
        out[i] = malloc(nout);
        fill_pattern(out[i], nout, (uint64_t)(me->pb * COUNT + i));
        in[i] = malloc(nin);
        if (waitio_isend(g[i / 7 % GROUPS], other, out[i], nout, i % TAGS, &send[i]) ||
            waitio_irecv(g[order[i] / 7 % GROUPS], other, in[i], nin, order[i] % TAGS, &recv[i]))
            return bad(me, 2, "start");
    }
    for (int i = 0; i < COUNT; i++) {
        int j = (i * 7 + 3) % COUNT; /* waits in yet another order; 7 and COUNT have no common divisor */
        waitio_req_t moved = recv[j];
        if (waitio_wait(&moved))
            return bad(me, 3, "receive");
        if (!is_pattern(in[j], size_of(other, order[j]), (uint64_t)(other * COUNT + order[j])))
            return bad(me, 4, "content");
    }
    for (int i = 0; i < COUNT; i++) {
        if (waitio_wait(&send[i]))
            return bad(me, 5, "send");
        free(out[i]);
        free(in[i]);
    }
    waitio_group_free(g[0]);
    waitio_group_free(g[1]);
    return waitio_finalize() ? bad(me, 6, "finalize") : 0;
}

static void test_interleaved(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, interleaved);
    assert_true(run_ends_well(&r, 60));
}

/* Instance after instance in the same processes, all connecting to all at the same moment. */
static int crossing(seat *me)
{
    for (int round = 0; round < 40; round++) {
        if (seat_join(me, 20))
            return 1;
        waitio_group_t g = group_of_all(round);
        int rank, size, in[RUN_SEATS];
        waitio_req_t send[RUN_SEATS], recv[RUN_SEATS];
        waitio_group_rank(g, &rank);
        waitio_group_size(g, &size);
        for (int i = 0; i < size; i++)
            if (waitio_isend(g, i, (char *)&rank, sizeof rank, round, &send[i]))
                return bad(me, 2, "isend");
        for (int i = 0; i < size; i++)
            if (waitio_irecv(g, i, (char *)&in[i], sizeof in[i], round, &recv[i]) || waitio_wait(&recv[i]) ||
                waitio_wait(&send[i]) || in[i] != i)
                return bad(me, 3, "exchange");
        waitio_group_free(g);
        if (waitio_finalize())
            return bad(me, 4, "finalize");
        me->step = round + 1;
    }
    return 0;
}

static void test_crossing(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){2, 2});
    run_start_all(&r, crossing);
    assert_true(run_ends_well(&r, 60));
}

/* A receive that is too short is the receiver's error; what follows is not disturbed. */
static int truncated(seat *me)
{
    static char buf[300000];
    waitio_req_t req;
    if (seat_join(me, 20))
        return 1;
    waitio_group_t g = group_of_all(0);
    static const size_t sent[] = {100, LIMIT, 200000, 300000, 40000}, taken[] = {10, 0, 199999, 1000, 0};
    for (int i = 0; i < 5; i++) {
        size_t got = 77;
        if (me->pb == 0) {
            fill_pattern(buf, sent[i], (uint64_t)i);
            if (waitio_isend(g, 1, buf, sent[i], 1, &req) || waitio_wait(&req))
                return bad(me, 2, "the sender is to know nothing of it");
            continue;
        }
        memset(buf, 0x55, sizeof buf);
        if (waitio_irecv(g, 0, buf, taken[i], 1, &req))
            return bad(me, 3, "irecv");
        if (waitio_wait(&req) != WAITIO_ETRUNC || !strstr(waitio_error(), "longer than its buffer"))
            return bad(me, 4, "no truncation");
        int done = 0;
        if (waitio_test(&req, &done) != WAITIO_ETRUNC || !done || waitio_wait(&req) != WAITIO_ETRUNC ||
            waitio_wait_for(&req, 1, NULL) != WAITIO_ETRUNC || waitio_waitall(1, &req, NULL) != WAITIO_ETRUNC)
            return bad(me, 9, "another result the second time");
        if (waitio_received(&req, &got) || got != taken[i] || !is_pattern(buf, taken[i], (uint64_t)i) ||
            buf[taken[i]] != 0x55)
            return bad(me, 5, "content");
    }
    if (me->pb == 0) {
        fill_pattern(buf, 1000, 99);
        if (waitio_isend(g, 1, buf, 1000, 1, &req) || waitio_wait(&req))
            return bad(me, 6, "after");
    } else if (waitio_irecv(g, 0, buf, 1000, 1, &req) || waitio_wait(&req) || !is_pattern(buf, 1000, 99)) {
        return bad(me, 7, "after");
    }
    waitio_group_free(g);
    return waitio_finalize() ? bad(me, 8, "finalize") : 0;
}

static void test_truncated(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 2, (int[]){1, 1});
    run_start_all(&r, truncated);
    assert_true(run_ends_well(&r, 30));
}

/* Messages to oneself: short and long, sent first and received first, truncated. */
static int to_oneself(seat *me)
{
    static char out[100000], in[100000];
    if (seat_join(me, 20))
        return 1;
    waitio_group_t g = group_of_all(0);
    int rank;
    waitio_group_rank(g, &rank);
    static const size_t n[] = {0, 5, LIMIT, LIMIT + 1, 100000};
    for (int i = 0; i < 20; i++) {
        size_t size = n[i % 5], got;
        bool first = i < 10, is_short = i >= 15 && size;
        waitio_req_t send, recv;
        int done;
        fill_pattern(out, size, (uint64_t)i);
        if ((first && waitio_isend(g, rank, out, size, 3, &send)) ||
            waitio_irecv(g, rank, in, is_short ? size - 1 : size, 3, &recv) ||
            (!first && waitio_isend(g, rank, out, size, 3, &send)))
            return bad(me, 2, "start");
        int code = waitio_test(&recv, &done);
        if (!done || code != (is_short ? WAITIO_ETRUNC : WAITIO_OK) || waitio_wait(&recv) != code || waitio_wait(&send))
            return bad(me, 3, "wait");
        if (waitio_received(&recv, &got) || got != (is_short ? size - 1 : size) || !is_pattern(in, got, (uint64_t)i))
            return bad(me, 4, "content");
    }
    waitio_group_free(g);
    return waitio_finalize() ? bad(me, 5, "finalize") : 0;
}

static void test_to_oneself(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 1, (int[]){1});
    run_start_all(&r, to_oneself);
    assert_true(run_ends_well(&r, 30));
}

/* Groups of some ranks in another order of the PBs, and wrong arguments. */
static int groups(seat *me)
{
    if (seat_join(me, 20))
        return 1;
    int a[] = {2, 0, -1}, b[] = {1, -1}, far[] = {3, -1}, twice[] = {1, 1, -1};
    int *some[] = {a, b, NULL}, *wrong[] = {far, b, NULL}, *same[] = {twice, b, NULL}, *none[] = {NULL, NULL, NULL};
    int order[] = {5, 1, 0}, rank, size;
    waitio_group_t g = waitio_create_group(4, some, order);
    if (!g || waitio_group_size(g, &size) || waitio_group_rank(g, &rank) || size != 3)
        return bad(me, 2, "group");
    int expected = me->pb == 1 && me->rank == 1   ? 0
                   : me->pb == 0 && me->rank == 0 ? 1
                   : me->pb == 0 && me->rank == 2 ? 2
                                                  : -1;
    if (rank != expected)
        return bad(me, 3, "rank");
    if (waitio_create_group(4, wrong, order) || waitio_create_group(4, same, order) ||
        waitio_create_group(4, none, order))
        return bad(me, 4, "a wrong group was made");
    waitio_req_t req[2];
    int in = -1, none_done;
    if (waitio_isend(NULL, 0, (char *)&in, 4, 0, req) != WAITIO_EARG ||
        waitio_irecv(g, 3, (char *)&in, 4, 0, req) != WAITIO_EARG)
        return bad(me, 5, "wrong arguments were taken");
    memset(req, 0, sizeof req);
    if (waitio_wait(&req[0]) != WAITIO_EARG || waitio_test(&req[0], &none_done) != WAITIO_EARG)
        return bad(me, 6, "a wrong request was taken");
    if (rank >= 0) {
        int to = (rank + 1) % 3, from = (rank + 2) % 3;
        if (waitio_isend(g, to, (char *)&rank, sizeof rank, 1, &req[0]) ||
            waitio_irecv(g, from, (char *)&in, sizeof in, 1, &req[1]) || waitio_wait(&req[0]) || waitio_wait(&req[1]) ||
            in != from)
            return bad(me, 7, "ring");
    } else if (waitio_isend(g, 0, (char *)&rank, sizeof rank, 1, &req[0]) != WAITIO_EARG) {
        return bad(me, 8, "who is no member sent");
    }
    waitio_group_free(g);
    return waitio_finalize() ? bad(me, 9, "finalize") : 0;
}

static void test_groups(void **state)
{
    (void)state;
    run r;
    run_begin(&r, 3, (int[]){3, 2, 1});
    run_start_all(&r, groups);
    assert_true(run_ends_well(&r, 30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everybody),   cmocka_unit_test(test_addresses), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_interleaved), cmocka_unit_test(test_crossing),  cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_to_oneself),  cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
