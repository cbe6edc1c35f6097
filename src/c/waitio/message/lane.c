/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/message/frame_handlers.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"
#include "waitio/message/single_copy.h"
#include "waitio/stream/encrypted_link.h"
#include "waitio/stream/refusal.h"

/* UNANSWERED: the patience with an attempt is doubled so often. */
enum { ACK_EVERY = 256 * 1024, WRONGS = 5, QUIET = 2 /* turns */, UNANSWERED = 3 };
static const double first_pause = 0.01, longest_pause = 1; /* s, between attempts */
static const double answer_within = 5, file_answer_within = 60; /* s */

static const waitio__greeting_ops greeting_ops;

static bool feed(void *owner)
{
    waitio__lane *l = owner;
    return waitio__peer_lend_segment(l->peer, l);
}

/* A piece that was lent has arrived (or left, for good), or its lane is closed: then the request ends with the peer. */
static void done(void *item, int code)
{
    waitio__request *r = item;
    r->parts--;
    if (!code && !r->parts && r->moved == r->take && r->state == WAITIO__MOVING)
        waitio__single_copy_finish(r);
}

static void broken(void *owner, int code);
static const waitio__channel_ops ops = {
    .in = {.frame = waitio__incoming_frame, .payload = waitio__incoming_payload, .whole = waitio__incoming_whole},
    .broken = broken,
    .more = feed,
    .done = done,
};

int waitio__lane_get(waitio__peer *p, int number, waitio__lane **out)
{
    *out = p->lane[number];
    if (*out)
        return H3OU__OK;
    waitio__lane *l = waitio__memory_take(&p->in->memory, WAITIO__USE_LINKS, sizeof *l);
    if (!l)
        return H3OU__ENOMEM;
    l->peer = p;
    l->number = number;
    l->pause = first_pause;
    waitio__channel_init(&l->channel, &p->in->hub, &ops, l, true);
    l->channel.out.checks = p->in->set.checks;
    p->lane[number] = *out = l;
    return H3OU__OK;
}

static const waitio__conduit *route_of(const waitio__lane *l, int i)
{
    if (l->number == 0)
        return l->peer->in->set.route[i];
    if (i)
        return NULL;
    return l->number == WAITIO__LANES - 1 ? &waitio__file : &waitio__tcp;
}

static void leave_ready(waitio__lane *l, enum waitio__lane_state state)
{
    if (l->state == WAITIO__READY)
        l->peer->in->nlanes--;
    l->state = state;
}

/* The other end has said goodbye, and waits for mine and for all before it. */
static bool is_awaited(const waitio__lane *l)
{
    const waitio__peer *p = l->peer;
    if (p->in->failed || p->failed || p->is_exiting)
        return false;
    if (l->number)
        return p->moving || waitio__outbox_waiting(&l->channel.out);
    if (p->active)
        return true;
    return l->channel.out.retains && !l->is_fragile && (!p->said_bye || l->channel.out.acked < p->bye_end);
}

static bool goes_by_tcp(const waitio__lane *l)
{
    const waitio__conduit *c;
    for (int i = 0; (c = route_of(l, i)) != NULL; i++)
        if (c == &waitio__tcp)
            return true;
    return false;
}

/* The peer refuses connections: since it has ended? */
static bool has_ended(const waitio__lane *l)
{
    waitio__instance *in = l->peer->in;
    waitio__address at;
    waitio__endpoints_address(&in->table, l->peer->global, &at);
    return waitio__refusal_proves(&in->set.conduit, goes_by_tcp(l) ? &at : NULL, l->epoch && l->channel.saw_end,
                                  l->epoch ? h3ou__now() - l->broken : -1);
}

