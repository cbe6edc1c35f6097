/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames, tables, matching, and what a connection makes of hostile bytes: one process, no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "os/clock.h"
#include "run.h"
#include "waitio/connection.h"
#include "waitio/group.h"
#include "waitio/match.h"
#include "waitio/progress.h"
#include "waitio/request.h"

static uint64_t dice_state = 88172645463325252u;

static uint64_t dice(uint64_t sides)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return dice_state % sides;
}

static void test_frame(void **state)
{
    (void)state;
    unsigned char bytes[WAITIO__FRAME];
    for (int kind = 1; kind < WAITIO__KINDS; kind++) {
        waitio__frame f = {.kind = kind,
                           .seq = 0x1122334455667788u,
                           .source = -7,
                           .group = -123456,
                           .tag = INT64_MIN + 5,
                           .length = kind == WAITIO__RTS ? INT64_MAX : 0,
                           .id = UINT64_MAX - 3},
                      g;
        waitio__frame_put(&f, bytes);
        assert_int_equal(waitio__frame_get(bytes, f.seq, &g), 0);
        assert_int_equal(g.kind, kind);
        assert_int_equal(g.source, f.source);
        assert_int_equal(g.group, f.group);
        assert_true(g.tag == f.tag && g.length == f.length && g.id == f.id && g.seq == f.seq);
        assert_true(waitio__frame_payload(&g) == 0);
        assert_int_equal(waitio__frame_get(bytes, f.seq + 1, &g), WAITIO_EPROTO);
    }
    /* The layout is part of the protocol. */
    assert_memory_equal(bytes, "WIO1\1\0", 6);
    assert_memory_equal(bytes + 8, "\x88\x77\x66\x55\x44\x33\x22\x11", 8);
}

static void test_frame_hostile(void **state)
{
    (void)state;
    unsigned char bytes[WAITIO__FRAME];
    waitio__frame f = {.kind = WAITIO__EAGER, .length = 100}, g;
    waitio__frame_put(&f, bytes);
    bytes[0] ^= 1; /* magic */
    assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    bytes[0] ^= 1;
    bytes[4] = 2; /* version */
    assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    assert_non_null(strstr(waitio_error(), "version 2"));
    bytes[4] = 1;
    for (int kind = 0; kind < 70000; kind += kind < 20 ? 1 : 997) {
        h3ou__put16(bytes + 6, (uint16_t)kind);
        bool known = (uint16_t)kind >= 1 && (uint16_t)kind < WAITIO__KINDS;
        h3ou__put64(bytes + 32, 0);
        assert_int_equal(waitio__frame_get(bytes, 0, &g), known ? 0 : WAITIO_EPROTO);
        static const uint64_t lengths[] = {1ull << 63, UINT64_MAX, (1ull << 63) + 48};
        for (int i = 0; i < 3; i++) {
            h3ou__put64(bytes + 32, lengths[i]);
            assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
        }
    }
    h3ou__put16(bytes + 6, WAITIO__EAGER);
    h3ou__put64(bytes + 32, WAITIO__PAYLOAD_MOST + 1);
    assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    for (int i = 0; i < 20000; i++) {
        fill_pattern((char *)bytes, sizeof bytes, (uint64_t)i);
        assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    }
}

static void test_map(void **state)
{
    (void)state;
    waitio__map m = {0};
    static int value[5000];
    assert_null(waitio__map_get(&m, 3));
    for (int i = 0; i < 5000; i++)
        assert_int_equal(waitio__map_put(&m, i * 31 % 5000 * 4096, &value[i]), 0);
    for (int i = 0; i < 5000; i++) {
        assert_ptr_equal(waitio__map_get(&m, i * 31 % 5000 * 4096), &value[i]);
        assert_null(waitio__map_get(&m, i * 4096 + 1));
    }
    assert_int_equal(m.used, 5000);
    waitio__map_free(&m);
}

