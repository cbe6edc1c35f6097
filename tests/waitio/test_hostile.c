/* SPDX-License-Identifier: BSD-3-Clause */
/* What an instance makes of who greets it wrongly, and of a peer that knows the secret and means harm. The greeting is
 * spoken here byte by byte, so this also holds the protocol to its text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "alone.h"
#include "caller.h"
#include "run.h"
#include "waitio/message/peer.h"
#include "waitio/message/request.h"
#include "waitio/progress/progress.h"

static void test_greeting(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(4);
    caller c, d;
    unsigned char bytes[WAITIO__GREET];
    waitio__peer *p;
    assert_true(greet(&c, in, 1));
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    assert_true(waitio__peer_stands(p) && p->credit == 1 << 20 && c.answer.credit == p->granted);
    assert_string_equal(p->name, "harm");
    assert_int_equal(in->greetings.strangers, 0);
    /* The same words again: the challenge is another one, so the proof is none. */
    call(&d, in, 1);
    assert_true(say(&d, c.hello, bytes));
    assert_int_equal(waitio__greet_get(bytes, WAITIO__CHALLENGE, &d.answer), 0);
    assert_memory_not_equal(d.answer.nonce, c.nonce[1], WAITIO__KEY);
    assert_false(say(&d, c.proof, bytes));
    assert_int_equal(in->greetings.strangers, 1);
    hang_up(&d);
    assert_true(waitio__peer_stands(p)); /* the true one is not disturbed */
    /* The challenge's own MAC reflected, and every byte of a proof changed. */
    call(&d, in, 2);
    assert_true(introduce(&d, 0));
    waitio__greet_put(&d.answer, bytes);
    bytes[6] = WAITIO__PROOF;
    assert_false(say(&d, bytes, bytes));
    hang_up(&d);
    for (int i = 0; i < WAITIO__GREET; i++) {
        uint64_t strangers = in->greetings.strangers;
        call(&d, in, 2);
        assert_true(introduce(&d, 0));
        d.proof[i] ^= (unsigned char)(1 + dice(255));
        assert_false(say(&d, d.proof, bytes));
        assert_int_equal(in->greetings.strangers, strangers + 1);
        hang_up(&d);
    }
    assert_int_equal(in->counters.connections_opened, 1);
    hang_up(&c);
    waitio__instance_free(in);
}

static void test_greeting_noise(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(4);
    for (int i = 0; i < 500; i++) {
        caller c;
        unsigned char bytes[400];
        call(&c, in, 1);
        fill_pattern((char *)bytes, sizeof bytes, (uint64_t)i);
        if (i % 2) { /* begins well */
            waitio__greet g = {.kind = WAITIO__HELLO, .purpose = WAITIO__FOR_LANE, .source = (int)dice(9) - 4};
            waitio__greet_put(&g, bytes);
            bytes[dice(WAITIO__GREET)] ^= (unsigned char)dice(256);
        }
        assert_true(send(c.fd, bytes, 1 + dice(sizeof bytes), MSG_NOSIGNAL) > 0);
        turn(in);
        hang_up(&c);
    }
    assert_int_equal(in->greetings.n, 0);
    assert_int_equal(in->counters.connections_opened, 0);
    assert_null(in->peers.first);
    waitio__instance_free(in);
}

/* Those that say nothing give way to newcomers, before one that has begun to greet. */
static void test_guests_give_way(void **state)
{
    (void)state;
    enum { MANY = 100 };
    waitio__instance *in = alone_begin(4);
    caller c, silent[MANY];
    unsigned char bytes[WAITIO__GREET];
    int most = in->greetings.guests_most, alive = 0;
    assert_in_range(most, 8, 256);
    in->greetings.guests_most = 8;
    call(&c, in, 1);
    assert_true(introduce(&c, 0));
    for (int i = 0; i < MANY; i++) {
        call(&silent[i], in, 2);
        assert_in_range(in->greetings.nguests, 1, 8);
    }
    for (int i = 0; i < MANY; i++)
        alive += recv(silent[i].fd, bytes, 1, MSG_PEEK) != 0; /* 0: it was closed */
    assert_int_equal(alive, 7);
    assert_true(say(&c, c.proof, bytes));
    for (int i = 0; i < MANY; i++)
        close(silent[i].fd);
    hang_up(&c);
    assert_int_equal(in->greetings.nguests, 0);
    waitio__instance_free(in);
}