/* What made the attempt fail; all routes have been tried. */
static void attempt_failed(waitio__lane *l, int code)
{
    waitio__peer *p = l->peer;
    snprintf(l->cause, sizeof l->cause, "%s", h3ou__fail_text());
    bool has_gone = p->heard_bye && (code == H3OU__EREFUSED || !is_awaited(l)) && !p->active;
    /* In leaving, a connection that was made only to know whether the peer lives is not missed. */
    if (has_gone || (p->in->is_leaving && !p->active && !l->epoch && waitio__channel_is_empty(&l->channel))) {
        l->state = WAITIO__IDLE;
        return;
    }
    if (code == H3OU__EREFUSED && has_ended(l)) {
        waitio__peer_lose(p, "cannot be reached", "it refuses connections, so the process has ended");
        return;
    }
    if (code == H3OU__EPROTO && ++l->wrongs >= WRONGS) {
        waitio__peer_lose(p, "cannot be reached", l->cause);
        return;
    }
    l->next_attempt = h3ou__now() + l->pause;
    bool is_soon = code == H3OU__EREFUSED && l->epoch && h3ou__now() - l->broken < waitio__refusal_grace;
    double longest = is_soon ? waitio__refusal_grace / 10 : longest_pause;
    l->pause = 2 * l->pause < longest ? 2 * l->pause : longest;
}

static void try_routes(waitio__lane *l)
{
    waitio__instance *in = l->peer->in;
    waitio__address to;
    waitio__link link;
    int code = H3OU__EREFUSED;
    const waitio__conduit *c;
    waitio__endpoints_address(&in->table, l->peer->global, &to);
    for (; (c = route_of(l, l->route)) != NULL; l->route++) {
        code = c->open(&in->set.conduit, &to, &link);
        if (code)
            continue;
        waitio__greet hello = {.purpose = WAITIO__FOR_LANE,
                               .lane = l->number,
                               .source = in->me,
                               .target = l->peer->global,
                               .epoch = l->attempts,
                               .flags = (in->set.encrypts ? WAITIO__GREET_ENCRYPT : 0)};
        l->greeting = waitio__greeting_open(&in->greetings, &link, &hello, &in->self.lane_key, &greeting_ops, l);
        if (l->greeting) {
            l->attempts++;
            h3ou__log(H3OU__LOG_LOUD, "connect", "peer=%d lane=%d route=%s", l->peer->global, l->number, c->name);
            return;
        }
        code = H3OU__ENOMEM;
    }
    attempt_failed(l, code);
}

static void attempt(waitio__lane *l)
{
    l->route = 0;
    l->since = h3ou__now();
    try_routes(l);
}

void waitio__lane_connect(waitio__lane *l)
{
    waitio__peer *p = l->peer;
    if (l->state != WAITIO__IDLE || p->failed || p->lost > 0 || p->in->failed == H3OU__ESTATE)
        return;
    l->state = WAITIO__OPENING;
    if (!(l->broken > 0))
        l->broken = h3ou__now();
    attempt(l);
}

void waitio__lane_mark_dirty(waitio__lane *l)
{
    if (l->is_dirty)
        return;
    l->is_dirty = true;
    l->next_dirty = l->peer->in->waiting.dirty;
    l->peer->in->waiting.dirty = l;
}

const double waitio__lane_close_gap = 200e-6;

/* What was kept to leave with the next message leaves; when it waited long, that did no good, and more is needed to
 * keep one the next time. */
static void learn(waitio__instance *in)
{
    if (h3ou__now() - in->coalescing.held_back > waitio__lane_close_gap) {
        in->coalescing.streak_needed = 2 * in->coalescing.streak_needed < WAITIO__STREAK_MOST
                                           ? 2 * in->coalescing.streak_needed
                                           : WAITIO__STREAK_MOST;
        in->coalescing.good_releases = 0;
    } else if (++in->coalescing.good_releases >= 256 && in->coalescing.streak_needed > WAITIO__STREAK) {
        in->coalescing.streak_needed /= 2;
        in->coalescing.good_releases = 0;
    }
    in->coalescing.held_back = 0;
}

void waitio__lanes_flush(waitio__instance *in)
{
    if (in->coalescing.held_back > 0)
        learn(in);
    while (in->waiting.dirty) {
        waitio__lane *l = in->waiting.dirty;
        in->waiting.dirty = l->next_dirty;
        l->is_dirty = false;
        waitio__channel_flush(&l->channel);
    }
}

/* A frame that is arriving does not count: its checksum may show that it must come again. */
static uint64_t safe(const waitio__lane *l)
{
    const waitio__inbox *in = &l->channel.in;
    return in->in_payload ? in->begun : in->received - in->head_got;
}

