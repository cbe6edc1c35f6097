/* SPDX-License-Identifier: BSD-3-Clause */
#include "speaker.h"

#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "must.h"
#include "phrase.h"
#include "run.h"
#include "waitio/conduit/byte_stream.h"
#include "waitio/identity/endpoints.h"
#include "waitio/identity/encrypted_link.h"

static const waitio__key *key_of(const company *all, const waitio__greet *hello)
{
    return hello->purpose == WAITIO__FOR_JOIN ? &all->join_key : &all->lane_key;
}

static void hear(speaker *s, const waitio__frame *f)
{
    s->heard = *f;
    if (f->kind == WAITIO__RTS)
        s->from[s->nfrom++ % SPEAKER_KNOWN] = (known){.send = f->id, .length = f->length};
    for (int i = 0; f->kind == WAITIO__CTS && i < SPEAKER_KNOWN; i++)
        if (s->to[i].send == f->id) {
            s->to[i].receive = (uint64_t)f->tag;
            s->to[i].length = f->length;
        }
    if (f->kind == WAITIO__ACK && f->id > s->credit)
        s->credit = f->id;
}

/* Whatever comes is dropped, but for what the next frames may speak of. */
static int got_frame(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    (void)place;
    (void)room;
    hear(owner, f);
    return 0;
}

static int got_payload(void *owner, const waitio__frame *f)
{
    (void)owner;
    (void)f;
    return 0;
}

static void broken(void *owner, int code)
{
    speaker *s = owner;
    (void)code;
    s->talks = false;
    s->was_refused = true;
}

static void done(void *item, int code)
{
    (void)item;
    (void)code;
}

static const waitio__channel_ops channel_ops = {
    .in = {.frame = got_frame, .payload = got_payload}, .broken = broken, .done = done};

/* As tcp, but often only a piece leaves, so that others speak in the middle of a frame. */
static int dribble(waitio__link *link, const struct iovec *iov, int n, size_t *moved)
{
    struct iovec piece = iov[0];
    *moved = 0;
    if (dice(8) == 0)
        return waitio__byte_stream_writev(link, iov, n, moved);
    if (dice(8))
        return WAITIO__AGAIN;
    piece.iov_len = piece.iov_len ? 1 + dice(piece.iov_len) : 0;
    return waitio__byte_stream_writev(link, &piece, 1, moved);
}

static const waitio__conduit dribbling = {
    .name = "dribbling", .writev = dribble, .readv = waitio__byte_stream_readv, .close = waitio__byte_stream_close};

/* The two ends' streams are at the places that they have told each other. */
static void stand(speaker *s, waitio__greeting *g, const waitio__greet *other, unsigned flags, waitio__link *link)
{
    waitio__key key[2];
    waitio__outbox *out = &s->channel.out;
    waitio__greeting_keys(g, key);
    bool is_by_tcp = link->conduit == &waitio__tcp, is_sealed = s->is_control || (flags & WAITIO__GREET_ENCRYPT);
    size_t most = s->is_control ? WAITIO__ENCRYPTED_SHORT : WAITIO__ENCRYPTED_LONG;
    if (is_by_tcp && s->dribbles)
        link->conduit = &dribbling;
    if (is_by_tcp && is_sealed)
        MUST(!waitio__encrypted_link_wrap(link, most, &key[!g->is_mine], &key[g->is_mine], &s->all->memory));
    waitio__outbox_free(out, 0); /* what did not leave is forgotten */
    out->sent = out->acked = out->end = other->received;
    s->credit = other->credit > s->credit ? other->credit : s->credit;
    s->epoch = (s->epoch > other->epoch ? s->epoch : other->epoch) + 1;
    s->talks = !waitio__channel_attach(&s->channel, link);
    s->all->stood += s->talks;
}

static void tell_state(speaker *s, waitio__greet *g)
{
    g->received = s->channel.in.received;
    g->credit = s->is_control ? 0 : (uint64_t)1 << 20;
    strcpy(g->name, "a speaker");
    if (s->all->bends_greetings)
        phrase_bend_greeting(g);
    s->all->said++;
}

/* The HELLO has been heard. */
static void speak(void *owner, waitio__greet *proof)
{
    speaker *s = owner;
    s->all->said++;
    tell_state(s, proof);
}

static void greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    speaker *s = owner;
    s->greeting = NULL;
    s->was_refused = other->verdict != WAITIO__TAKEN;
    if (!s->was_refused)
        stand(s, g, other, other->flags, link);
}

static void failed(void *owner, waitio__greeting *g, int code)
{
    speaker *s = owner;
    (void)g;
    (void)code;
    s->greeting = NULL;
    s->was_refused = true;
}

static const waitio__greeting_ops calling = {.speak = speak, .greeted = greeted, .failed = failed};

/* Who is called: the stream that leads where the call comes from. */
static speaker *find(company *all, const waitio__greet *hello)
{
    for (speaker *s = all->first; s; s = s->next)
        if (s->hello.purpose == hello->purpose && s->hello.lane == hello->lane && s->hello.source == hello->target &&
            s->hello.target == hello->source)
            return s;
    waitio__greet mine = {
        .purpose = hello->purpose, .lane = hello->lane, .source = hello->target, .target = hello->source};
    return speaker_new(all, &mine);
}

static const waitio__key *heard_key(void *owner, const waitio__greet *hello)
{
    const company *all = owner;
    return key_of(all, hello);
}

