/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/lane_connect.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/conduit/refusal.h"
#include "waitio/identity/encrypted_link.h"
#include "waitio/message/job_loss.h"
#include "waitio/message/lane_rest.h"
#include "waitio/message/peer.h"

/* The time that an attempt is given to be answered is doubled so often. */
enum { UNANSWERED = 3 };
const double waitio__lane_first_pause = 0.01;
static const double longest_pause = 1;                          /* s, between attempts */
static const double answer_within = 5, file_answer_within = 60; /* s */

static const waitio__greeting_ops greeting_ops;

static const waitio__conduit *lane_route(const waitio__lane *l, int i)
{
    if (l->number == 0)
        return l->peer->in->set.route[i];
    if (i)
        return NULL;
    return l->number == WAITIO__LANES - 1 ? &waitio__file : &waitio__tcp;
}

static bool lane_goes_by_tcp(const waitio__lane *l)
{
    const waitio__conduit *c;
    for (int i = 0; (c = lane_route(l, i)) != NULL; i++)
        if (c == &waitio__tcp)
            return true;
    return false;
}

/* Called when the peer refuses connections: decides whether this proves that its process has ended. */
static bool lane_peer_has_ended(const waitio__lane *l)
{
    waitio__instance *in = l->peer->in;
    waitio__address at;
    waitio__endpoints_address(&in->table, l->peer->global, &at);
    return waitio__refusal_proves(&in->set.conduit, lane_goes_by_tcp(l) ? &at : NULL, l->epoch && l->channel.saw_end,
                                  l->epoch ? h3ou__now() - l->broken : -1);
}

/* A connection to a process of this job that is wanted only to tell it of a loss: it has left, or its launcher ends the
 * job. */
static bool is_only_to_tell(const waitio__lane *l)
{
    int pb, rank;
    const waitio__peer *p = l->peer;
    if (!p->is_owed_losses || p->active || l->epoch)
        return false;
    waitio__endpoints_find(&p->in->table, p->global, &pb, &rank);
    return pb == p->in->set.pbid;
}

/* Called when all routes have been tried; code and the recorded sentence say why the last one failed. */
static void lane_attempt_failed(waitio__lane *l, int code)
{
    waitio__peer *p = l->peer;
    snprintf(l->cause, sizeof l->cause, "%s", h3ou__fail_text());
    bool has_gone = p->heard_bye && (code == H3OU__EREFUSED || !waitio__lane_is_awaited(l)) && !p->active;
    /* A process that leaves does not need a connection that was wanted only to know whether the peer lives. */
    if (has_gone || (p->in->is_leaving && !p->active && !l->epoch && waitio__channel_is_empty(&l->channel))) {
        l->state = WAITIO__IDLE;
        return;
    }
    if (code == H3OU__EREFUSED && is_only_to_tell(l)) {
        p->is_owed_losses = false;
        l->state = WAITIO__IDLE;
        return;
    }
    if (code == H3OU__EREFUSED && lane_peer_has_ended(l)) {
        waitio__peer_lose(p, "cannot be reached", "it refuses connections, so the process has ended");
        return;
    }
    if (code == H3OU__EPROTO && ++l->wrongs >= WAITIO__LANE_WRONGS) {
        waitio__peer_lose(p, "cannot be reached", l->cause);
        return;
    }
    l->next_attempt = h3ou__now() + l->pause;
    bool is_soon = code == H3OU__EREFUSED && l->epoch && h3ou__now() - l->broken < waitio__refusal_grace;
    double longest = is_soon ? waitio__refusal_grace / 10 : longest_pause;
    l->pause = 2 * l->pause < longest ? 2 * l->pause : longest;
}

