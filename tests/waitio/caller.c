/* SPDX-License-Identifier: BSD-3-Clause */
#include "caller.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "waitio/message/lane_connect.h"
#include "waitio/progress/progress.h"

enum { MAC_AT = 72 };

void turn(waitio__instance *in)
{
    for (int i = 0; i < 3; i++)
        waitio__progress(in, 0);
}

void call_by(caller *c, waitio__instance *in, int rank, const waitio__conduit *conduit)
{
    int fd[2];
    memset(c, 0, sizeof *c);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd), 0);
    waitio__link link = {.conduit = conduit, .fd = fd[0]};
    c->in = in;
    c->fd = fd[1];
    c->rank = rank;
    waitio__lane_accept(in, &link);
}

void call(caller *c, waitio__instance *in, int rank)
{
    call_by(c, in, rank, &waitio__tcp);
}

void hang_up(caller *c)
{
    close(c->fd);
    turn(c->in);
}

bool say(caller *c, const unsigned char bytes[WAITIO__GREET], unsigned char answer[WAITIO__GREET])
{
    if (send(c->fd, bytes, WAITIO__GREET, MSG_NOSIGNAL) != WAITIO__GREET)
        return false;
    turn(c->in);
    return read(c->fd, answer, WAITIO__GREET) == WAITIO__GREET;
}

bool is_genuine(const caller *c, const unsigned char bytes[WAITIO__GREET])
{
    unsigned char copy[WAITIO__GREET], mac[WAITIO__KEY];
    memcpy(copy, bytes, WAITIO__GREET);
    memset(copy + MAC_AT, 0, WAITIO__KEY);
    waitio__key_mac(&c->in->self.lane_key, copy, sizeof copy, c->nonce[0], WAITIO__KEY, c->nonce[1], WAITIO__KEY, mac);
    return waitio__key_same(mac, bytes + MAC_AT);
}

bool introduce(caller *c, uint64_t credit)
{
    unsigned char bytes[WAITIO__GREET];
    waitio__greet g = {
        .kind = WAITIO__HELLO, .purpose = WAITIO__FOR_LANE, .lane = c->lane, .source = c->rank, .name = "harm"};
    waitio__random(c->nonce[0], WAITIO__KEY);
    memcpy(g.nonce, c->nonce[0], WAITIO__KEY);
    waitio__greet_put(&g, c->hello);
    if (!say(c, c->hello, bytes) || waitio__greet_get(bytes, WAITIO__CHALLENGE, &c->answer))
        return false;
    memcpy(c->nonce[1], c->answer.nonce, WAITIO__KEY);
    assert_true(is_genuine(c, bytes));
    g.kind = WAITIO__PROOF;
    g.credit = credit;
    g.epoch = c->epoch;
    g.received = c->received;
    memset(g.nonce, 0, sizeof g.nonce);
    waitio__greet_put(&g, c->proof);
    waitio__key_mac(&c->in->self.lane_key, c->proof, sizeof c->proof, c->nonce[0], WAITIO__KEY, c->nonce[1],
                    WAITIO__KEY, c->proof + MAC_AT);
    return true;
}

bool prove(caller *c)
{
    unsigned char bytes[WAITIO__GREET];
    return say(c, c->proof, bytes) && is_genuine(c, bytes) && !waitio__greet_get(bytes, WAITIO__VERDICT, &c->answer) &&
           c->answer.verdict == WAITIO__TAKEN;
}

bool greet(caller *c, waitio__instance *in, int rank)
{
    call(c, in, rank);
    return introduce(c, 1 << 20) && prove(c);
}

void put_frame(caller *c, waitio__frame f, const void *payload)
{
    unsigned char head[WAITIO__FRAME];
    f.seq = c->seq++;
    waitio__frame_put(&f, head);
    assert_int_equal(send(c->fd, head, sizeof head, MSG_NOSIGNAL), sizeof head);
    uint64_t n = payload ? waitio__frame_payload(&f) : 0;
    for (uint64_t moved = 0; moved < n;) {
        ssize_t k = send(c->fd, (const char *)payload + moved, n - moved, MSG_NOSIGNAL);
        if (k > 0)
            moved += (uint64_t)k;
        turn(c->in);
    }
}

/* False: it did not come. */
static bool read_whole(caller *c, unsigned char *bytes, uint64_t n)
{
    uint64_t moved = 0;
    for (int i = 0; i < 1000 && moved < n; i++) {
        ssize_t k = read(c->fd, bytes + moved, n - moved);
        if (k > 0)
            moved += (uint64_t)k;
        else
            turn(c->in);
    }
    c->received += moved;
    return moved == n;
}

bool get_frame(caller *c, waitio__frame *f, void *payload, size_t room)
{
    unsigned char head[WAITIO__FRAME];
    if (!read_whole(c, head, sizeof head))
        return false;
    assert_int_equal(waitio__frame_get(head, c->heard++, f), 0);
    uint64_t n = waitio__frame_payload(f);
    assert_true(n <= room);
    return read_whole(c, payload, n);
}
