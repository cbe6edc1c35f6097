/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/identity/greeting.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/stream/frame.h"

/* Guests (unauthenticated peers) may use one in SHARE of the descriptors of this process: the model needs the others.
 */
enum { SHARE = 8, GUESTS_LEAST = 8, GUESTS_MOST = 256, MAC_AT = 72 };
static const uint32_t magic = 0x48324957; /* "WI2H" */
static const double silence = 10;         /* s */
static const double grace = 0.05;         /* s: grace period, in which a guest is not closed for a new one */

void waitio__greet_put(const waitio__greet *g, unsigned char bytes[WAITIO__GREET])
{
    memset(bytes, 0, WAITIO__GREET);
    h3ou__put32(bytes, magic);
    h3ou__put16(bytes + 4, WAITIO__VERSION);
    bytes[6] = (unsigned char)g->kind;
    bytes[7] = (unsigned char)g->purpose;
    bytes[8] = (unsigned char)g->lane;
    bytes[9] = (unsigned char)g->verdict;
    h3ou__put16(bytes + 10, (uint16_t)g->flags);
    h3ou__put32(bytes + 12, (uint32_t)g->source);
    h3ou__put32(bytes + 16, (uint32_t)g->target);
    h3ou__put32(bytes + 20, g->epoch);
    h3ou__put64(bytes + 24, g->received);
    h3ou__put64(bytes + 32, g->credit);
    memcpy(bytes + 40, g->nonce, WAITIO__KEY);
    memcpy(bytes + MAC_AT, g->mac, WAITIO__KEY);
    memcpy(bytes + 104, g->name, strnlen(g->name, WAITIO__GREET_NAME));
}

int waitio__greet_get(const unsigned char bytes[WAITIO__GREET], int kind, waitio__greet *g)
{
    if (h3ou__get32(bytes) != magic)
        return h3ou__fail(H3OU__EPROTO, "bytes that do not begin as WaitIO's do");
    if (h3ou__get16(bytes + 4) != WAITIO__VERSION)
        return h3ou__fail(H3OU__EPROTO, "version %d of the protocol, but this library speaks version %d",
                          h3ou__get16(bytes + 4), WAITIO__VERSION);
    *g = (waitio__greet){.kind = bytes[6], .purpose = bytes[7], .lane = bytes[8], .verdict = bytes[9]};
    if (g->kind != kind)
        return h3ou__fail(H3OU__EPROTO, "greeting of kind %d, expected is %d", g->kind, kind);
    if (g->purpose < WAITIO__FOR_JOIN || g->purpose > WAITIO__FOR_KING || g->verdict > WAITIO__UNFIT)
        return h3ou__fail(H3OU__EPROTO, "greeting with purpose %d and verdict %d", g->purpose, g->verdict);
    g->flags = h3ou__get16(bytes + 10);
    g->source = (int32_t)h3ou__get32(bytes + 12);
    g->target = (int32_t)h3ou__get32(bytes + 16);
    g->epoch = h3ou__get32(bytes + 20);
    g->received = h3ou__get64(bytes + 24);
    g->credit = h3ou__get64(bytes + 32);
    memcpy(g->nonce, bytes + 40, WAITIO__KEY);
    memcpy(g->mac, bytes + MAC_AT, WAITIO__KEY);
    memcpy(g->name, bytes + 104, WAITIO__GREET_NAME);
    for (char *c = g->name; *c; c++)
        if ((unsigned char)*c < 32 || *c == 127)
            *c = '?'; /* the name is shown in error sentences */
    return H3OU__OK;
}

/* Computes the MAC over the bytes as they are sent, not over what they mean. */
static void compute_mac(const waitio__greeting *g, const unsigned char message[WAITIO__GREET],
                        unsigned char mac[WAITIO__KEY])
{
    unsigned char bytes[WAITIO__GREET];
    memcpy(bytes, message, sizeof bytes);
    memset(bytes + MAC_AT, 0, WAITIO__KEY);
    waitio__key_mac(&g->key, bytes, sizeof bytes, g->nonce[0], WAITIO__KEY, g->nonce[1], WAITIO__KEY, mac);
}

/* Moves g to the list of ended greetings, which are freed after the hub's turn: callers on the stack may still use g.
 */
