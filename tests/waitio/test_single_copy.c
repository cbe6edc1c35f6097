/* SPDX-License-Identifier: BSD-3-Clause */
/* Single copies of which a process cannot do its part: the message arrives all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "alone.h"
#include "caller.h"
#include "run.h"
#include "waitio/message/lane.h"
#include "waitio/message/peer.h"
#include "waitio/message/request.h"

enum { N = 300000, HALF = N / 2, SEND = 77, RECEIVE = 55, TAG = 5 };

static char sent[N], got[N];

/* The next frame that is not an acknowledgement. */
static bool next_frame(caller *c, waitio__frame *f, void *payload, size_t room)
{
    do {
        if (!get_frame(c, f, payload, room))
            return false;
    } while (f->kind == WAITIO__ACK);
    return true;
}

/* Asks until the instance agrees: it does not while an acknowledgement of its own has just left. */
static void rest(caller *c, uint32_t epoch)
{
    waitio__frame f = {.id = 2};
    for (int i = 0; i < 100 && f.id != 1; i++) {
        put_frame(c, (waitio__frame){.kind = WAITIO__REST, .group = (int32_t)epoch, .tag = (int64_t)c->received}, NULL);
        assert_true(next_frame(c, &f, NULL, 0) && f.kind == WAITIO__REST);
    }
    assert_int_equal(f.id, 1);
}

/* The sender's connection rests after it has offered its memory, and by the time that the offer is read its end is
 * closed: its memory is out of reach. The receiver says so, by the next connection, and gets the bytes. */
static void test_offer_of_who_has_closed(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    caller c, d;
    waitio__peer *p;
    waitio__frame f;
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    fill_pattern(sent, N, 1);
    memset(got, 0, N);
    waitio__request *r = alone_post(in, p, g, TAG, got, N);
    assert_true(greet(&c, in, 1));
    put_frame(&c, (waitio__frame){.kind = WAITIO__RTS, .tag = TAG, .length = N, .id = SEND}, NULL);
    assert_true(next_frame(&c, &f, NULL, 0) && f.kind == WAITIO__CTS && f.id == SEND && f.length == N);
    uint64_t receive = (uint64_t)f.tag;
    rest(&c, p->lane[0]->epoch);
    put_frame(&c, (waitio__frame){.kind = WAITIO__PULL, .length = HALF, .id = receive}, NULL);
    call(&d, in, 1);
    d.epoch = p->lane[0]->epoch;
    d.received = c.received;
    d.seq = c.seq;
    d.heard = c.heard;
    assert_true(introduce(&d, 1 << 20) && prove(&d));
    assert_true(next_frame(&d, &f, NULL, 0));
    assert_true(f.kind == WAITIO__PULLED && f.id == SEND && f.tag == 1);
    memcpy(got + HALF, sent + HALF, HALF); /* as the sender writes it */
    put_frame(&d, (waitio__frame){.kind = WAITIO__PUSHED, .length = HALF, .id = receive}, NULL);
    put_frame(&d, (waitio__frame){.kind = WAITIO__DATA, .length = HALF, .id = receive}, sent);
    turn(in);
    assert_int_equal(r->state, WAITIO__COMPLETE);
    assert_int_equal(r->code, 0);
    assert_true(is_pattern(got, N, 1));
    waitio__request_release(r);
    waitio_group_free(g);
    close(c.fd);
    hang_up(&d);
    waitio__instance_free(in);
}

static bool says_it_can(waitio__link *link)
{
    (void)link;
    return true;
}

static int cannot_get(waitio__link *link, uint64_t address, void *to, size_t n)
{
    (void)link;
    (void)address;
    (void)to;
    (void)n;
    return h3ou__fail(H3OU__EOS, "the test forbids it");
}

static int cannot_put(waitio__link *link, uint64_t address, const void *from, size_t n)
{
    (void)from;
    return cannot_get(link, address, NULL, n);
}

