/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What somebody on the path between two processes can read, and what becomes of bytes that it changes or adds: nothing
 * of the links between Kings and master, by default too; nothing of the connections for messages with WAITIO_ENCRYPT=1,
 * and everything of them without it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/os_clock.h"
#include "relay.h"
#include "run.h"
#include "waitio/stream/frame.h"
#include "waitio/identity/greeting.h"
#include "waitio/message/instance.h"
#include "waitio/identity/encrypted_link.h"

enum { GREETED = 2 * WAITIO__GREET, LONG = 100000 };
enum { JOINED = 1, TALKED, ENDED }; /* steps of the processes */
enum { TALK = 1, LEAVE };           /* what they are allowed */
static const char marker[] = "sea surface temperature, 271.35 K in every cell of the grid";
static const unsigned char loopback[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1};

static relay path;
static double join_within = 20; /* s */
static uint64_t *reconnections; /* [RUN_SEATS], shared */

/* Everybody sends to everybody. */
static int talk(void)
{
    int size, rank, code = 0;
    waitio_group_t g = group_of_all(1);
    waitio_group_size(g, &size);
    waitio_group_rank(g, &rank);
    for (int i = 0; i < size && !code; i++) {
        int mine = 10 * rank + i, got = -1;
        waitio_req_t send, receive;
        code = waitio_isend(g, i, (char *)&mine, sizeof mine, 3, &send);
        code = code ? code : waitio_irecv(g, i, (char *)&got, sizeof got, 3, &receive);
        code = code ? code : waitio_wait(&send);
        code = code ? code : waitio_wait(&receive);
        if (!code && got != 10 * i + rank)
            abort();
    }
    waitio_group_free(g);
    return code;
}

static int meet_and_talk(seat *me)
{
    waitio_counters_t c;
    int code = seat_join(me, join_within);
    if (code)
        return code;
    me->step = JOINED;
    code = seat_keep(me, seat_turn(me, TALK));
    if (!code)
        code = seat_keep(me, talk());
    me->step = TALKED;
    while (!code && me->go < LEAVE) {
        code = seat_keep(me, waitio_progress(0.002));
        waitio_get_counters(&c);
        reconnections[me->pb + me->rank] = c.reconnections;
    }
    return code ? code : seat_keep(me, waitio_finalize());
}

static int meets(seat *me)
{
    char port[16];
    snprintf(port, sizeof port, "%d", path.port);
    if (me->pb)
        setenv("WAITIO_MASTER_PORT", port, 1);
    int code = meet_and_talk(me);
    me->step = ENDED;
    return code;
}

/* The path works until all have come that far. */
static bool all_reach(const run *r, int step)
{
    double end = h3ou__now() + 40;
    bool all;
    do {
        relay_turn(&path);
        all = true;
        for (int i = 0; i < r->n; i++)
            all = all && r->seat[i].step >= step;
    } while (!all && h3ou__now() < end);
    return all;
}

static void allow(run *r, int what)
{
    for (int i = 0; i < r->n; i++)
        r->seat[i].go = what;
}

/* The master's job has one process, the other one two: its King comes by the path. */
static void begin(run *r)
{
    run_begin(r, 2, (int[]){1, 2});
    relay_open(&path, r->port);
    memset(reconnections, 0, RUN_SEATS * sizeof *reconnections);
}

static uint64_t mended(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < RUN_SEATS; i++)
        sum += reconnections[i];
    return sum;
}

/* All talk with each other, the link is made again as often as expected, and all leave. */
static void end_well(run *r, uint64_t breaks)
{
    double end = h3ou__now() + 40;
    allow(r, TALK);
    assert_true(all_reach(r, TALKED));
    while (mended() < breaks && h3ou__now() < end)
        relay_turn(&path);
    assert_true(mended() >= breaks);
    allow(r, LEAVE);
    all_reach(r, ENDED);
    assert_true(run_end(r, 5));
    for (int i = 0; i < r->n; i++) {
        if (r->seat[i].code)
            print_message("PB %d rank %d: %d %s\n", r->seat[i].pb, r->seat[i].rank, r->seat[i].code, r->seat[i].text);
        assert_int_equal(r->seat[i].code, 0);
        assert_int_equal(r->seat[i].status, 0);
    }
    relay_close(&path);
    run_close(r);
}