static void lane_try_routes(waitio__lane *l)
{
    waitio__instance *in = l->peer->in;
    waitio__address to;
    waitio__link link;
    int code = H3OU__EREFUSED;
    const waitio__conduit *c;
    waitio__endpoints_address(&in->table, l->peer->global, &to);
    for (; (c = lane_route(l, l->route)) != NULL; l->route++) {
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
    lane_attempt_failed(l, code);
}

void waitio__lane_attempt(waitio__lane *l)
{
    l->route = 0;
    l->since = h3ou__now();
    lane_try_routes(l);
}

void waitio__lane_connect(waitio__lane *l)
{
    waitio__peer *p = l->peer;
    if (l->state != WAITIO__IDLE || p->failed || p->lost > 0 || p->in->failed == H3OU__ESTATE)
        return;
    l->state = WAITIO__OPENING;
    if (!(l->broken > 0))
        l->broken = h3ou__now();
    waitio__lane_attempt(l);
}

/* An attempt that the peer may still take is never dropped: the system ends its connection when the peer is gone. A
 * peer whose system accepts connections is only busy, and is made busier by more attempts. */
void waitio__lane_check_attempt(waitio__lane *l, double now)
{
    double within =
        lane_route(l, l->route) == &waitio__file ? file_answer_within : answer_within * (1 << l->unanswered);
    if (now - l->since <= within)
        return;
    waitio__greeting_poll(l->greeting); /* the answer may have arrived while this process was busy */
    if (!l->greeting || waitio__greeting_may_be_taken(l->greeting))
        return;
    if (!l->greeting->is_connecting && l->unanswered < UNANSWERED)
        l->unanswered++;
    waitio__greeting_drop(l->greeting);
    l->greeting = NULL;
    lane_attempt_failed(l, h3ou__fail(H3OU__EPEER, "no answer within %g s", within));
}

static int lane_encrypt(waitio__lane *l, waitio__greeting *g, unsigned flags, waitio__link *link)
{
    waitio__key key[2];
    if (!(flags & WAITIO__GREET_ENCRYPT) || !link->conduit->may_encrypt)
        return H3OU__OK;
    waitio__greeting_keys(g, key);
    return waitio__encrypted_link_wrap(link, WAITIO__ENCRYPTED_LONG, &key[!g->is_mine], &key[g->is_mine],
                                       &l->peer->in->memory);
}

/* The link could not be watched and was closed. The stream can go on over another one, unless the conduit is one on
 * which nothing is sent again, so that the peer will not make another. */
static void lane_attach_failed(waitio__lane *l)
{
    waitio__lane_leave_ready(l, WAITIO__BROKEN);
    l->broken = h3ou__now();
    if (l->channel.out.retains)
        lane_attempt_failed(l, H3OU__ENOMEM);
    else
        waitio__peer_out_of_memory(l->peer);
}

/* The greeting has ended: both ends take the link, and know how many bytes of the stream the other has received. */
static void lane_take_link(waitio__lane *l, waitio__greeting *g, const waitio__greet *other, unsigned flags,
                           waitio__link *link)
{
    waitio__peer *p = l->peer;
    waitio__instance *in = p->in;
    bool is_lasting = link->conduit->is_lasting, was_mended = l->epoch > 0 && l->state == WAITIO__BROKEN;
    uint64_t resent = l->channel.out.resent;
    for (unsigned char i = 0; waitio__conduits[i]; i++)
        if (waitio__conduits[i] == link->conduit)
            l->by = i + 1;
    /* Both ends compute the same number, and it is greater than that of every attempt that either has made so far. */
    l->epoch = (g->mine.epoch > other->epoch ? g->mine.epoch : other->epoch) + 1;
    if (l->attempts < l->epoch)
        l->attempts = l->epoch;
    int code = waitio__outbox_rewind(&l->channel.out, other->received);
    if (!code)
        code = lane_encrypt(l, g, flags, link);
    if (code) {
        link->conduit->close(link);
        l->cause[0] = 0;
        if (code == H3OU__ENOMEM)
            lane_attempt_failed(l, code);
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
    l->pause = waitio__lane_first_pause;
    l->unanswered = 0;
    l->told = 0; /* an outbox with checksums does not count the greeting as an acknowledgement */
    if (other->credit > p->credit)
        p->credit = other->credit;
    snprintf(p->name, sizeof p->name, "%s", other->name);
    h3ou__log(was_mended ? H3OU__LOG_WHISPER : H3OU__LOG_LOUD, was_mended ? "reconnected" : "connected",
              "peer=%d lane=%d route=%s resent=%llu", p->global, l->number, link->conduit->name,
              (unsigned long long)(l->channel.out.resent - resent));
    if (waitio__channel_attach(&l->channel, link)) {
        lane_attach_failed(l);
        return;
    }
    if (l->number == 0)
        waitio__peer_ready(p);
    waitio__lane_mark_dirty(l);
    waitio__lanes_rest_excess(in);
}

/* Returns the credit to tell the peer in a greeting. It includes what the program has received while there was no
 * connection, since no ACK could tell the peer of that. */
static uint64_t lane_grant_credit(waitio__lane *l)
{
    waitio__peer *p = l->peer;
    p->granted = p->consumed + p->window;
    return l->number ? 0 : p->granted;
}

static void lane_speak(void *owner, waitio__greet *proof)
{
    waitio__lane *l = owner;
    proof->received = l->channel.in.received;
    proof->credit = lane_grant_credit(l);
    snprintf(proof->name, sizeof proof->name, "%s", l->peer->in->self.name);
}

static void lane_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
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
        lane_take_link(l, g, other, other->flags, link);
        return;
    case WAITIO__CROSSED:
        /* If an earlier verdict was lost, the peer has counted further: the next attempt gets a number that it accepts.
         */
        if (l->attempts < other->epoch)
            l->attempts = other->epoch;
        l->next_attempt = h3ou__now() + longest_pause;
        return;
    case WAITIO__DEPARTED:
        if (p->heard_bye && !p->active)
            waitio__lane_leave_ready(l, WAITIO__IDLE);
        else
            waitio__peer_lose(p, "cannot be reached", "it has given up this process, or left");
        return;
    default:
        h3ou__fail(H3OU__EPROTO, "another process answers at the address");
        lane_attempt_failed(l, H3OU__EPROTO);
    }
}

