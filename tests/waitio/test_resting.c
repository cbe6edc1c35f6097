/* SPDX-License-Identifier: BSD-3-Clause */
/* What requests see of connections that are asked to rest, or break; frame by frame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "alone.h"
#include "caller.h"
#include "run.h"
#include "waitio/message/lane_rest.h"
#include "waitio/message/peer.h"

enum { N = 300000, RECEIVE = 55, TAG = 5, AGREED = 1, NOT_NOW = 2 };

static char sent[N], got[N], piece[WAITIO__PAYLOAD_MOST];

/* The next frame that is not an acknowledgement. */
static bool next_frame(caller *c, waitio__frame *f)
{
    do {
        if (!get_frame(c, f, piece, sizeof piece))
            return false;
    } while (f->kind == WAITIO__ACK);
    return true;
}

/* A connection that was asked to rest while a long message was announced, and may not: the message goes on. */
static void test_goes_on_when_it_may_not_rest(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(3);
    waitio_group_t g = group_of_all(0);
    waitio_req_t req;
    waitio__peer *p;
    caller c, d;
    waitio__frame f;
    size_t come = 0;
    in->set.connections_most = 1;
    fill_pattern(sent, N, 1);
    assert_true(greet(&c, in, 1));
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    assert_int_equal(waitio_isend(g, 1, sent, N, TAG, &req), 0);
    assert_true(next_frame(&c, &f) && f.kind == WAITIO__RTS && f.length == N);
    uint64_t id = f.id;
    turn(in);
    assert_true(greet(&d, in, 2)); /* one connection too many */
    for (int i = 0; i < 10 && p->lane[0]->rest != WAITIO__ASKED; i++) {
        turn(in);
        waitio__lanes_rest_excess(in);
    }
    assert_true(next_frame(&c, &f) && f.kind == WAITIO__REST && f.id == 0);
    put_frame(&c, (waitio__frame){.kind = WAITIO__CTS, .tag = RECEIVE, .length = N, .id = id}, NULL);
    turn(in);
    put_frame(&c,
              (waitio__frame){
                  .kind = WAITIO__REST, .group = (int32_t)p->lane[0]->epoch, .tag = (int64_t)c.received, .id = NOT_NOW},
              NULL);
    while (come < N && next_frame(&c, &f) && f.kind == WAITIO__DATA) {
        assert_true(f.id == RECEIVE && (size_t)f.tag + f.length <= N);
        memcpy(got + f.tag, piece, f.length);
        come += f.length;
    }
    assert_int_equal(come, N);
    assert_true(is_pattern(got, N, 1));
    waitio_group_free(g);
    hang_up(&c);
    hang_up(&d);
    waitio__instance_free(in);
}

/* A receive that is cancelled has ended, whatever else is still to leave for the same peer, whose connection broke. */
static void test_cancelled_while_broken(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    waitio_req_t taken, cancelled;
    waitio_status_t st;
    waitio__peer *p;
    caller c;
    waitio__frame f;
    int done = 0;
    assert_true(greet(&c, in, 1));
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    assert_int_equal(waitio_irecv(g, 1, got, N, TAG, &taken), 0);
    assert_int_equal(waitio_irecv(g, 1, got, N, TAG + 1, &cancelled), 0);
    put_frame(&c, (waitio__frame){.kind = WAITIO__RTS, .tag = TAG, .length = N, .id = 77}, NULL);
    assert_true(next_frame(&c, &f) && f.kind == WAITIO__CTS);
    hang_up(&c);
    assert_true(p->lane[0]->state != WAITIO__READY && !p->failed);
    assert_int_equal(waitio_cancel(&cancelled), 0);
    assert_int_equal(waitio_test(&cancelled, &done), 0);
    assert_true(done);
    assert_int_equal(waitio_get_status(&cancelled, &st), 0);
    assert_true(st.is_cancelled);
    waitio_group_free(g);
    waitio__instance_free(in);
}

/* Both ends ask at the same time, and agree: this process reads the question and the answer to its own at once, so that
 * its own answer never leaves. What a receive owes has left all the same. */
static void test_both_ask(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    waitio_req_t req;
    waitio__peer *p;
    caller c;
    int done = 0;
    assert_true(greet(&c, in, 1));
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    assert_int_equal(waitio_irecv(g, 1, got, N, TAG, &req), 0);
    waitio__frame question = {.kind = WAITIO__REST, .group = (int32_t)p->lane[0]->epoch, .tag = (int64_t)c.received};
    waitio__frame answer = question;
    answer.id = AGREED;
    put_frame(&c, (waitio__frame){.kind = WAITIO__EAGER, .flags = WAITIO__ACK_SOON, .tag = TAG}, NULL);
    put_frame(&c, question, NULL);
    put_frame(&c, answer, NULL);
    turn(in);
    assert_int_equal(p->lane[0]->state, WAITIO__IDLE);
    assert_int_equal(in->counters.connections_rested, 1);
    in->hub.is_behind = true; /* as whatever waits to leave to another peer makes it */
    assert_int_equal(waitio_test(&req, &done), 0);
    assert_true(done);
    waitio_group_free(g);
    hang_up(&c);
    waitio__instance_free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on_when_it_may_not_rest),
        cmocka_unit_test(test_cancelled_while_broken),
        cmocka_unit_test(test_both_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
