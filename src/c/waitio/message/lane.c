/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/message/frame_handlers.h"
#include "waitio/message/job_loss.h"
#include "waitio/message/lane_connect.h"
#include "waitio/message/lane_rest.h"
#include "waitio/message/peer.h"
#include "waitio/message/single_copy.h"

enum { ACK_EVERY = 256 * 1024, QUIET = 2 /* turns */ };
static const double rest_answer_within = 5; /* s */

static bool lane_lend_segment(void *owner)
{
    waitio__lane *l = owner;
    return waitio__peer_lend_segment(l->peer, l);
}

/* Callback of the channel: a piece of a request has been acknowledged, or has left by a conduit that does not lose it.
 * With an error the lane is closed, and the request fails with its peer. */
static void lane_piece_done(void *item, int code)
{
    waitio__request *r = item;
    r->parts--;
    if (!code && !r->parts && r->moved == r->take && r->state == WAITIO__MOVING)
        waitio__single_copy_finish(r);
}

static void lane_broken(void *owner, int code);
static const waitio__channel_ops ops = {
    .in = {.frame = waitio__incoming_frame, .payload = waitio__incoming_payload, .whole = waitio__incoming_whole},
    .broken = lane_broken,
    .more = lane_lend_segment,
    .done = lane_piece_done,
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
    l->pause = waitio__lane_first_pause;
    waitio__channel_init(&l->channel, &p->in->hub, &ops, l, true);
    l->channel.out.checks = p->in->set.checks;
    p->lane[number] = *out = l;
    return H3OU__OK;
}

void waitio__lane_leave_ready(waitio__lane *l, enum waitio__lane_state state)
{
    if (l->state == WAITIO__READY)
        l->peer->in->nlanes--;
    l->state = state;
}

bool waitio__lane_is_awaited(const waitio__lane *l)
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

void waitio__lane_mark_dirty(waitio__lane *l)
{
    if (l->is_dirty)
        return;
    l->is_dirty = true;
    l->next_dirty = l->peer->in->waiting.dirty;
    l->peer->in->waiting.dirty = l;
}

const double waitio__lane_close_gap = 200e-6;

/* Called when messages that were kept back leave. If the first of them had waited for long, it was a mistake to keep
 * it, and a longer streak is needed before the next one is kept. */
static void lanes_adapt_streak(waitio__instance *in)
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
        lanes_adapt_streak(in);
    while (in->waiting.dirty) {
        waitio__lane *l = in->waiting.dirty;
        in->waiting.dirty = l->next_dirty;
        l->is_dirty = false;
        waitio__channel_flush(&l->channel);
    }
}

uint64_t waitio__lane_bytes_safe(const waitio__lane *l)
{
    const waitio__inbox *in = &l->channel.in;
    return in->in_payload ? in->begun : in->received - in->head_got;
}

void waitio__lane_acknowledge(waitio__lane *l)
{
    waitio__peer *p = l->peer;
    uint64_t granted = l->number ? 0 : p->consumed + p->window;
    waitio__frame f = {.kind = WAITIO__ACK, .tag = (int64_t)waitio__lane_bytes_safe(l), .id = granted};
    if (waitio__channel_put(&l->channel, &f, NULL))
        return;
    if (l->number == 0)
        p->granted = granted;
    l->told = (uint64_t)f.tag;
    waitio__lane_mark_dirty(l);
}

void waitio__lane_heard_ack(waitio__lane *l)
{
    if (waitio__lane_bytes_safe(l) - l->told == WAITIO__FRAME)
        l->told = waitio__lane_bytes_safe(l);
}

void waitio__lane_bytes_arrived(waitio__lane *l)
{
    l->used = l->peer->in->turn;
    if (l->channel.out.retains && waitio__lane_bytes_safe(l) - l->told >= ACK_EVERY && l->state == WAITIO__READY)
        waitio__lane_acknowledge(l);
}

void waitio__lanes_acknowledge_owed(waitio__instance *in)
{
    while (in->waiting.owing) {
        waitio__lane *l = in->waiting.owing;
        in->waiting.owing = l->next_owing;
        l->is_owing = false;
        /* A lane that has agreed to rest has nothing left to send but its answer, which no process waits for, so that
         * it need not leave. */
        if (l->state == WAITIO__IDLE || l->rest == WAITIO__AGREED)
            continue;
        if (l->state == WAITIO__READY && l->channel.out.retains && waitio__lane_bytes_safe(l) > l->told)
            waitio__lane_acknowledge(l);
        l->promised = l->channel.out.end;
    }
}

/* Damage that recurs at the same position of the stream is not caused by the network. */
static bool lane_is_hopeless(waitio__lane *l, int code)
{
    if (code != H3OU__EPROTO)
        return false;
    if (l->wrong_at != l->channel.in.received)
        l->wrongs = 0;
    l->wrong_at = l->channel.in.received;
    return ++l->wrongs >= WAITIO__LANE_WRONGS;
}