static void judge(void *owner, const waitio__greet *proof, waitio__greet *verdict)
{
    company *all = owner;
    verdict->verdict = dice(8) ? WAITIO__TAKEN : (int)dice(WAITIO__UNFIT + 1);
    verdict->flags = proof->flags;
    verdict->epoch = proof->epoch;
    tell_state(find(all, proof), verdict);
}

static void heard_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    if (g->mine.verdict != WAITIO__TAKEN)
        return;
    speaker *s = find(owner, other);
    waitio__channel_detach(&s->channel);
    stand(s, g, other, g->mine.flags, link);
}

static void heard_failed(void *owner, waitio__greeting *g, int code)
{
    (void)owner;
    (void)g;
    (void)code;
}

void company_hear(void *owner, waitio__link *link)
{
    static const waitio__greeting_ops hearing = {
        .key = heard_key, .judge = judge, .greeted = heard_greeted, .failed = heard_failed};
    company *all = owner;
    waitio__greeting_accept(&all->greetings, link, &hearing, all);
}

void company_open(company *all, const waitio__key *lane_key, const waitio__key *join_key)
{
    memset(all, 0, sizeof *all);
    MUST(!waitio__hub_open(&all->hub, &all->memory));
    waitio__greetings_open(&all->greetings, &all->hub);
    all->lane_key = *lane_key;
    all->join_key = *join_key;
    all->bends_one_in = 12;
}

void company_turn(company *all)
{
    for (speaker *s = all->first; s; s = s->next)
        waitio__channel_flush(&s->channel);
    waitio__hub_turn(&all->hub, 0);
    waitio__greetings_free_dead(&all->greetings);
}

void company_clear(company *all)
{
    waitio__greetings_free(&all->greetings);
    while (all->first) {
        speaker *s = all->first;
        all->first = s->next;
        waitio__channel_free(&s->channel, 0);
        free(s);
    }
}

void company_close(company *all)
{
    company_clear(all);
    waitio__hub_close(&all->hub);
    waitio__memory_free(&all->memory);
}

speaker *speaker_new(company *all, const waitio__greet *hello)
{
    speaker *s = calloc(1, sizeof *s);
    MUST(s);
    s->all = all;
    s->hello = *hello;
    s->is_control = hello->purpose != WAITIO__FOR_LANE;
    s->dribbles = dice(4);
    waitio__channel_init(&s->channel, &all->hub, &channel_ops, s, false);
    s->next = all->first;
    all->first = s;
    return s;
}

void speaker_hang_up(speaker *s)
{
    if (s->greeting)
        waitio__greeting_drop(s->greeting);
    s->greeting = NULL;
    waitio__channel_detach(&s->channel);
    s->talks = false;
}

void speaker_call(speaker *s, waitio__link *link)
{
    company *all = s->all;
    waitio__greet hello = s->hello;
    speaker_hang_up(s);
    hello.epoch = (uint32_t)s->epoch;
    hello.flags = all->encrypts ? WAITIO__GREET_ENCRYPT : 0;
    if (all->bends_greetings)
        phrase_bend_hello(&hello, all->honest);
    s->was_refused = false;
    s->greeting = waitio__greeting_open(&all->greetings, link, &hello, key_of(all, &hello), &calling, s);
    MUST(s->greeting);
}

/* Past the outbox: its number, its length and its checksum are what the frame says, right or wrong. */
static void say_raw(speaker *s, const waitio__frame *f, const unsigned char *payload, size_t n)
{
    unsigned char head[WAITIO__FRAME];
    struct iovec v[2] = {{head, sizeof head}, {(void *)payload, n}};
    size_t moved = 0;
    waitio__frame_put(f, head);
    if (dice(4) == 0)
        head[dice(sizeof head)] ^= (unsigned char)(1u << dice(8));
    if (dice(4) == 0)
        v[0].iov_len = dice(sizeof head + 1);
    if (s->channel.has_link && !waitio__outbox_waiting(&s->channel.out))
        s->channel.link.conduit->writev(&s->channel.link, v, n ? 2 : 1, &moved);
}

/* Addresses that lead to nobody, whatever they are taken for: what processes are told they may connect to. */
static void fill_addresses(unsigned char *bytes, size_t n)
{
    for (size_t at = WAITIO__SALT; at + WAITIO__ADDRESS <= n; at += WAITIO__ADDRESS) {
        waitio__address a = {.ip = {[10] = 255, [11] = 255, [12] = 127, [15] = 1}, .port = (uint16_t)(1 + dice(1000))};
        waitio__endpoint_put(&a, bytes + at);
    }
}

void speaker_say(speaker *s)
{
    static unsigned char payload[WAITIO__PAYLOAD_MOST];
    waitio__frame f;
    bool is_bent = phrase_next(s, &f);
    uint64_t n = waitio__frame_payload(&f);
    bool is_text = f.kind == WAITIO__ABORT || f.kind == WAITIO__REFUSED;
    s->all->said++;
    if (s->is_control && !is_text)
        fill_addresses(payload, 4000);
    else if (is_text || dice(16) == 0)
        fill_pattern((char *)payload, 4000, dice(UINT64_MAX));
    if (n > sizeof payload || (is_bent && !is_text && dice(6) == 0)) {
        f.seq = s->channel.out.seq + (dice(3) ? 0 : dice(5) - 2);
        say_raw(s, &f, payload, n > 3000 ? dice(3000) : n);
        return;
    }
    s->channel.out.checks = dice(8) == 0;
    MUST(!waitio__channel_send(&s->channel, &f, payload));
}