/* Neither process can copy: both halves are sent. */
static void test_nobody_can_copy(void **state)
{
    (void)state;
    static waitio__conduit conduit;
    static char piece[WAITIO__PAYLOAD_MOST];
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    waitio_req_t req;
    caller c;
    waitio__frame f;
    size_t come = 0;
    int done = 0;
    conduit = waitio__tcp;
    conduit.reach = says_it_can;
    conduit.get = cannot_get;
    conduit.put = cannot_put;
    in->set.single_copy = 1;
    fill_pattern(sent, N, 2);
    memset(got, 0, N);
    call_by(&c, in, 1, &conduit);
    assert_true(introduce(&c, 1 << 20) && prove(&c));
    assert_int_equal(waitio_isend(g, 1, sent, N, TAG, &req), 0);
    assert_true(next_frame(&c, &f, NULL, 0) && f.kind == WAITIO__RTS && f.length == N);
    uint64_t id = f.id;
    put_frame(&c, (waitio__frame){.kind = WAITIO__CTS, .flags = WAITIO__REACH, .tag = RECEIVE, .length = N, .id = id},
              NULL);
    assert_true(next_frame(&c, &f, NULL, 0) && f.kind == WAITIO__PULL && f.length < N);
    put_frame(&c, (waitio__frame){.kind = WAITIO__PULLED, .tag = 1, .id = id}, NULL);
    assert_true(next_frame(&c, &f, NULL, 0) && f.kind == WAITIO__PUSHED && !f.length);
    while (come < N && next_frame(&c, &f, piece, sizeof piece) && f.kind == WAITIO__DATA) {
        assert_true(f.id == RECEIVE && (size_t)f.tag + f.length <= N);
        memcpy(got + f.tag, piece, f.length);
        come += f.length;
        put_frame(&c, (waitio__frame){.kind = WAITIO__ACK, .tag = (int64_t)c.received, .id = 1 << 20}, NULL);
    }
    assert_int_equal(come, N);
    assert_true(is_pattern(got, N, 2));
    assert_true(next_frame(&c, &f, NULL, 0) && f.kind == WAITIO__FIN && f.id == RECEIVE);
    assert_int_equal(waitio_test(&req, &done), 0);
    assert_true(done);
    waitio_group_free(g);
    hang_up(&c);
    waitio__instance_free(in);
}

/* A receiver that says twice that it has copied its half: the other half, which is still being sent, stays borrowed. */
static void test_copied_twice(void **state)
{
    (void)state;
    static waitio__conduit conduit;
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    waitio_req_t req;
    caller c;
    waitio__frame f;
    int done = 0;
    conduit = waitio__tcp;
    conduit.reach = says_it_can;
    conduit.get = cannot_get;
    conduit.put = cannot_put;
    in->set.single_copy = 1;
    call_by(&c, in, 1, &conduit);
    assert_true(introduce(&c, 1 << 20) && prove(&c));
    assert_int_equal(waitio_isend(g, 1, sent, N, TAG, &req), 0);
    assert_true(next_frame(&c, &f, NULL, 0) && f.kind == WAITIO__RTS);
    uint64_t id = f.id;
    put_frame(&c, (waitio__frame){.kind = WAITIO__CTS, .flags = WAITIO__REACH, .tag = RECEIVE, .length = N, .id = id},
              NULL);
    assert_true(next_frame(&c, &f, NULL, 0) && f.kind == WAITIO__PULL);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(waitio_test(&req, &done), 0);
        assert_false(done);
        put_frame(&c, (waitio__frame){.kind = WAITIO__PULLED, .id = id}, NULL);
    }
    turn(in);
    assert_int_equal(waitio_test(&req, &done), WAITIO_EPROTO);
    waitio_group_free(g);
    hang_up(&c);
    waitio__instance_free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offer_of_who_has_closed),
        cmocka_unit_test(test_nobody_can_copy),
        cmocka_unit_test(test_copied_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