static void lane_broken(void *owner, int code)
{
    waitio__lane *l = owner;
    waitio__peer *p = l->peer;
    char cause[H3OU__ERROR_TEXT];
    snprintf(cause, sizeof cause, "%s", h3ou__fail_text());
    snprintf(l->cause, sizeof l->cause, "%.150s", cause);
    if (code == H3OU__ENOMEM && !p->in->failed) {
        /* This process dropped a payload that was arriving: the stream cannot continue. */
        waitio__lane_leave_ready(l, WAITIO__IDLE);
        waitio__peer_out_of_memory(p);
        return;
    }
    /* The peer has closed the link, as agreed. Any other code is an error. */
    if (l->rest == WAITIO__AGREED && code == H3OU__EPEER) {
        waitio__lane_rested(l);
        return;
    }
    if (p->in->failed || (p->heard_bye && !waitio__lane_is_awaited(l))) {
        waitio__lane_leave_ready(l, WAITIO__IDLE);
        if (p->in->failed && !p->heard_bye)
            waitio__peer_lose(p, "died or left without goodbye", cause);
        return;
    }
    if (l->is_wrong || lane_is_hopeless(l, code)) {
        char who[WAITIO__WHO], text[H3OU__ERROR_TEXT];
        waitio__lane_leave_ready(l, WAITIO__IDLE);
        snprintf(text, sizeof text, "%s sent what does not follow the protocol: %s", waitio__who(p->in, p->global, who),
                 cause);
        waitio__peer_fail(p, H3OU__EPROTO, text);
        return;
    }
    if (!l->channel.out.retains || l->is_fragile) {
        waitio__lane_leave_ready(l, WAITIO__IDLE);
        waitio__peer_lose(p, p->heard_bye ? "has gone before it had taken all" : "died or left without goodbye", cause);
        return;
    }
    waitio__lane_leave_ready(l, WAITIO__BROKEN);
    p->in->hub.is_behind = true;
    l->rest = WAITIO__AWAKE;
    l->broken = h3ou__now();
    h3ou__log(H3OU__LOG_WHISPER, "connection_broken", "peer=%d lane=%d reason=\"%s\"", p->global, l->number, cause);
    waitio__lane_attempt(l);
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
        waitio__lane_leave_ready(l, WAITIO__IDLE);
    }
}

void waitio__lane_close(waitio__lane *l, int code)
{
    if (l->greeting)
        waitio__greeting_drop(l->greeting);
    l->greeting = NULL;
    waitio__lane_leave_ready(l, WAITIO__IDLE);
    l->receiver = NULL;
    l->arrival = NULL;
    waitio__channel_free(&l->channel, code);
    free(l->text);
    l->text = NULL;
}

/* Called when no connection could be made until patience ended: the peer fails. */
static void lane_give_up(waitio__lane *l, double now)
{
    waitio__peer *p = l->peer;
    char who[WAITIO__WHO], text[H3OU__ERROR_TEXT];
    snprintf(text, sizeof text, "%s cannot be reached %s %.1f s (patience is %g s: WAITIO_PATIENCE): %s",
             waitio__who(p->in, p->global, who), l->epoch ? "any more since" : "since", now - l->broken,
             p->in->patience, *l->cause ? l->cause : "no answer");
    if (!waitio__job_loss_found(p, text))
        waitio__peer_fail(p, H3OU__ETIMEOUT, text);
}

void waitio__lane_tick(waitio__lane *l, double now)
{
    waitio__peer *p = l->peer;
    if (p->failed || p->lost > 0)
        return;
    if (l->state == WAITIO__READY) {
        if (l->channel.out.retains && waitio__lane_bytes_safe(l) > l->told && !p->in->failed &&
            l->rest != WAITIO__AGREED)
            waitio__lane_acknowledge(l);
        else if (l->used + QUIET < p->in->turn)
            waitio__outbox_settle(&l->channel.out);
        /* A lane that has agreed to rest keeps its link until the peer closes it: the peer may be busy, and have sent
         * something before it agreed. */
        if (l->rest == WAITIO__ASKED && now - l->since > rest_answer_within)
            waitio__lane_stay_awake(l);
        return;
    }
    if (l->state == WAITIO__IDLE)
        return;
    if (l->greeting)
        waitio__lane_check_attempt(l, now);
    else if (now >= l->next_attempt)
        waitio__lane_attempt(l);
    if (l->state != WAITIO__READY && l->epoch && now - l->broken > p->in->patience)
        lane_give_up(l, now);
}

bool waitio__lane_has_near_timeout(const waitio__lane *l)
{
    if (l->state == WAITIO__READY)
        return l->rest == WAITIO__ASKED;
    return l->state == WAITIO__BROKEN || (l->state == WAITIO__OPENING && !l->greeting);
}