static void greeting_end(waitio__greeting *g)
{
    waitio__greetings *all = g->all;
    if (g->is_dead)
        return;
    g->is_dead = true;
    waitio__hub_remove(g->hub, &g->source);
    waitio__greeting **place = &all->alive;
    while (*place != g)
        place = &(*place)->next;
    *place = g->next;
    g->next = all->dead;
    all->dead = g;
    all->n--;
    all->nguests -= !g->is_mine;
}

static void greeting_fail(waitio__greeting *g, int code)
{
    char text[H3OU__ERROR_TEXT];
    if (g->is_dead)
        return;
    memcpy(text, h3ou__fail_text(), sizeof text);
    greeting_end(g);
    g->link.conduit->close(&g->link);
    if (!g->is_mine && code == H3OU__EPROTO) {
        g->all->strangers++;
        h3ou__log(H3OU__LOG_WHISPER, "stranger_refused", "reason=\"%s\"", text);
    }
    h3ou__fail(code, "%s", text);
    g->ops->failed(g->owner, g, code);
}

static void greeting_write(waitio__greeting *g)
{
    while (g->out_left && !g->is_dead) {
        struct iovec v = {g->out + WAITIO__GREET - g->out_left, g->out_left};
        size_t moved = 0;
        int code = g->link.conduit->writev(&g->link, &v, 1, &moved);
        if (code < 0)
            greeting_fail(g, code);
        if (code)
            break;
        g->out_left -= (unsigned)moved;
    }
    if (!g->is_dead)
        waitio__hub_want(g->hub, &g->source, g->out_left > 0);
}

static void message_send(waitio__greeting *g, const waitio__greet *message)
{
    waitio__greet_put(message, g->out);
    if (message->kind != WAITIO__HELLO)
        compute_mac(g, g->out, g->out + MAC_AT);
    g->out_left = WAITIO__GREET;
    greeting_write(g);
}

static void send_hello(waitio__greeting *g)
{
    waitio__random(g->nonce[0], WAITIO__KEY);
    g->hello.kind = WAITIO__HELLO;
    memcpy(g->hello.nonce, g->nonce[0], WAITIO__KEY);
    g->step = WAITIO__CHALLENGE;
    message_send(g, &g->hello);
}

/* Returns whether the processes and the purpose in a message are those of the HELLO. */
static bool is_same_greeting(const waitio__greet *a, const waitio__greet *b)
{
    return a->source == b->source && a->target == b->target && a->purpose == b->purpose && a->lane == b->lane;
}

static int message_verify(waitio__greeting *g, const waitio__greet *message)
{
    unsigned char mac[WAITIO__KEY];
    compute_mac(g, g->got, mac);
    if (!is_same_greeting(message, &g->hello))
        return h3ou__fail(H3OU__EPROTO, "a greeting that belongs to another connection");
    g->has_other_secret = !waitio__key_same(mac, message->mac);
    if (g->has_other_secret)
        return h3ou__fail(H3OU__EPROTO, "a process of another run, or with another secret (WAITIO_SECRET_FILE, "
                                        "~/.waitio/secret)");
    return H3OU__OK;
}

static int got_hello(waitio__greeting *g, const waitio__greet *m)
{
    g->hello = *m;
    const waitio__key *key = g->ops->key(g->owner, m);
    if (!key)
        return H3OU__EPROTO;
    g->key = *key;
    memcpy(g->nonce[0], m->nonce, WAITIO__KEY);
    waitio__random(g->nonce[1], WAITIO__KEY);
    g->mine = (waitio__greet){
        .kind = WAITIO__CHALLENGE, .purpose = m->purpose, .lane = m->lane, .source = m->source, .target = m->target};
    memcpy(g->mine.nonce, g->nonce[1], WAITIO__KEY);
    g->step = WAITIO__PROOF;
    message_send(g, &g->mine);
    return H3OU__OK;
}

static int got_challenge(waitio__greeting *g, const waitio__greet *m)
{
    memcpy(g->nonce[1], m->nonce, WAITIO__KEY);
    int code = message_verify(g, m);
    if (code)
        return code;
    g->mine = g->hello;
    g->mine.kind = WAITIO__PROOF;
    memset(g->mine.nonce, 0, WAITIO__KEY);
    g->ops->speak(g->owner, &g->mine);
    g->step = WAITIO__VERDICT;
    message_send(g, &g->mine);
    return H3OU__OK;
}

static void greeting_finish(waitio__greeting *g, int verdict)
{
    waitio__link link = g->link;
    greeting_end(g);
    if (verdict != WAITIO__TAKEN)
        link.conduit->close(&link);
    g->ops->greeted(g->owner, g, &g->other, &link);
}