void waitio__lane_acknowledge(waitio__lane *l)
{
    waitio__peer *p = l->peer;
    uint64_t granted = l->number ? 0 : p->consumed + p->window;
    waitio__frame f = {.kind = WAITIO__ACK, .tag = (int64_t)safe(l), .id = granted};
    if (waitio__channel_put(&l->channel, &f, NULL))
        return;
    if (l->number == 0)
        p->granted = granted;
    l->told = (uint64_t)f.tag;
    waitio__lane_mark_dirty(l);
}

void waitio__lane_heard_ack(waitio__lane *l)
{
    if (safe(l) - l->told == WAITIO__FRAME)
        l->told = safe(l);
}

void waitio__lane_bytes_arrived(waitio__lane *l)
{
    l->used = l->peer->in->turn;
    if (l->channel.out.retains && safe(l) - l->told >= ACK_EVERY && l->state == WAITIO__READY)
        waitio__lane_acknowledge(l);
}

void waitio__lanes_acknowledge_owed(waitio__instance *in)
{
    while (in->waiting.owing) {
        waitio__lane *l = in->waiting.owing;
        in->waiting.owing = l->next_owing;
        l->is_owing = false;
        /* Who has agreed to rest has nothing to leave but that answer, which nobody waits for: it may never leave. */
        if (l->state == WAITIO__IDLE || l->rest == WAITIO__AGREED)
            continue;
        if (l->state == WAITIO__READY && l->channel.out.retains && safe(l) > l->told)
            waitio__lane_acknowledge(l);
        l->promised = l->channel.out.end;
    }
}

static int wrap(waitio__lane *l, waitio__greeting *g, unsigned flags, waitio__link *link)
{
    waitio__key key[2];
    if (!(flags & WAITIO__GREET_ENCRYPT) || link->conduit != &waitio__tcp)
        return H3OU__OK;
    waitio__greeting_keys(g, key);
    return waitio__encrypted_link_wrap(link, WAITIO__ENCRYPTED_LONG, &key[!g->is_mine], &key[g->is_mine],
                                       &l->peer->in->memory);
}

/* The link could not be watched, and was closed: another one may go on, unless the other end will not make it. */
static void cannot_attach(waitio__lane *l)
{
    leave_ready(l, WAITIO__BROKEN);
    l->broken = h3ou__now();
    if (l->channel.out.retains)
        attempt_failed(l, H3OU__ENOMEM);
    else
        waitio__peer_out_of_memory(l->peer);
}

/* The link stands, and both know how far the stream came. */
static void stand(waitio__lane *l, waitio__greeting *g, const waitio__greet *other, unsigned flags, waitio__link *link)
{
    waitio__peer *p = l->peer;
    waitio__instance *in = p->in;
    bool is_lasting = link->conduit->is_lasting, was_mended = l->epoch > 0 && l->state == WAITIO__BROKEN;
    uint64_t resent = l->channel.out.resent;
    l->is_by_tcp = link->conduit == &waitio__tcp;
    /* Both ends compute the same number, and it is greater than that of every attempt that either has made so far. */
    l->epoch = (g->mine.epoch > other->epoch ? g->mine.epoch : other->epoch) + 1;
    if (l->attempts < l->epoch)
        l->attempts = l->epoch;
    int code = waitio__outbox_rewind(&l->channel.out, other->received);
    if (!code)
        code = wrap(l, g, flags, link);
    if (code) {
        link->conduit->close(link);
        l->cause[0] = 0;
        if (code == H3OU__ENOMEM)
            attempt_failed(l, code);
        else
            waitio__peer_lose(p, "cannot go on", h3ou__fail_text());
        return;
    }
    l->channel.out.retains = !is_lasting;
    in->counters.retransmitted_bytes += l->channel.out.resent - resent;
    in->counters.connections_opened++;
    in->counters.reconnections += was_mended;
    in->nlanes += l->state != WAITIO__READY;
    l->state = WAITIO__READY;
    l->rest = WAITIO__AWAKE;
    l->since = h3ou__now();
    l->used = in->turn;
    l->broken = 0;
    l->pause = first_pause;
    l->unanswered = 0;
    l->told = 0; /* an outbox with checksums does not take the greeting for an acknowledgement */
    if (other->credit > p->credit)
        p->credit = other->credit;
    snprintf(p->name, sizeof p->name, "%s", other->name);
    h3ou__log(was_mended ? H3OU__LOG_WHISPER : H3OU__LOG_LOUD, was_mended ? "reconnected" : "connected",
              "peer=%d lane=%d route=%s resent=%llu", p->global, l->number, link->conduit->name,
              (unsigned long long)(l->channel.out.resent - resent));
    if (waitio__channel_attach(&l->channel, link)) {
        cannot_attach(l);
        return;
    }
    if (l->number == 0)
        waitio__peer_ready(p);
    waitio__lane_mark_dirty(l);
    waitio__lanes_rest_excess(in);
}