static void test_endpoints(void **state)
{
    (void)state;
    waitio__endpoints e;
    unsigned char bytes[8 + 5 * WAITIO__ADDRESS] = {2, 0, 0, 0, 3, 0, 0, 0};
    for (int i = 0; i < 5; i++)
        bytes[8 + i * WAITIO__ADDRESS] = (unsigned char)i;
    assert_int_equal(waitio__endpoints_unpack(&e, 2, bytes, sizeof bytes), 0);
    assert_int_equal(waitio__endpoints_count(&e), 5);
    assert_int_equal(waitio__endpoints_size(&e, 1), 3);
    for (int i = 0; i < 5; i++) {
        int pb, rank;
        waitio__endpoints_find(&e, i, &pb, &rank);
        assert_int_equal(pb, i >= 2);
        assert_int_equal(waitio__endpoints_global(&e, pb, rank), i);
        assert_int_equal(waitio__endpoints_address(&e, i)->byte[0], i);
    }
    waitio__endpoints_free(&e);
    assert_int_equal(waitio__endpoints_unpack(&e, 2, bytes, sizeof bytes - 1), WAITIO_EPROTO);
    assert_int_equal(waitio__endpoints_unpack(&e, 2, bytes, 7), WAITIO_EPROTO);
    bytes[0] = 0; /* a PB without processes */
    assert_int_equal(waitio__endpoints_unpack(&e, 2, bytes, sizeof bytes), WAITIO_EPROTO);
    memset(bytes, 0xff, 8); /* sums that overflow */
    assert_int_equal(waitio__endpoints_unpack(&e, 2, bytes, sizeof bytes), WAITIO_EPROTO);
}

/* An instance that has not joined: this process is number 0 of n in one PB. */
static waitio__instance *make_instance(int n)
{
    waitio__instance *in;
    size_t size = 4 + (size_t)n * WAITIO__ADDRESS;
    unsigned char *bytes = calloc(1, size);
    h3ou__put32(bytes, (uint32_t)n);
    assert_int_equal(waitio__instance_new(&in), 0);
    in->set.npb = 1;
    in->set.eager = 1000;
    in->id = 42;
    in->patience = 1;
    in->is_joined = true;
    assert_int_equal(waitio__endpoints_unpack(&in->table, 1, bytes, size), 0);
    free(bytes);
    return in;
}

static waitio__request *post(waitio__peer *p, int group, int64_t tag, void *buf, size_t n)
{
    waitio__request *r;
    assert_int_equal(waitio__request_new(p->in, p, WAITIO__RECV, &r), 0);
    r->group = group;
    r->tag = tag;
    r->data = buf;
    r->length = n;
    waitio__match_receive(r);
    return r;
}

static void arrive(waitio__peer *p, int group, int64_t tag, const char *text)
{
    size_t n = strlen(text) + 1;
    waitio__arrival *a = waitio__match_keep(p, group, tag, n, n);
    assert_non_null(a);
    memcpy(a->data, text, n);
    waitio__match_whole(p, a);
}