/* Returns an error if the opener has given the connection up: it sends nothing between its PROOF and the VERDICT, so
 * that only the end of the connection can be read now. Bytes that are sent on it would be lost. */
static int check_still_open(waitio__greeting *g)
{
    unsigned char byte;
    struct iovec v = {&byte, 1};
    size_t moved = 0;
    int code = g->link.conduit->readv(&g->link, &v, 1, &moved);
    if (code == WAITIO__AGAIN)
        return H3OU__OK;
    if (code == WAITIO__EOF)
        return h3ou__fail(H3OU__EPEER, "the other end has given this connection up");
    return code ? code : h3ou__fail(H3OU__EPROTO, "bytes between the proof and the verdict");
}

static int got_proof(waitio__greeting *g, const waitio__greet *m)
{
    int code = message_verify(g, m);
    if (!code)
        code = check_still_open(g);
    if (code)
        return code;
    g->other = *m;
    memset(g->mine.nonce, 0, WAITIO__KEY);
    g->mine.kind = WAITIO__VERDICT;
    g->ops->judge(g->owner, m, &g->mine);
    g->step = 0;
    message_send(g, &g->mine);
    return H3OU__OK;
}

static int got_verdict(waitio__greeting *g, const waitio__greet *m)
{
    int code = message_verify(g, m);
    if (code)
        return code;
    g->other = *m;
    greeting_finish(g, m->verdict);
    return H3OU__OK;
}

static void message_handle(waitio__greeting *g)
{
    static int (*const got[])(waitio__greeting *, const waitio__greet *) = {NULL, got_hello, got_challenge, got_proof,
                                                                            got_verdict};
    waitio__greet m;
    int code = waitio__greet_get(g->got, g->step, &m);
    g->ngot = 0;
    if (!code)
        code = got[g->step](g, &m);
    if (code)
        greeting_fail(g, code);
}

/* Reads no more than the bytes of the next message: those that follow belong to the stream of frames. */
static void greeting_read(waitio__greeting *g)
{
    while (!g->is_dead && g->step) {
        struct iovec v = {g->got + g->ngot, WAITIO__GREET - g->ngot};
        size_t moved = 0;
        int code = g->link.conduit->readv(&g->link, &v, 1, &moved);
        if (code == WAITIO__AGAIN)
            return;
        if (code) {
            greeting_fail(g,
                          code == WAITIO__EOF ? h3ou__fail(H3OU__EPEER, "the other end closed the connection") : code);
            return;
        }
        g->ngot += (unsigned)moved;
        /* Bytes of another protocol are recognised before a whole message has come. */
        if (g->ngot >= 4 && h3ou__get32(g->got) != magic)
            greeting_fail(g, h3ou__fail(H3OU__EPROTO, "bytes that do not begin as WaitIO's do"));
        else if (g->ngot == WAITIO__GREET)
            message_handle(g);
    }
}

static void greeting_ready(waitio__source *source, bool readable, bool writable)
{
    waitio__greeting *g = (waitio__greeting *)source;
    if (g->is_dead)
        return;
    if (g->is_connecting) {
        int code = g->link.conduit->opened(&g->link);
        if (code < 0)
            greeting_fail(g, code);
        if (code)
            return;
        g->is_connecting = false;
        waitio__hub_want(g->hub, &g->source, false);
        send_hello(g);
    }
    if (writable && g->out_left)
        greeting_write(g);
    if (!g->is_dead && readable)
        greeting_read(g);
    if (!g->is_dead && !g->step && !g->out_left)
        greeting_finish(g, g->mine.verdict);
}

void waitio__greeting_poll(waitio__greeting *g)
{
    if (!g->is_connecting)
        greeting_ready(&g->source, true, false);
}

static waitio__greeting *greeting_new(waitio__greetings *all, waitio__link *link, bool connecting,
                                      const waitio__greeting_ops *ops, void *owner)
{
    waitio__greeting *g = waitio__memory_take(all->hub->memory, WAITIO__USE_LINKS, sizeof *g);
    if (!g) {
        link->conduit->close(link);
        return NULL;
    }
    *g = (waitio__greeting){.source = {.ready = greeting_ready, .round = -1},
                            .hub = all->hub,
                            .all = all,
                            .link = *link,
                            .ops = ops,
                            .owner = owner,
                            .is_mine = connecting,
                            .is_connecting = connecting,
                            .since = h3ou__now()};
    if (waitio__hub_add(all->hub, &g->source, &g->link, connecting)) {
        link->conduit->close(link);
        waitio__memory_give(all->hub->memory, WAITIO__USE_LINKS, g, sizeof *g);
        return NULL;
    }
    g->next = all->alive;
    all->alive = g;
    all->n++;
    all->nguests += !g->is_mine;
    return g;
}