static const waitio__key *key_for(void *owner, const waitio__greet *hello)
{
    waitio__instance *in = owner;
    bool is_mine = hello->target == in->me;
    if (is_mine && (hello->purpose == WAITIO__FOR_LANE || (hello->purpose == WAITIO__FOR_REJOIN && in->me == 0)))
        return &in->self.lane_key;
    h3ou__fail(H3OU__EPROTO, "a connection meant for another process");
    return NULL;
}

/* May the other's connection be the one? */
static int judge_lane(waitio__lane *l, const waitio__greet *proof)
{
    waitio__peer *p = l->peer;
    waitio__instance *in = p->in;
    /* What it sent before it let the old link rest has perhaps not been read. */
    while (l->rest == WAITIO__AGREED && waitio__channel_poll(&l->channel))
        ;
    /* The peer may have taken my connection after it had given up this one, and sent by it. */
    if (l->greeting)
        waitio__greeting_poll(l->greeting);
    if (p->failed || p->lost > 0)
        return WAITIO__DEPARTED;
    if (l->greeting && in->me < p->global)
        return WAITIO__CROSSED;
    /* An attempt that the peer had given up before the last link stood: nobody is at its other end. */
    if (proof->epoch < l->epoch)
        return WAITIO__CROSSED;
    if (l->is_fragile && l->epoch)
        return WAITIO__DEPARTED;
    if (l->greeting)
        waitio__greeting_drop(l->greeting);
    l->greeting = NULL;
    bool was_ready = l->state == WAITIO__READY;
    /* The other end knows that the old link is gone: from here on nothing arrives by it. */
    waitio__channel_detach(&l->channel);
    leave_ready(l, was_ready ? WAITIO__BROKEN : l->state == WAITIO__IDLE ? WAITIO__OPENING : l->state);
    l->since = h3ou__now();
    l->next_attempt = l->since + longest_pause;
    if (!(l->broken > 0))
        l->broken = l->since;
    return WAITIO__TAKEN;
}

/* What my program has taken while there was no connection counts, too: nothing else would tell of it. */
static uint64_t grant(waitio__lane *l)
{
    waitio__peer *p = l->peer;
    p->granted = p->consumed + p->window;
    return l->number ? 0 : p->granted;
}

static void judge(void *owner, const waitio__greet *proof, waitio__greet *verdict)
{
    waitio__instance *in = owner;
    waitio__peer *p;
    waitio__lane *l;
    verdict->verdict = WAITIO__TAKEN;
    if (proof->purpose == WAITIO__FOR_REJOIN)
        return;
    verdict->verdict = WAITIO__UNFIT;
    if (proof->source < 0 || proof->source >= waitio__endpoints_count(&in->table) || proof->source == in->me ||
        proof->lane >= WAITIO__LANES)
        return;
    verdict->verdict = WAITIO__CROSSED; /* without memory: it tries again a little later */
    if (waitio__peer_get(in, proof->source, &p) || waitio__lane_get(p, proof->lane, &l))
        return;
    verdict->verdict = p->failed || p->lost > 0 ? WAITIO__DEPARTED : judge_lane(l, proof);
    verdict->flags = proof->flags | (in->set.encrypts ? WAITIO__GREET_ENCRYPT : 0);
    verdict->epoch = l->attempts;
    verdict->received = l->channel.in.received;
    verdict->credit = grant(l);
    snprintf(verdict->name, sizeof verdict->name, "%s", in->self.name);
    if (verdict->verdict == WAITIO__CROSSED)
        h3ou__log(H3OU__LOG_LOUD, "crossed", "peer=%d kept=mine", p->global);
}

