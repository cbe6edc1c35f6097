/* SPDX-License-Identifier: BSD-3-Clause */
#include "stranger.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "alone.h"
#include "must.h"
#include "phrase.h"
#include "run.h"
#include "waitio/stream/frame.h"
#include "waitio/stream/event_hub.h"
#include "world.h"

enum { MOST = 3 * WAITIO__GREET };

void stranger_begin(stranger *s, int (*call)(void *owner), void *owner)
{
    memset(s, 0, sizeof *s);
    s->call = call;
    s->owner = owner;
    for (int i = 0; i < STRANGER_CALLS; i++)
        s->fd[i] = -1;
}

static void keep(stranger *s, const unsigned char bytes[WAITIO__GREET])
{
    /* The first half is what was recorded of others: it stays. */
    unsigned at = s->nrecorded < STRANGER_RECORDED / 2 ? s->nrecorded++
                                                       : STRANGER_RECORDED / 2 + s->noted++ % (STRANGER_RECORDED / 2);
    memcpy(s->recorded[at], bytes, WAITIO__GREET);
}

/* The two ends of a greeting that is overheard. */

static const waitio__key *overheard_key(void *owner, const waitio__greet *hello)
{
    (void)hello;
    return owner;
}

static void overheard_judge(void *owner, const waitio__greet *proof, waitio__greet *verdict)
{
    (void)owner;
    (void)proof;
    verdict->verdict = WAITIO__TAKEN;
}

static void overheard_speaks(void *owner, waitio__greet *proof)
{
    (void)owner;
    proof->credit = 1 << 20;
}

static void overheard_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    (void)owner;
    (void)g;
    (void)other;
    link->conduit->close(link);
}

static void overheard_failed(void *owner, waitio__greeting *g, int code)
{
    (void)owner;
    (void)g;
    MUST(!code);
}

/* What has come to one end goes on to the other, and is kept. */
static void pass_on(stranger *s, waitio__link *from, waitio__link *to)
{
    unsigned char bytes[WAITIO__GREET];
    if (recv(from->fd, bytes, sizeof bytes, MSG_DONTWAIT) != sizeof bytes)
        return;
    keep(s, bytes);
    MUST(send(to->fd, bytes, sizeof bytes, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof bytes || errno == EPIPE);
}

void stranger_record(stranger *s, const waitio__greet *hello, const waitio__key *key)
{
    static const waitio__greeting_ops ops = {.key = overheard_key,
                                             .judge = overheard_judge,
                                             .speak = overheard_speaks,
                                             .greeted = overheard_greeted,
                                             .failed = overheard_failed};
    waitio__memory memory = {.spared = 0};
    waitio__hub hub;
    waitio__greetings all;
    waitio__link opener[2], accepter[2];
    memset(&hub, 0, sizeof hub);
    MUST(!waitio__hub_open(&hub, &memory));
    waitio__greetings_open(&all, &hub);
    world_pair(opener);
    world_pair(accepter);
    MUST(waitio__greeting_open(&all, &opener[0], hello, key, &ops, (void *)key));
    waitio__greeting_accept(&all, &accepter[0], &ops, (void *)key);
    for (int i = 0; i < 12; i++) {
        waitio__hub_turn(&hub, 0);
        pass_on(s, &opener[1], &accepter[1]);
        pass_on(s, &accepter[1], &opener[1]);
    }
    MUST(!all.n);
    close(opener[1].fd);
    close(accepter[1].fd);
    waitio__greetings_free(&all);
    waitio__hub_close(&hub);
    waitio__memory_free(&memory);
}

static size_t say_greeting(unsigned char bytes[MOST])
{
    waitio__greet g = {.kind = 1 + (int)dice(dice(3) ? 1 : 4), .purpose = 1 + (int)dice(4), .source = (int)dice(6)};
    g.target = (int)dice(4);
    g.verdict = dice(4) ? 0 : (int)dice(4);
    g.credit = phrase_edge();
    waitio__random(g.nonce, sizeof g.nonce);
    if (dice(2))
        waitio__random(g.mac, sizeof g.mac);
    if (dice(4) == 0)
        phrase_bend_hello(&g, 0);
    if (dice(4) == 0)
        phrase_bend_greeting(&g);
    waitio__greet_put(&g, bytes);
    return WAITIO__GREET;
}

/* Of several, one after the other, each with another kind perhaps. */
static size_t say_recorded(const stranger *s, unsigned char bytes[MOST])
{
    unsigned all = s->nrecorded + (s->noted < STRANGER_RECORDED / 2 ? s->noted : STRANGER_RECORDED / 2);
    size_t n = 0;
    for (uint64_t times = all ? 1 + dice(3) : 0; times; times--, n += WAITIO__GREET) {
        memcpy(bytes + n, s->recorded[dice(all)], WAITIO__GREET);
        if (dice(6) == 0)
            bytes[n + 6] = (unsigned char)(1 + dice(4));
    }
    return n;
}

static size_t say_frame(unsigned char bytes[MOST])
{
    waitio__frame f = {.kind = 1 + (int)dice(WAITIO__KINDS), .length = phrase_edge(), .tag = (int64_t)phrase_edge()};
    waitio__frame_put(&f, bytes);
    return WAITIO__FRAME;
}

static size_t invent(const stranger *s, unsigned char bytes[MOST])
{
    size_t n = 0;
    switch (dice(10)) {
    case 0: /* noise */
        n = 1 + dice(MOST);
        waitio__random(bytes, n);
        break;
    case 1:
        n = say_frame(bytes);
        break;
    case 2:
    case 3:
    case 4:
        n = say_greeting(bytes);
        break;
    default:
        n = say_recorded(s, bytes);
    }
    if (n && dice(4) == 0)
        bytes[dice(n)] ^= (unsigned char)(1u << dice(8));
    if (n && dice(4) == 0)
        n = 1 + dice(n); /* the rest never comes, or comes in the middle of something else */
    return n;
}

static void hang_up(int *fd)
{
    close(*fd);
    *fd = -1;
}

/* What it was told is used against others. */
static void hear(stranger *s, int fd)
{
    unsigned char bytes[WAITIO__GREET];
    if (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) != sizeof bytes)
        return;
    s->heard++;
    keep(s, bytes);
}

void stranger_step(stranger *s)
{
    unsigned char bytes[MOST];
    int *fd = &s->fd[dice(STRANGER_CALLS)];
    if (*fd < 0) {
        *fd = s->call(s->owner);
        s->called += *fd >= 0;
        return;
    }
    if (dice(20) == 0) {
        hang_up(fd);
        return;
    }
    hear(s, *fd);
    size_t n = invent(s, bytes);
    if (!n)
        return;
    s->said++;
    if (send(*fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        hang_up(fd);
}

void stranger_end(stranger *s)
{
    for (int i = 0; i < STRANGER_CALLS; i++)
        if (s->fd[i] >= 0)
            hang_up(&s->fd[i]);
}