/* Neither frames nor addresses are to be seen between a King and the master, and nothing is encrypted on request. */
static void test_control_is_hidden(void **state)
{
    (void)state;
    run r;
    begin(&r);
    run_start_all(&r, meets);
    assert_true(all_reach(&r, JOINED));
    assert_true(path.n >= 1 && path.way[0][0].n > GREETED && path.way[0][1].n > GREETED);
    assert_false(relay_saw(&path, GREETED, "WIO2", 4));
    assert_false(relay_saw(&path, GREETED, loopback, sizeof loopback));
    end_well(&r, 0);
    assert_int_equal(mended(), 0);
}

/* How many frames that can be read have gone that way: the number that a forged one must have. */
static uint64_t frames_seen(const relay_way *w)
{
    waitio__frame f;
    uint64_t n = 0;
    for (size_t at = GREETED; at + WAITIO__FRAME <= w->n; n++) {
        if (waitio__frame_get(w->seen + at, n, &f))
            break;
        at += WAITIO__FRAME + waitio__frame_payload(&f);
    }
    return n;
}

/* An ABORT that nobody has sent, to the King and to the master: the link is made again, and the run goes on. */
static void test_forged_abort(void **state)
{
    (void)state;
    for (int to = 0; to < 2; to++) {
        run r;
        unsigned char bytes[WAITIO__FRAME + 8] = {0};
        begin(&r);
        run_start_all(&r, meets);
        assert_true(all_reach(&r, JOINED));
        relay_way *w = &path.way[0][to];
        waitio__frame f = {.kind = WAITIO__ABORT, .seq = frames_seen(w), .group = 2, .tag = WAITIO_EABORT, .length = 8};
        waitio__frame_put(&f, bytes);
        memcpy(bytes + WAITIO__FRAME, "it is me", 8);
        relay_inject(w, bytes, sizeof bytes);
        end_well(&r, 2); /* at both ends */
    }
}

/* What went by before comes once more: its number is not the next one. */
static void test_replayed(void **state)
{
    (void)state;
    for (int to = 0; to < 2; to++) {
        run r;
        begin(&r);
        run_start_all(&r, meets);
        assert_true(all_reach(&r, JOINED));
        relay_way *w = &path.way[0][to];
        relay_inject(w, w->seen + GREETED, w->n - GREETED);
        end_well(&r, 2); /* at both ends */
    }
}

/* A byte of the goodbye is changed: it is said again by a new link. */
static void test_changed(void **state)
{
    (void)state;
    for (int to = 0; to < 2; to++) {
        run r;
        begin(&r);
        run_start_all(&r, meets);
        assert_true(all_reach(&r, JOINED));
        path.way[0][to].change_at = path.way[0][to].n + 10;
        end_well(&r, 0);
    }
}

/* A byte of the addresses or of the table is changed: nobody believes it, and all hear that they have not joined. */
static void test_changed_while_joining(void **state)
{
    (void)state;
    join_within = 4;
    for (int to = 0; to < 2; to++) {
        run r;
        begin(&r);
        /* Behind the JOIN, or the first WELCOME, with the room that sealing takes. */
        path.change_at[to] = GREETED + WAITIO__FRAME + 20 + 10;
        run_start_all(&r, meets);
        assert_true(all_reach(&r, ENDED));
        assert_true(run_end(&r, 5));
        for (int i = 0; i < r.n; i++) {
            if (r.seat[i].code != WAITIO_ETIMEOUT) /* of a King that could not even greet well any more */
                assert_int_equal(r.seat[i].code, WAITIO_EPEER);
            assert_true(*r.seat[i].text);
        }
        relay_close(&path);
        run_close(&r);
    }
}

/* A record that was changed comes together with a good one before it: that is an error at once, since nothing may
 * follow that would make the descriptor ready again. */
static void test_changed_record_behind_a_good_one(void **state)
{
    (void)state;
    static const size_t most[] = {WAITIO__ENCRYPTED_SHORT, WAITIO__ENCRYPTED_LONG};
    for (int i = 0; i < 4; i++) {
        int out[2], in[2];
        unsigned char bytes[8192];
        waitio__memory memory = {0};
        waitio__key key = {{1}};
        size_t moved;
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, out), 0);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, in), 0);
        waitio__link from = {.conduit = &waitio__unix, .fd = out[0]}, to = {.conduit = &waitio__unix, .fd = in[0]};
        assert_int_equal(waitio__encrypted_link_wrap(&from, most[i / 2], &key, &key, &memory), 0);
        assert_int_equal(waitio__encrypted_link_wrap(&to, most[i / 2], &key, &key, &memory), 0);
        for (int record = 0; record < 2; record++) {
            struct iovec v = {(void *)marker, sizeof marker};
            assert_int_equal(from.conduit->writev(&from, &v, 1, &moved), 0);
            assert_int_equal(moved, sizeof marker);
        }
        ssize_t n = read(out[1], bytes, sizeof bytes);
        assert_int_equal(n, 2 * (4 + sizeof marker + 16));
        bytes[i % 2 ? n / 2 + 3 : n - 1] ^= 1; /* its length, or its tag */
        assert_int_equal(write(in[1], bytes, (size_t)n), n);
        struct iovec v = {bytes, sizeof bytes};
        assert_int_equal(to.conduit->readv(&to, &v, 1, &moved), WAITIO_EPROTO);
        from.conduit->close(&from);
        to.conduit->close(&to);
        close(out[1]);
        close(in[1]);
        assert_int_equal(waitio__memory_held(&memory), 0);
    }
}

