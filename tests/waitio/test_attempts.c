/* SPDX-License-Identifier: BSD-3-Clause */
/* Attempts to connect that one end has given up while the other end was late: what was sent over a connection that was
 * agreed upon arrives, whatever comes of the other attempts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "alone.h"
#include "caller.h"
#include "os/os_clock.h"
#include "run.h"
#include "waitio/message/lane_connect.h"
#include "waitio/message/peer.h"

enum { TAG = 5, MAC_AT = 72, LATE = 10 /* s */ };

/* Without payload: this process has not read it when the call returns. */
static void put_message(caller *c)
{
    put_frame(c, (waitio__frame){.kind = WAITIO__EAGER, .tag = TAG}, NULL);
}

static void assert_received(waitio__instance *in, waitio_group_t g)
{
    waitio_req_t req;
    char got;
    int done = 0;
    assert_int_equal(waitio_irecv(g, 1, &got, 1, TAG, &req), 0);
    for (int i = 0; i < 100 && !done; i++) {
        turn(in);
        assert_int_equal(waitio_test(&req, &done), 0);
    }
    assert_true(done);
}

/* The first attempt of the peer is read only after its second one has become the connection and carried a message. */
static void test_old_attempt_is_late(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    waitio__peer *p;
    caller first, second;
    call(&first, in, 1);
    assert_true(introduce(&first, 1 << 20));
    call(&second, in, 1);
    second.epoch = 1;
    assert_true(introduce(&second, 1 << 20));
    assert_true(prove(&second));
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    p->lane[0]->since -= LATE;
    put_message(&second); /* is not read before the old proof */
    assert_false(prove(&first));
    assert_int_equal(first.answer.verdict, WAITIO__CROSSED);
    assert_received(in, g);
    waitio_group_free(g);
    hang_up(&first);
    hang_up(&second);
    waitio__instance_free(in);
}

/* An attempt of which the peer did not get the answer: the next one has a number that is taken. */
static void test_attempt_after_lost_answer(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    caller first, second;
    assert_true(greet(&first, in, 1)); /* the peer stays at its number 0 */
    call(&second, in, 1);
    second.epoch = 1;
    assert_true(introduce(&second, 1 << 20));
    assert_true(prove(&second));
    put_message(&second);
    assert_received(in, g);
    waitio_group_free(g);
    hang_up(&first);
    hang_up(&second);
    waitio__instance_free(in);
}

/* A conduit whose connections lead to the test. */
static waitio__conduit to_test;
static int other_end = -1;

static int open_to_test(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    (void)set;
    (void)to;
    int fd[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd), 0);
    *out = (waitio__link){.conduit = &to_test, .fd = fd[0]};
    other_end = fd[1];
    return 0;
}

static int opened_at_once(waitio__link *link)
{
    (void)link;
    return 0;
}

/* Answers as who accepted, to the message before. */
static void answer(caller *c, waitio__greet *m)
{
    unsigned char bytes[WAITIO__GREET];
    m->purpose = WAITIO__FOR_LANE;
    m->target = c->rank;
    memset(m->mac, 0, sizeof m->mac);
    waitio__greet_put(m, bytes);
    waitio__key_mac(&c->in->self.lane_key, bytes, sizeof bytes, c->nonce[0], WAITIO__KEY, c->nonce[1], WAITIO__KEY,
                    bytes + MAC_AT);
    assert_int_equal(send(c->fd, bytes, sizeof bytes, MSG_NOSIGNAL), sizeof bytes);
}

static void hear(caller *c, int kind)
{
    unsigned char bytes[WAITIO__GREET];
    turn(c->in);
    assert_int_equal(read(c->fd, bytes, sizeof bytes), sizeof bytes);
    assert_int_equal(waitio__greet_get(bytes, kind, &c->answer), 0);
}

/* This process opens a connection to the test, which answers up to the proof. */
static waitio__lane *open_up_to_proof(waitio__instance *in, caller *c)
{
    waitio__peer *p;
    waitio__lane *l;
    waitio__greet m = {.kind = WAITIO__CHALLENGE};
    *c = (caller){.in = in, .rank = 1};
    to_test = waitio__tcp;
    to_test.open = open_to_test;
    to_test.opened = opened_at_once;
    in->set.route[0] = &to_test;
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    assert_int_equal(waitio__lane_get(p, 0, &l), 0);
    waitio__lane_connect(l);
    c->fd = other_end;
    hear(c, WAITIO__HELLO);
    memcpy(c->nonce[0], c->answer.nonce, WAITIO__KEY);
    waitio__random(c->nonce[1], WAITIO__KEY);
    memcpy(m.nonce, c->nonce[1], WAITIO__KEY);
    answer(c, &m);
    hear(c, WAITIO__PROOF);
    return l;
}

static void take_and_send(caller *c)
{
    waitio__greet m = {.kind = WAITIO__VERDICT, .verdict = WAITIO__TAKEN, .credit = 1 << 20};
    answer(c, &m);
    put_message(c);
}

/* The peer's answer lies in the connection, and its first message behind it, when this process gives the attempt up
 * because it was not asked for a long time. */
static void test_answer_is_there_but_late(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    caller c;
    waitio__lane *l = open_up_to_proof(in, &c);
    take_and_send(&c);
    l->since -= LATE;
    waitio__lane_tick(l, h3ou__now());
    assert_int_equal(l->state, WAITIO__READY);
    assert_received(in, g);
    waitio_group_free(g);
    hang_up(&c);
    waitio__instance_free(in);
}

/* The peer reads the proof a long time after this process has said it, takes the connection, sends by it, and does nothing
 * more: the attempt may not have been given up meanwhile. */
static void test_proof_is_read_late(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    waitio_group_t g = group_of_all(0);
    caller c;
    waitio__lane *l = open_up_to_proof(in, &c);
    l->since -= 10 * LATE;
    waitio__lane_tick(l, h3ou__now());
    take_and_send(&c);
    assert_received(in, g);
    waitio_group_free(g);
    hang_up(&c);
    waitio__instance_free(in);
}

/* Of an attempt that was given up behind its proof nothing is made: what is sent by it would be lost. */
static void test_proof_of_a_closed_connection(void **state)
{
    (void)state;
    waitio__instance *in = alone_begin(2);
    waitio__peer *p;
    waitio__lane *l;
    caller c;
    call(&c, in, 1);
    assert_true(introduce(&c, 1 << 20));
    assert_int_equal(send(c.fd, c.proof, sizeof c.proof, MSG_NOSIGNAL), sizeof c.proof);
    shutdown(c.fd, SHUT_WR); /* as a TCP connection looks that the other host has closed: writing goes well once */
    turn(in);
    assert_int_equal(waitio__peer_get(in, 1, &p), 0);
    assert_int_equal(waitio__lane_get(p, 0, &l), 0);
    assert_int_equal(l->epoch, 0);
    hang_up(&c);
    waitio__instance_free(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_old_attempt_is_late),
        cmocka_unit_test(test_attempt_after_lost_answer),
        cmocka_unit_test(test_answer_is_there_but_late),
        cmocka_unit_test(test_proof_is_read_late),
        cmocka_unit_test(test_proof_of_a_closed_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