static void lane_greeting_failed(void *owner, waitio__greeting *g, int code)
{
    waitio__lane *l = owner;
    (void)g;
    l->greeting = NULL;
    if (l->state == WAITIO__READY)
        return;
    /* Tries the next route. When this one was the last, its failure is that of the attempt. */
    if (lane_route(l, l->route) && lane_route(l, l->route + 1)) {
        l->route++;
        lane_try_routes(l);
        return;
    }
    lane_attempt_failed(l, code);
}

static const waitio__greeting_ops greeting_ops = {
    .speak = lane_speak, .greeted = lane_greeted, .failed = lane_greeting_failed};

static const waitio__key *guest_key(void *owner, const waitio__greet *hello)
{
    waitio__instance *in = owner;
    bool is_mine = hello->target == in->me;
    if (is_mine && (hello->purpose == WAITIO__FOR_LANE || (hello->purpose == WAITIO__FOR_REJOIN && in->me == 0)))
        return &in->self.lane_key;
    h3ou__fail(H3OU__EPROTO, "a connection meant for another process");
    return NULL;
}

/* Decides whether the connection that the peer offers becomes the lane's. Returns the verdict for the greeting. */
static int lane_judge(waitio__lane *l, const waitio__greet *proof)
{
    waitio__peer *p = l->peer;
    waitio__instance *in = p->in;
    /* What the peer sent before the old connection came to rest has perhaps not been read. */
    while (l->rest == WAITIO__AGREED && waitio__channel_poll(&l->channel))
        ;
    /* The peer may have given up this connection meanwhile, taken the one that this process offered, and sent by it. */
    if (l->greeting)
        waitio__greeting_poll(l->greeting);
    if (p->failed || p->lost > 0)
        return WAITIO__DEPARTED;
    if (l->greeting && in->me < p->global)
        return WAITIO__CROSSED;
    /* The peer had given up this attempt before the last link was made: nobody is at its other end. */
    if (proof->epoch < l->epoch)
        return WAITIO__CROSSED;
    if (l->is_fragile && l->epoch)
        return WAITIO__DEPARTED;
    if (l->greeting)
        waitio__greeting_drop(l->greeting);
    l->greeting = NULL;
    bool was_ready = l->state == WAITIO__READY;
    /* The peer knows that the old link is gone: from here on nothing arrives by it. */
    waitio__channel_detach(&l->channel);
    waitio__lane_leave_ready(l, was_ready ? WAITIO__BROKEN : l->state == WAITIO__IDLE ? WAITIO__OPENING : l->state);
    l->since = h3ou__now();
    l->next_attempt = l->since + longest_pause;
    if (!(l->broken > 0))
        l->broken = l->since;
    return WAITIO__TAKEN;
}

static void guest_judge(void *owner, const waitio__greet *proof, waitio__greet *verdict)
{
    waitio__instance *in = owner;
    waitio__peer *p;
    waitio__lane *l;
    verdict->verdict = WAITIO__TAKEN;
    if (proof->purpose == WAITIO__FOR_REJOIN) {
        if (waitio__job_loss_is_known(in, proof->source))
            verdict->verdict = WAITIO__DEPARTED;
        return;
    }
    verdict->verdict = WAITIO__UNFIT;
    if (proof->source < 0 || proof->source >= waitio__endpoints_count(&in->table) || proof->source == in->me ||
        proof->lane >= WAITIO__LANES)
        return;
    verdict->verdict = WAITIO__CROSSED; /* no memory for a peer or a lane: it tries again a little later */
    if (waitio__peer_get(in, proof->source, &p) || waitio__lane_get(p, proof->lane, &l))
        return;
    verdict->verdict = p->failed || p->lost > 0 ? WAITIO__DEPARTED : lane_judge(l, proof);
    verdict->flags = proof->flags | (in->set.encrypts ? WAITIO__GREET_ENCRYPT : 0);
    verdict->epoch = l->attempts;
    verdict->received = l->channel.in.received;
    verdict->credit = lane_grant_credit(l);
    snprintf(verdict->name, sizeof verdict->name, "%s", in->self.name);
    if (verdict->verdict == WAITIO__CROSSED)
        h3ou__log(H3OU__LOG_LOUD, "crossed", "peer=%d kept=mine", p->global);
}

static void guest_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    waitio__instance *in = owner;
    if (other->purpose == WAITIO__FOR_REJOIN) {
        if (g->mine.verdict != WAITIO__TAKEN)
            return;
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
    lane_take_link(l, g, other, g->mine.flags, link);
}

static void guest_failed(void *owner, waitio__greeting *g, int code)
{
    (void)owner;
    (void)g;
    (void)code;
}

static const waitio__greeting_ops guest_ops = {
    .key = guest_key, .judge = guest_judge, .greeted = guest_greeted, .failed = guest_failed};

void waitio__lane_accept(void *instance, waitio__link *link)
{
    waitio__instance *in = instance;
    waitio__greeting_accept(&in->greetings, link, &guest_ops, in);
}