static void test_match(void **state)
{
    (void)state;
    waitio__instance *in = make_instance(3);
    waitio__peer *p, *q;
    char buf[6][8];
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    assert_int_equal(waitio__peer_get(in, 2, &q), 0);
    /* Posted first: by source, tag and group, in the order of posting. */
    waitio__request *a = post(p, 1, 7, buf[0], 8), *b = post(p, 1, 7, buf[1], 8), *c = post(p, 2, 7, buf[2], 8);
    waitio__request *d = post(p, 1, 8, buf[3], 8), *e = post(q, 1, 7, buf[4], 8);
    assert_ptr_equal(waitio__match_posted(p, 2, 7), c);
    assert_null(waitio__match_posted(p, 2, 7));
    assert_null(waitio__match_posted(p, 1, 9));
    assert_ptr_equal(waitio__match_posted(p, 1, 7), a);
    assert_ptr_equal(waitio__match_posted(p, 1, 8), d);
    assert_ptr_equal(waitio__match_posted(p, 1, 7), b);
    assert_null(p->posted);
    assert_null(p->posted_last);
    assert_ptr_equal(waitio__match_posted(q, 1, 7), e);
    /* Arrived first: in the order of arrival, the last one truncated. */
    arrive(p, 1, 7, "one");
    arrive(p, 1, 8, "two");
    arrive(p, 1, 7, "three");
    arrive(p, 1, 7, "twenty-three");
    assert_int_equal(post(q, 1, 7, buf[0], 8)->state, WAITIO__POSTED);
    waitio__request *r = post(p, 1, 8, buf[1], 8);
    assert_int_equal(r->state, WAITIO__COMPLETE);
    assert_string_equal(buf[1], "two");
    assert_string_equal((post(p, 1, 7, buf[2], 8), buf[2]), "one");
    assert_string_equal((post(p, 1, 7, buf[3], 8), buf[3]), "three");
    r = post(p, 1, 7, buf[4], 8);
    assert_int_equal(r->code, WAITIO_ETRUNC);
    assert_memory_equal(buf[4], "twenty-t", 8);
    assert_null(p->arrival);
    assert_null(p->arrival_last);
    /* A receive that comes while its message is arriving. */
    waitio__arrival *half = waitio__match_keep(p, 1, 1, 3, 3);
    r = post(p, 1, 1, buf[5], 8);
    assert_int_equal(r->state, WAITIO__CLAIMED);
    assert_int_equal(post(p, 1, 1, buf[0], 8)->state, WAITIO__POSTED);
    memcpy(half->data, "up", 3);
    waitio__match_whole(p, half);
    assert_int_equal(r->state, WAITIO__COMPLETE);
    assert_string_equal(buf[5], "up");
    /* A peer that failed: what waits fails, what is here in whole can still be received. */
    arrive(p, 3, 3, "whole");
    assert_non_null(waitio__match_keep(p, 3, 4, 100, 100));
    r = post(p, 5, 5, buf[0], 8);
    waitio__peer_fail(p, WAITIO_EPEER, "gone");
    assert_int_equal(r->code, WAITIO_EPEER);
    assert_string_equal(r->why, "gone");
    assert_null(p->active);
    assert_int_equal(post(p, 3, 3, buf[0], 8)->code, 0);
    assert_string_equal(buf[0], "whole");
    waitio__instance_free(in);
}

/* Says HELLO as process `rank`, then what follows, to a connection of the instance. */
static void converse(waitio__instance *in, int rank, const unsigned char *bytes, size_t n)
{
    int fd[2];
    unsigned char hello[WAITIO__FRAME], dump[4096];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd), 0);
    waitio__link link = {.conduit = &waitio__tcp, .fd = fd[0]};
    waitio__conn_arrived(in, &link);
    waitio__frame f = {.kind = WAITIO__HELLO, .source = rank, .tag = 0, .id = in->id};
    waitio__frame_put(&f, hello);
    send(fd[1], hello, sizeof hello, MSG_NOSIGNAL);
    while (n) { /* in pieces of any size */
        size_t piece = 1 + dice(n < 300 ? n : 300);
        ssize_t k = send(fd[1], bytes, piece < n ? piece : n, MSG_NOSIGNAL);
        waitio__progress(in, 0);
        while (read(fd[1], dump, sizeof dump) > 0)
            ;
        if (k < 0)
            break;
        bytes += k;
        n -= (size_t)k;
    }
    waitio__progress(in, 0);
    close(fd[1]);
    waitio__progress(in, 0);
}

/* Frames as a peer could send them that knows the protocol and means harm. take: what the receives of those ids hold;
 * the one of id i is for group i % 2, tag i / 2. */