waitio__greeting *waitio__greeting_open(waitio__greetings *all, waitio__link *link, const waitio__greet *hello,
                                        const waitio__key *key, const waitio__greeting_ops *ops, void *owner)
{
    waitio__greeting *g = greeting_new(all, link, true, ops, owner);
    if (!g)
        return NULL;
    g->hello = *hello;
    g->key = *key;
    g->step = WAITIO__CHALLENGE;
    return g;
}

/* Returns the oldest guest; first of those that have sent nothing, since a process that knows the protocol sends at
 * once. */
static waitio__greeting *find_oldest(const waitio__greetings *all)
{
    waitio__greeting *oldest = NULL, *silent = NULL;
    for (waitio__greeting *g = all->alive; g; g = g->next) { /* the list begins with the newest */
        if (g->is_mine)
            continue;
        oldest = g;
        if (g->step == WAITIO__HELLO)
            silent = g;
    }
    return silent ? silent : oldest;
}

/* True: there is a place for one more guest, perhaps since one that is older than `age` (s) was closed. */
static bool guest_make_room(waitio__greetings *all, double age)
{
    if (all->nguests < all->guests_most)
        return true;
    waitio__greeting *oldest = find_oldest(all);
    if (h3ou__now() - oldest->since < age)
        return false;
    h3ou__fail(H3OU__EPROTO, "too many connections that have not said who they are");
    greeting_fail(oldest, H3OU__EPROTO);
    return true;
}

static bool has_room(void *greetings)
{
    return guest_make_room(greetings, grace);
}

void waitio__greetings_open(waitio__greetings *all, waitio__hub *hub)
{
    struct rlimit limit;
    uint64_t share = getrlimit(RLIMIT_NOFILE, &limit) ? GUESTS_LEAST : (uint64_t)limit.rlim_cur / SHARE;
    share = share > GUESTS_LEAST ? share : GUESTS_LEAST;
    *all = (waitio__greetings){.hub = hub, .guests_most = share < GUESTS_MOST ? (int)share : GUESTS_MOST};
    hub->has_room = has_room;
    hub->guests = all;
}

void waitio__greeting_accept(waitio__greetings *all, waitio__link *link, const waitio__greeting_ops *ops, void *owner)
{
    guest_make_room(all, 0);
    waitio__greeting *g = greeting_new(all, link, false, ops, owner);
    if (g)
        g->step = WAITIO__HELLO;
}

bool waitio__greeting_may_be_taken(const waitio__greeting *g)
{
    return g->is_mine && g->step == WAITIO__VERDICT;
}

void waitio__greeting_drop(waitio__greeting *g)
{
    if (g->is_dead)
        return;
    greeting_end(g);
    g->link.conduit->close(&g->link);
}

void waitio__greetings_tick(waitio__greetings *all, double now)
{
    for (waitio__greeting *g = all->alive, *next; g; g = next) {
        next = g->next;
        if (g->is_mine || now - g->since <= silence)
            continue;
        greeting_fail(g, h3ou__fail(H3OU__EPROTO, "it did not say who it is within %g s", silence));
        next = all->alive; /* the handlers may have dropped other greetings */
    }
}

void waitio__greetings_free_dead(waitio__greetings *all)
{
    while (all->dead) {
        waitio__greeting *g = all->dead;
        all->dead = g->next;
        waitio__memory_give(all->hub->memory, WAITIO__USE_LINKS, g, sizeof *g);
    }
}

void waitio__greetings_free(waitio__greetings *all)
{
    while (all->alive)
        waitio__greeting_drop(all->alive);
    waitio__greetings_free_dead(all);
}

void waitio__greeting_keys(const waitio__greeting *g, waitio__key key[2])
{
    static const char *const purpose[2] = {"seal of who opened", "seal of who accepted"};
    for (int i = 0; i < 2; i++)
        waitio__key_mac(&g->key, purpose[i], strlen(purpose[i]) + 1, g->nonce[0], WAITIO__KEY, g->nonce[1], WAITIO__KEY,
                        key[i].byte);
}