static void speak(void *owner, waitio__greet *proof)
{
    waitio__lane *l = owner;
    proof->received = l->channel.in.received;
    proof->credit = grant(l);
    snprintf(proof->name, sizeof proof->name, "%s", l->peer->in->self.name);
}

static void greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    waitio__lane *l = owner;
    waitio__peer *p = l->peer;
    l->greeting = NULL;
    if (p->failed || p->lost > 0) {
        if (other->verdict == WAITIO__TAKEN)
            link->conduit->close(link);
        return;
    }
    switch (other->verdict) {
    case WAITIO__TAKEN:
        stand(l, g, other, other->flags, link);
        return;
    case WAITIO__CROSSED:
        /* The peer has counted further if its verdict was lost: the next attempt gets a number that it takes. */
        if (l->attempts < other->epoch)
            l->attempts = other->epoch;
        l->next_attempt = h3ou__now() + longest_pause;
        return;
    case WAITIO__DEPARTED:
        if (p->heard_bye && !p->active)
            leave_ready(l, WAITIO__IDLE);
        else
            waitio__peer_lose(p, "cannot be reached", "it has given up this process, or left");
        return;
    default:
        h3ou__fail(H3OU__EPROTO, "another process answers there");
        attempt_failed(l, H3OU__EPROTO);
    }
}

static void guest_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    waitio__instance *in = owner;
    if (other->purpose == WAITIO__FOR_REJOIN) {
        if (in->listening.king_ops)
            in->listening.king_ops->arrived(in, g, other, link);
        else
            link->conduit->close(link);
        return;
    }
    if (g->mine.verdict != WAITIO__TAKEN)
        return;
    waitio__peer *p = waitio__int_map_get(&in->peers.by_number, other->source);
    waitio__lane *l = p ? p->lane[other->lane] : NULL;
    if (!l || p->failed || p->lost > 0) {
        link->conduit->close(link);
        return;
    }
    stand(l, g, other, g->mine.flags, link);
}

static void greeting_failed(void *owner, waitio__greeting *g, int code)
{
    waitio__lane *l = owner;
    (void)g;
    l->greeting = NULL;
    if (l->state == WAITIO__READY)
        return;
    /* Perhaps another way leads there: not when this one is the last, whose answer counts. */
    if (route_of(l, l->route) && route_of(l, l->route + 1)) {
        l->route++;
        try_routes(l);
        return;
    }
    attempt_failed(l, code);
}

static void guest_failed(void *owner, waitio__greeting *g, int code)
{
    (void)owner;
    (void)g;
    (void)code;
}

static const waitio__greeting_ops greeting_ops = {.speak = speak, .greeted = greeted, .failed = greeting_failed};
static const waitio__greeting_ops guest_ops = {
    .key = key_for, .judge = judge, .greeted = guest_greeted, .failed = guest_failed};

void waitio__lane_accept(void *instance, waitio__link *link)
{
    waitio__instance *in = instance;
    waitio__greeting_accept(&in->greetings, link, &guest_ops, in);
}

static void rested(waitio__lane *l)
{
    waitio__peer *p = l->peer;
    waitio__channel *ch = &l->channel;
    /* Of who agreed, all up to the answer has arrived; of who asked, what was acknowledged with it. */
    bool has_more = l->rest == WAITIO__AGREED ? ch->out.end > ch->last : !waitio__channel_is_empty(ch);
    leave_ready(l, WAITIO__IDLE);
    l->rest = WAITIO__AWAKE;
    ch->saw_end = false; /* closed by agreement: that says nothing about the process */
    p->in->counters.connections_rested++;
    h3ou__log(H3OU__LOG_LOUD, "rested", "peer=%d lane=%d", p->global, l->number);
    if (p->pending || p->moving || has_more)
        waitio__lane_connect(l);
}

/* The same damage again and again is no accident. */
static bool is_hopeless(waitio__lane *l, int code)
{
    if (code != H3OU__EPROTO)
        return false;
    if (l->wrong_at != l->channel.in.received)
        l->wrongs = 0;
    l->wrong_at = l->channel.in.received;
    return ++l->wrongs >= WRONGS;
}