static size_t invent(unsigned char *bytes, size_t room, int rank, const uint64_t id[], const size_t take[], int nid)
{
    size_t n = 0, moved = 0;
    int victim = -1; /* the receive that a long message was announced for */
    for (uint64_t seq = 1; n + WAITIO__FRAME + 2000 < room && dice(20); seq++) {
        waitio__frame f = {.kind = WAITIO__EAGER,
                           .seq = seq,
                           .source = rank,
                           .group = (int)dice(2),
                           .tag = (int64_t)dice(3),
                           .length = dice(1200),
                           .id = id[dice((uint64_t)nid)]};
        if (victim < 0 && dice(2)) { /* a message is announced ... */
            victim = (int)dice((uint64_t)nid);
            f.kind = WAITIO__RTS;
            f.group = victim % 2;
            f.tag = victim / 2;
        } else if (victim >= 0 && dice(3)) { /* ... and its data follows */
            f.kind = WAITIO__DATA;
            f.id = id[victim];
            f.tag = (int64_t)moved;
            f.length = take[victim] > moved ? 1 + dice(take[victim] - moved) : 1;
            moved += f.length;
        }
        switch (dice(60)) { /* one thing is not as it should be */
        case 0:
            f.kind = 1 + (int)dice(WAITIO__KINDS);
            break;
        case 1:
            f.seq = dice(UINT64_MAX);
            break;
        case 2:
            f.source = (int)dice(UINT32_MAX);
            break;
        case 3:
            f.tag += (int64_t)dice(9) - 4;
            break;
        case 4:
            f.length = dice(UINT64_MAX);
            break;
        case 5:
            f.length += dice(300);
            break;
        case 6:
            f.id = dice(UINT64_MAX);
            break;
        case 7:
            f.id = id[dice((uint64_t)nid)];
            break;
        }
        waitio__frame_put(&f, bytes + n);
        n += WAITIO__FRAME;
        uint64_t payload = waitio__frame_payload(&f);
        payload = payload < 1500 && dice(20) ? payload : dice(1500);
        fill_pattern((char *)bytes + n, payload, seq);
        n += payload;
    }
    return n;
}

static void test_hostile_peer(void **state)
{
    (void)state;
    enum { ROUNDS = 6000, EACH = 4 };
    waitio__instance *in = make_instance(ROUNDS + 1);
    unsigned char *bytes = malloc(65536);
    int completed = 0;
    for (int rank = 1; rank <= ROUNDS; rank++) {
        waitio__peer *p;
        waitio__request *r[EACH];
        unsigned char *buf[EACH]; /* of its own size each, with a mark behind */
        uint64_t id[EACH];
        size_t take[EACH];
        assert_int_equal(waitio__peer_get(in, rank, &p), 0);
        for (int i = 0; i < EACH; i++) {
            take[i] = dice(1000);
            buf[i] = malloc(take[i] + 1);
            buf[i][take[i]] = 0x5a;
            r[i] = post(p, i % 2, i / 2, buf[i], take[i]);
            id[i] = waitio__request_id(r[i]);
        }
        size_t n = rank % 10 ? invent(bytes, 65536, rank, id, take, EACH) : dice(5000);
        if (rank % 10 == 0)
            fill_pattern((char *)bytes, n, (uint64_t)rank);
        converse(in, rank, bytes, n);
        in->failed = 0; /* an ABORT is believed */
        waitio__peer_fail(p, WAITIO_EPEER, "the test ends it");
        for (int i = 0; i < EACH; i++) {
            assert_int_equal(r[i]->state, WAITIO__COMPLETE);
            assert_true(r[i]->arrived <= take[i]);
            assert_int_equal(buf[i][take[i]], 0x5a);
            completed += r[i]->code == 0;
            free(buf[i]);
        }
    }
    assert_null(in->guest);
    print_message("%d of %d receives completed\n", completed, ROUNDS * EACH);
    assert_true(completed > ROUNDS / 10); /* or the test would not get to where harm can be done */
    free(bytes);
    waitio__instance_free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),     cmocka_unit_test(test_frame_hostile), cmocka_unit_test(test_map),
        cmocka_unit_test(test_endpoints), cmocka_unit_test(test_match),         cmocka_unit_test(test_hostile_peer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