/* More than was granted is refused, and what was within is kept. */
static void test_credit(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    caller c;
    waitio__peer *p;
    unsigned char bytes[WAITIO__FRAME + 1000] = {0};
    in->set.credit = 10000;
    assert_true(greet(&c, in, 1));
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    assert_int_equal(c.answer.credit, 10000);
    for (uint64_t seq = 0; seq < 20 && !p->failed; seq++) {
        waitio__frame f = {.kind = WAITIO__EAGER, .seq = seq, .length = 1000};
        waitio__frame_put(&f, bytes);
        send(c.fd, bytes, sizeof bytes, MSG_NOSIGNAL);
        turn(in);
        assert_true(in->counters.unexpected_bytes <= 10000);
    }
    assert_int_equal(p->failed, WAITIO_EPROTO);
    assert_non_null(strstr(p->why, "more bytes at once than it was granted"));
    assert_int_equal(in->counters.unexpected, 8);
    hang_up(&c);
    waitio__instance_free(in);
}

/* Frames as a peer could send them that knows the protocol. take: what the receives of those ids hold; the one of id i
 * is for group i % 2, tag i / 2. */
static size_t invent(unsigned char *bytes, size_t room, const uint64_t id[], const size_t take[], uint64_t nid)
{
    size_t n = 0, moved = 0;
    int victim = -1; /* the receive that a long message was announced for */
    for (uint64_t seq = 0; n + WAITIO__FRAME + 2000 < room && dice(20); seq++) {
        waitio__frame f = {.kind = WAITIO__EAGER,
                           .flags = (unsigned)dice(2),
                           .seq = seq,
                           .group = (int)dice(2),
                           .tag = (int64_t)dice(3),
                           .length = dice(1200),
                           .id = id[dice(nid)]};
        if (victim < 0 && dice(2)) { /* a message is announced ... */
            victim = (int)dice(nid);
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
        switch (dice(50)) { /* one thing is not as it should be */
        case 0:
            f.kind = 1 + (int)dice(WAITIO__KINDS);
            f.length = dice(2) ? 0 : f.length;
            break;
        case 1:
            f.seq = dice(UINT64_MAX);
            break;
        case 2:
            f.check = (uint32_t)dice(UINT32_MAX);
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
            f.id = id[dice(nid)];
            break;
        case 8:
            f = (waitio__frame){.kind = dice(2) ? WAITIO__ACK : WAITIO__REST, .seq = seq, .group = 1, .id = dice(3)};
            f.tag = dice(2) ? 0 : (int64_t)dice(UINT64_MAX);
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

static void pour(caller *c, const unsigned char *bytes, size_t n)
{
    unsigned char dump[4096];
    while (n) { /* in pieces of any size */
        size_t piece = 1 + dice(n < 300 ? n : 300);
        ssize_t k = send(c->fd, bytes, piece < n ? piece : n, MSG_NOSIGNAL);
        waitio__progress(c->in, 0);
        while (read(c->fd, dump, sizeof dump) > 0)
            ;
        if (k < 0)
            break;
        bytes += k;
        n -= (size_t)k;
    }
    hang_up(c);
}

static void test_hostile_peer(void **state)
{
    (void)state;
    enum { ROUNDS = 4000, EACH = 4 };
    waitio__instance *in = alone_begin(ROUNDS + 1);
    waitio_group_t g[2] = {group_of_all(0), group_of_all(1)};
    unsigned char *bytes = malloc(65536);
    int completed = 0;
    for (int rank = 1; rank <= ROUNDS; rank++) {
        caller c;
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
            r[i] = alone_post(in, p, g[i % 2], i / 2, buf[i], take[i]);
            id[i] = waitio__request_id(r[i]);
        }
        assert_true(greet(&c, in, rank));
        size_t n = rank % 10 ? invent(bytes, 65536, id, take, EACH) : dice(5000);
        if (rank % 10 == 0)
            fill_pattern((char *)bytes, n, (uint64_t)rank);
        pour(&c, bytes, n);
        in->failed = 0; /* an ABORT is believed */
        waitio__peer_fail(p, WAITIO_EPEER, "the test ends it");
        for (int i = 0; i < EACH; i++) {
            assert_int_equal(r[i]->state, WAITIO__COMPLETE);
            assert_true(r[i]->arrived <= take[i]);
            assert_int_equal(buf[i][take[i]], 0x5a);
            completed += r[i]->code == 0;
            waitio__request_release(r[i]);
            free(buf[i]);
        }
    }
    assert_int_equal(in->greetings.strangers, 0);
    print_message("%d of %d receives completed\n", completed, ROUNDS * EACH);
    assert_true(completed > ROUNDS / 10); /* or the test would not get to where harm can be done */
    free(bytes);
    waitio_group_free(g[0]);
    waitio_group_free(g[1]);
    waitio__instance_free(in);
}

static bool greet_lane(caller *c, waitio__instance *in, int rank, int lane)
{
    call(c, in, rank);
    c->lane = lane;
    return introduce(c, 1 << 20) && prove(c);
}

/* A frame and the first n bytes of its payload. */
static void say_frame(caller *c, const waitio__frame *f, size_t n)
{
    unsigned char bytes[WAITIO__FRAME + 1000] = {0};
    waitio__frame_put(f, bytes);
    assert_int_equal(send(c->fd, bytes, WAITIO__FRAME + n, MSG_NOSIGNAL), WAITIO__FRAME + n);
    turn(c->in);
}

/* The same bytes of a long message by two streams: a receive does not end while the other stream still writes to it. */
static void test_overlapping_data(void **state)
{
    (void)state;
    enum { N = 1000 };
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    caller c, d;
    waitio__peer *p;
    char buf[N];
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    waitio__request *r = alone_post(in, p, g, 7, buf, sizeof buf);
    waitio__frame f = {.kind = WAITIO__RTS, .tag = 7, .length = N, .id = 99};
    assert_true(greet(&c, in, 1) && greet_lane(&d, in, 1, 1));
    say_frame(&c, &f, 0);
    assert_int_equal(r->state, WAITIO__MOVING);
    f = (waitio__frame){.kind = WAITIO__DATA, .length = N, .id = waitio__request_id(r)};
    say_frame(&d, &f, N / 2);
    f.seq = 1;
    say_frame(&c, &f, N);
    assert_int_equal(p->failed, WAITIO_EPROTO);
    assert_int_equal(r->code, WAITIO_EPROTO);
    waitio__request_release(r);
    hang_up(&c);
    hang_up(&d);
    waitio_group_free(g);
    waitio__instance_free(in);
}

/* Who is told that its lane is not there: no lane has that number. */
static void test_lane_without_number(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    for (int lane = WAITIO__LANES; lane < 256; lane += 41) {
        caller c;
        assert_false(greet_lane(&c, in, 1, lane));
        assert_int_equal(c.answer.verdict, WAITIO__UNFIT);
        hang_up(&c);
    }
    assert_int_equal(in->counters.connections_opened, 0);
    waitio__instance_free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_greeting),
        cmocka_unit_test(test_greeting_noise),
        cmocka_unit_test(test_guests_give_way),
        cmocka_unit_test(test_credit),
        cmocka_unit_test(test_hostile_peer),
        cmocka_unit_test(test_overlapping_data),
        cmocka_unit_test(test_lane_without_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