/* Process 1 sends a long message to process 0, by a connection that leads over the path. */
static int sends_long(seat *me)
{
    char *buf = calloc(1, LONG);
    waitio_req_t request;
    waitio_set_name("ocean of the relay");
    if (!buf || seat_join(me, 20))
        return 1;
    waitio__instance *in = waitio__instance_current();
    waitio_group_t g = group_of_all(1);
    me->step = JOINED;
    int code = seat_turn(me, TALK);
    for (size_t at = 0; me->pb && at + sizeof marker < LONG; at += sizeof marker)
        memcpy(buf + at, marker, sizeof marker);
    if (me->pb)
        ((uint16_t *)in->table.port)[0] = (uint16_t)path.port;
    if (!code)
        code = me->pb ? waitio_isend(g, 0, buf, LONG, 3, &request) : waitio_irecv(g, 1, buf, LONG, 3, &request);
    code = seat_keep(me, code ? code : waitio_wait(&request));
    me->step = TALKED;
    for (size_t at = 0; at + sizeof marker < LONG; at += sizeof marker)
        me->ear = me->ear > 0 && !memcmp(buf + at, marker, sizeof marker) ? me->ear : 0; /* 0: it was changed */
    waitio_group_free(g);
    free(buf);
    if (!code)
        code = seat_keep(me, waitio_finalize());
    me->step = ENDED;
    return code;
}

/* Did process 0 get what process 1 sent, though a byte was changed on the path? *seen: was it to be read there? */
static bool send_over_path(const char *name, bool *seen)
{
    run r;
    setenv("WAITIO_ROUTES", "tcp", 1);
    if (name)
        setenv(name, "1", 1);
    run_begin(&r, 2, (int[]){1, 1});
    relay_open(&path, 0);
    path.change_at[0] = 50000;
    run_start_all(&r, sends_long);
    assert_true(all_reach(&r, JOINED));
    path.target = r.seat[0].ear;
    allow(&r, TALK);
    assert_true(all_reach(&r, ENDED));
    assert_true(run_end(&r, 5));
    assert_int_equal(r.seat[0].code, 0);
    assert_int_equal(r.seat[1].code, 0);
    assert_true(path.n > 0);
    assert_true(relay_saw(&path, 0, "ocean of the relay", 18)); /* in the greeting */
    *seen = relay_saw(&path, 0, marker, sizeof marker);
    bool same = r.seat[0].ear != 0;
    relay_close(&path);
    run_close(&r);
    unsetenv("WAITIO_ROUTES");
    if (name)
        unsetenv(name);
    return same;
}

/* Two processes by TCP: the greeting alone protects who they are, not what they say. */
static void test_messages_by_default(void **state)
{
    (void)state;
    bool seen;
    assert_false(send_over_path(NULL, &seen));
    assert_true(seen);
}

/* A checksum finds what was changed by accident, or by who does not compute it anew; it hides nothing. */
static void test_messages_with_checksums(void **state)
{
    (void)state;
    bool seen;
    assert_true(send_over_path("WAITIO_CHECKSUM", &seen));
    assert_true(seen);
}

static void test_messages_encrypted(void **state)
{
    (void)state;
    bool seen;
    assert_true(send_over_path("WAITIO_ENCRYPT", &seen));
    assert_false(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_control_is_hidden),
        cmocka_unit_test(test_forged_abort),
        cmocka_unit_test(test_replayed),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_changed_while_joining),
        cmocka_unit_test(test_changed_record_behind_a_good_one),
        cmocka_unit_test(test_messages_by_default),
        cmocka_unit_test(test_messages_with_checksums),
        cmocka_unit_test(test_messages_encrypted),
    };
    reconnections =
        mmap(NULL, RUN_SEATS * sizeof *reconnections, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return reconnections == MAP_FAILED ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