static void broken(void *owner, int code)
{
    waitio__lane *l = owner;
    waitio__peer *p = l->peer;
    char cause[H3OU__ERROR_TEXT];
    snprintf(cause, sizeof cause, "%s", h3ou__fail_text());
    snprintf(l->cause, sizeof l->cause, "%.150s", cause);
    if (code == H3OU__ENOMEM && !p->in->failed) {
        /* What was arriving has been lost here: the stream cannot go on. */
        leave_ready(l, WAITIO__IDLE);
        waitio__peer_out_of_memory(p);
        return;
    }
    /* The other end has closed, as agreed. Any other error is one: what came by this link is not read any more. */
    if (l->rest == WAITIO__AGREED && code == H3OU__EPEER) {
        rested(l);
        return;
    }
    if (p->in->failed || (p->heard_bye && !is_awaited(l))) {
        leave_ready(l, WAITIO__IDLE);
        if (p->in->failed && !p->heard_bye)
            waitio__peer_lose(p, "died or left without goodbye", cause);
        return;
    }
    if (l->is_wrong || is_hopeless(l, code)) {
        char who[WAITIO__WHO], text[H3OU__ERROR_TEXT];
        leave_ready(l, WAITIO__IDLE);
        snprintf(text, sizeof text, "%s sent what is not of this protocol: %s", waitio__who(p->in, p->global, who),
                 cause);
        waitio__peer_fail(p, H3OU__EPROTO, text);
        return;
    }
    if (!l->channel.out.retains || l->is_fragile) {
        leave_ready(l, WAITIO__IDLE);
        waitio__peer_lose(p, p->heard_bye ? "has gone before it had taken all" : "died or left without goodbye", cause);
        return;
    }
    leave_ready(l, WAITIO__BROKEN);
    p->in->hub.is_behind = true;
    l->rest = WAITIO__AWAKE;
    l->broken = h3ou__now();
    h3ou__log(H3OU__LOG_WHISPER, "connection_broken", "peer=%d lane=%d reason=\"%s\"", p->global, l->number, cause);
    attempt(l);
}

static bool can_rest(const waitio__lane *l)
{
    const waitio__peer *p = l->peer;
    return l->state == WAITIO__READY && !p->pending && !p->moving && !l->channel.in.in_payload &&
           !waitio__outbox_waiting(&l->channel.out) && !p->said_bye && !p->heard_bye;
}

static bool say_rest(waitio__lane *l, uint64_t what)
{
    waitio__frame f = {.kind = WAITIO__REST, .group = (int32_t)l->epoch, .tag = (int64_t)safe(l), .id = what};
    if (waitio__channel_put(&l->channel, &f, NULL))
        return false;
    l->told = (uint64_t)f.tag;
    waitio__lane_mark_dirty(l);
    return true;
}

/* It was asked to rest, and does not: what has waited for the answer leaves, also the data of messages that were taken
 * meanwhile. */
static void stay_awake(waitio__lane *l)
{
    l->rest = WAITIO__AWAKE;
    waitio__peer_start_pending(l->peer);
    waitio__lane_mark_dirty(l);
}

int waitio__lane_heard_rest(waitio__lane *l, const waitio__frame *f)
{
    if (l->channel.out.retains && (f->tag < 0 || waitio__outbox_acked(&l->channel.out, (uint64_t)f->tag)))
        return h3ou__fail(H3OU__EPROTO, "bytes acknowledged that were never sent");
    if (f->group != (int32_t)l->epoch)
        return H3OU__OK; /* it speaks of an earlier connection, which was closed before this left */
    if (f->id == 0) {
        bool agreed = can_rest(l) && waitio__channel_is_empty(&l->channel);
        if (say_rest(l, agreed ? 1 : 2) && agreed) {
            l->rest = WAITIO__AGREED;
            waitio__channel_conclude(&l->channel); /* the other end closes it when it reads the answer */
        }
        l->since = h3ou__now();
        return H3OU__OK;
    }
    l->used = l->peer->in->turn;
    if (f->id == 1) {
        /* Also when something waits here, or the question was given up: the other end says no more by this link. */
        waitio__channel_detach(&l->channel);
        rested(l);
    } else if (l->rest == WAITIO__ASKED) {
        stay_awake(l);
    }
    return H3OU__OK;
}

void waitio__lanes_rest_excess(waitio__instance *in)
{
    int asked = 0;
    waitio__lane *oldest = NULL;
    if (in->nlanes <= in->set.connections_most || in->is_leaving)
        return;
    for (waitio__peer *p = in->peers.first; p; p = p->next)
        for (int i = 0; i < WAITIO__LANES; i++) {
            waitio__lane *l = p->lane[i];
            if (!l || l->state != WAITIO__READY)
                continue;
            asked += l->rest == WAITIO__ASKED;
            if (l->rest == WAITIO__AWAKE && l->used != in->turn && can_rest(l) && (!oldest || l->used < oldest->used))
                oldest = l;
        }
    if (!oldest || in->nlanes - asked <= in->set.connections_most)
        return;
    if (!say_rest(oldest, 0))
        return;
    oldest->rest = WAITIO__ASKED;
    oldest->since = h3ou__now();
}

void waitio__lane_detach(waitio__lane *l)
{
    l->receiver = NULL;
    waitio__inbox_let_go(&l->channel.in);
    l->is_fragile = true;
    if (l->channel.has_link && l->channel.link.conduit->revoke)
        l->channel.link.conduit->revoke(&l->channel.link);
    if (waitio__outbox_detach(&l->channel.out)) {
        waitio__channel_detach(&l->channel);
        leave_ready(l, WAITIO__IDLE);
    }
}

void waitio__lane_close(waitio__lane *l, int code)
{
    if (l->greeting)
        waitio__greeting_drop(l->greeting);
    l->greeting = NULL;
    leave_ready(l, WAITIO__IDLE);
    l->receiver = NULL;
    l->arrival = NULL;
    waitio__channel_free(&l->channel, code);
    free(l->text);
    l->text = NULL;
}

/* It could not be mended for as long as patience lasts. */
static void give_up(waitio__lane *l, double now)
{
    waitio__peer *p = l->peer;
    char who[WAITIO__WHO], text[H3OU__ERROR_TEXT];
    snprintf(text, sizeof text, "%s cannot be reached %s %.1f s (patience is %g s: WAITIO_PATIENCE): %s",
             waitio__who(p->in, p->global, who), l->epoch ? "any more since" : "since", now - l->broken,
             p->in->patience, *l->cause ? l->cause : "no answer");
    waitio__peer_fail(p, H3OU__ETIMEOUT, text);
}

/* An attempt that the peer does not answer; never one that it may take, whose connection the system ends when the peer
 * is gone. A peer whose system accepts connections is only busy, and the busier the more attempts come. */
static void give_up_late_attempt(waitio__lane *l, double now)
{
    double within = route_of(l, l->route) == &waitio__file ? file_answer_within : answer_within * (1 << l->unanswered);
    if (now - l->since <= within)
        return;
    waitio__greeting_poll(l->greeting); /* this process may be late, and the answer be here */
    if (!l->greeting || waitio__greeting_may_be_taken(l->greeting))
        return;
    if (!l->greeting->is_connecting && l->unanswered < UNANSWERED)
        l->unanswered++;
    waitio__greeting_drop(l->greeting);
    l->greeting = NULL;
    attempt_failed(l, h3ou__fail(H3OU__EPEER, "no answer within %g s", within));
}

void waitio__lane_tick(waitio__lane *l, double now)
{
    waitio__peer *p = l->peer;
    if (p->failed || p->lost > 0)
        return;
    if (l->state == WAITIO__READY) {
        if (l->channel.out.retains && safe(l) > l->told && !p->in->failed && l->rest != WAITIO__AGREED)
            waitio__lane_acknowledge(l);
        else if (l->used + QUIET < p->in->turn)
            waitio__outbox_settle(&l->channel.out);
        /* Who has agreed waits until the other end closes: it may be busy, and have sent something meanwhile. */
        if (l->rest == WAITIO__ASKED && now - l->since > answer_within)
            stay_awake(l);
        return;
    }
    if (l->state == WAITIO__IDLE)
        return;
    if (l->greeting)
        give_up_late_attempt(l, now);
    else if (now >= l->next_attempt)
        attempt(l);
    if (l->state != WAITIO__READY && l->epoch && now - l->broken > p->in->patience)
        give_up(l, now);
}
