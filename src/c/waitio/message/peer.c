/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/message/frame_handlers.h"
#include "waitio/message/group.h"
#include "waitio/message/job_loss.h"
#include "waitio/message/lane_connect.h"
#include "waitio/message/match.h"
#include "waitio/message/single_copy.h"

/* Messages up to COPY bytes are copied, so that their send is complete at once although they may have to be sent again.
 * On a lasting link nothing is sent again: there only messages are copied for which this is cheaper than borrowing. */
enum { COPY = 16384, COPY_LASTING = 1024, WINDOW_LEAST = 4096, SHARES = 32, LONG_FOR_STREAMS = 1 << 20 };

static const double grace = 0.3;     /* s: grace period; a lost peer fails then, unless an ABORT says why */
static const double unconnected = 1; /* s: after it a receive connects to its sender, to see whether it lives */

/* Grants a peer its first credit: less if there are many peers already. */
static void grant_first(waitio__instance *in, waitio__peer *p)
{
    uint64_t rest = in->set.unexpected > in->unexpected.granted ? in->set.unexpected - in->unexpected.granted : 0;
    p->window = rest / SHARES < in->set.credit ? rest / SHARES : in->set.credit;
    if (p->window < WINDOW_LEAST)
        p->window = WINDOW_LEAST;
    p->granted = p->window;
    in->unexpected.granted += p->window;
}

int waitio__peer_get(waitio__instance *in, int global, waitio__peer **out)
{
    *out = waitio__int_map_get(&in->peers.by_number, global);
    if (*out)
        return H3OU__OK;
    waitio__peer *p = waitio__memory_take(&in->memory, WAITIO__USE_PEERS, sizeof *p);
    if (!p)
        return H3OU__ENOMEM;
    int code = waitio__int_map_put(&in->peers.by_number, global, p, &in->memory);
    if (code) {
        waitio__memory_give(&in->memory, WAITIO__USE_PEERS, p, sizeof *p);
        return code;
    }
    p->in = in;
    p->global = global;
    p->next = in->peers.first;
    in->peers.first = p;
    grant_first(in, p);
    if (in->nlost)
        waitio__job_loss_apply(p);
    *out = p;
    return H3OU__OK;
}

int waitio__peer_connect(waitio__peer *p)
{
    waitio__lane *l;
    if (p->failed || p->lost > 0 || p->heard_bye || p->global == p->in->me)
        return H3OU__OK;
    int code = waitio__lane_get(p, 0, &l);
    if (!code)
        waitio__lane_connect(l);
    return code;
}

void waitio__peer_withdraw(waitio__request *send)
{
    waitio__request_cut(&send->peer->pending, &send->peer->pending_last, send);
}

/* True if a message may be sent with its payload at once. */
static bool is_eager(waitio__peer *p, uint64_t length)
{
    uint64_t left = p->credit - p->spent, cost = WAITIO__COST + length;
    if (length > p->in->set.eager || left < cost)
        return false;
    /* A quarter of the window is for announcements, so that a message in the wrong order does not stop the others; but
     * a small window of a peer with many others still takes small messages at once. */
    if (left - cost < p->in->set.credit / 4 && p->credit >= p->in->set.credit / 2)
        return false;
    return !waitio__single_copy_applies(p, length); /* by single copy it arrives sooner */
}

static bool can_send_now(const waitio__peer *p)
{
    const waitio__lane *l = waitio__peer_main(p);
    return !p->pending && l && l->state == WAITIO__READY && l->rest == WAITIO__AWAKE;
}

static uint64_t copied_most(const waitio__peer *p)
{
    return waitio__peer_main(p)->channel.out.retains ? COPY : COPY_LASTING;
}

bool waitio__peer_send_short(waitio__peer *p, waitio_group_t group, int64_t tag, const void *data, uint64_t length)
{
    if (p->failed || p->heard_bye || !can_send_now(p) || length > copied_most(p) || !is_eager(p, length))
        return false;
    waitio__lane *l = waitio__peer_main(p);
    waitio__frame f = {.kind = WAITIO__EAGER, .group = group->id, .tag = tag, .length = length};
    if (waitio__channel_put(&l->channel, &f, data))
        return false;
    p->spent += WAITIO__COST + length;
    l->used = p->in->turn;
    return true;
}

/* Hands the message to the lane. WAITIO__AGAIN: there is no credit for it. */
static int send_start(waitio__peer *p, waitio__request *r)
{
    waitio__channel *ch = &waitio__peer_main(p)->channel;
    bool goes_whole = !r->is_synchronous && is_eager(p, r->length);
    if (!goes_whole && p->credit - p->spent < WAITIO__COST)
        return WAITIO__AGAIN;
    waitio__frame f = {.kind = goes_whole ? WAITIO__EAGER : WAITIO__RTS,
                       .group = r->group->id,
                       .tag = r->tag,
                       .length = r->length,
                       .id = waitio__request_id(r)};
    uint64_t cost = WAITIO__COST + (goes_whole ? r->length : 0);
    int code;
    p->spent += cost;
    if (!goes_whole) {
        r->state = WAITIO__ANNOUNCED;
        code = waitio__channel_put(ch, &f, NULL);
    } else if (r->length <= copied_most(p)) {
        code = waitio__channel_put(ch, &f, r->data);
        r->end = ch->out.end;
        if (!code)
            waitio__request_complete(r, H3OU__OK, NULL);
    } else {
        r->state = WAITIO__MOVING;
        r->take = r->moved = r->length;
        r->parts = 1;
        f.flags = WAITIO__ACK_SOON;
        code = waitio__channel_lend(ch, &f, r->data, r);
    }
    if (code) {
        p->spent -= cost;
        waitio__request_complete(r, code, h3ou__fail_text());
    }
    return H3OU__OK;
}

static void send_stall(waitio__peer *p, waitio__request *r)
{
    if (waitio__peer_stands(p) && !r->was_stalled) {
        r->was_stalled = true;
        p->in->counters.credit_stalls++;
    }
}

void waitio__peer_send(waitio__peer *p, waitio__request *r)
{
    waitio__lane *l = waitio__peer_main(p);
    r->state = WAITIO__PENDING;
    bool goes = can_send_now(p);
    if (goes && send_start(p, r) == H3OU__OK) {
        l->used = p->in->turn;
        return;
    }
    waitio__request_append(&p->pending, &p->pending_last, r);
    send_stall(p, r);
    int code = goes ? H3OU__OK : waitio__peer_connect(p);
    if (code) {
        waitio__peer_withdraw(r);
        waitio__request_complete(r, code, h3ou__fail_text());
    }
}

void waitio__peer_start_pending(waitio__peer *p)
{
    waitio__lane *l = waitio__peer_main(p);
    while (p->pending && l && l->state == WAITIO__READY && l->rest == WAITIO__AWAKE) {
        waitio__request *r = p->pending;
        waitio__peer_withdraw(r);
        if (send_start(p, r) == H3OU__OK) {
            waitio__lane_mark_dirty(l);
            continue;
        }
        /* It goes back to the head of the list. */
        r->next = p->pending;
        *(p->pending ? &p->pending->prev : &p->pending_last) = r;
        p->pending = r;
        send_stall(p, r);
        break;
    }
}

int waitio__peer_send_frame(waitio__peer *p, const waitio__frame *f, const void *payload)
{
    waitio__lane *l = waitio__peer_main(p);
    /* The frame is put also while the connection is broken: the stream continues over the next one. */
    if (!l || (!l->epoch) || p->failed)
        return h3ou__fail(H3OU__EPEER, "not connected");
    int code = waitio__channel_put(&l->channel, f, payload);
    l->promised = l->channel.out.end;
    if (!code)
        waitio__lane_mark_dirty(l);
    if (!code && l->state == WAITIO__IDLE)
        waitio__lane_connect(l);
    return code;
}

/* Returns which lanes carry the data of long messages. */
static void wake_lanes(waitio__peer *p, const waitio__request *r)
{
    waitio__instance *in = p->in;
    waitio__lane *l = waitio__peer_main(p);
    bool by_file = r->length > in->set.hybrid;
    if (by_file) {
        if (!waitio__lane_get(p, WAITIO__LANES - 1, &l))
            waitio__lane_connect(l);
    } else if (in->set.streams > 1 && r->take >= LONG_FOR_STREAMS && l->channel.has_link && waitio__lane_conduit(l) == &waitio__tcp) {
        for (int i = 1; i < in->set.streams; i++)
            if (!waitio__lane_get(p, i, &l))
                waitio__lane_connect(l);
    }
    for (int i = 0; i < WAITIO__LANES; i++)
        if (p->lane[i])
            waitio__lane_mark_dirty(p->lane[i]);
}

void waitio__peer_move(waitio__peer *p, waitio__request *r, uint64_t take)
{
    r->state = WAITIO__MOVING;
    r->take = take;
    r->moved = 0;
    r->parts = 0;
    waitio__peer_move_rest(p, r);
}

void waitio__peer_move_rest(waitio__peer *p, waitio__request *r)
{
    waitio__request_append(&p->moving, &p->moving_last, r);
    wake_lanes(p, r);
}

bool waitio__peer_lend_segment(waitio__peer *p, waitio__lane *l)
{
    bool is_file = l->number == WAITIO__LANES - 1;
    waitio__request *r = p->moving;
    while (r && (r->length > p->in->set.hybrid) != is_file)
        r = r->next;
    if (!r || l->rest != WAITIO__AWAKE)
        return false;
    uint64_t rest = r->take - r->moved, n = rest < WAITIO__SEGMENT ? rest : WAITIO__SEGMENT;
    waitio__frame f = {.kind = WAITIO__DATA,
                       .flags = n == rest ? WAITIO__ACK_SOON : 0,
                       .group = r->group->id,
                       .tag = (int64_t)r->moved,
                       .length = n,
                       .id = r->partner};
    if (waitio__channel_lend(&l->channel, &f, r->data + r->moved, r))
        return false;
    r->moved += n;
    r->parts++;
    /* Long messages take turns. */
    waitio__request_cut(&p->moving, &p->moving_last, r);
    if (r->moved < r->take)
        waitio__request_append(&p->moving, &p->moving_last, r);
    return true;
}

void waitio__peer_consumed(waitio__peer *p, uint64_t cost)
{
    p->consumed += cost;
    if (p->global == p->in->me || p->consumed + p->window - p->granted < p->window / 2)
        return;
    waitio__lane *l = waitio__peer_main(p);
    if (!l || l->state != WAITIO__READY || p->heard_bye)
        return;
    waitio__lane_acknowledge(l);
    l->promised = l->channel.out.end;
}

void waitio__peer_ready(waitio__peer *p)
{
    waitio__lane *l = waitio__peer_main(p);
    if (p->last_word) {
        waitio__frame f = waitio__job_loss_last_frame(p->in, p->last_word);
        if (!waitio__channel_put(&l->channel, &f, p->last_word)) {
            waitio__lane_mark_dirty(l);
            free(p->last_word);
            p->last_word = NULL;
        }
    }
    if (p->is_owed_losses)
        waitio__job_loss_tell_all(p);
    waitio__peer_start_pending(p);
    if (p->in->is_leaving && !p->active)
        waitio__peer_say_bye(p);
}

void waitio__peer_lose(waitio__peer *p, const char *how, const char *cause)
{
    char who[WAITIO__WHO], text[H3OU__ERROR_TEXT];
    if (p->failed || p->lost > 0)
        return;
    snprintf(text, sizeof text, "%s %s: %s", waitio__who(p->in, p->global, who), how, cause);
    p->lost = h3ou__now();
    free(p->why);
    p->why = strdup(text);
    h3ou__log(H3OU__LOG_LOUD, "peer_lost", "peer=%d reason=\"%s\"", p->global, cause);
}

void waitio__peer_out_of_memory(waitio__peer *p)
{
    char who[WAITIO__WHO], text[H3OU__ERROR_TEXT];
    if (p->failed || p->lost > 0)
        return;
    snprintf(text, sizeof text, "this process has no memory for its connection to %s: %.500s",
             waitio__who(p->in, p->global, who), h3ou__fail_text());
    p->is_starved = true;
    p->lost = h3ou__now();
    free(p->why);
    p->why = strdup(text);
    h3ou__log(H3OU__LOG_WHISPER, "peer_starved", "peer=%d reason=\"%s\"", p->global, text);
}

/* Fails the receives from any source in groups that the peer belongs to: their message may have been the peer's. */
static void fail_any_source(waitio__peer *p)
{
    int pb, rank;
    waitio__endpoints_find(&p->in->table, p->global, &pb, &rank);
    for (waitio__request *r = p->in->waiting.any_source, *next; r; r = next) {
        next = r->next;
        if (waitio__group_rank_of(r->group, pb, rank) < 0)
            continue;
        waitio__match_unpost(r);
        waitio__request_complete(r, p->failed, p->why);
    }
}

void waitio__peer_fail(waitio__peer *p, int code, const char *text)
{
    char *why = strdup(text);
    if (!p->failed) {
        p->in->peers.ngone += !p->heard_bye;
        p->failed = code;
        free(p->why);
        p->why = why;
        why = NULL;
        h3ou__log(H3OU__LOG_WHISPER, "peer_failed", "peer=%d reason=\"%s\"", p->global, text);
    }
    free(why);
    p->in->unexpected.granted -= p->window; /* so that other peers can be granted it */
    p->window = 0;
    for (int i = 0; i < WAITIO__LANES; i++)
        if (p->lane[i])
            waitio__lane_close(p->lane[i], p->failed);
    p->pending = p->pending_last = NULL;
    p->moving = p->moving_last = NULL;
    p->posted = p->posted_last = NULL;
    for (waitio__arrival *a = p->arrival; a; a = a->next)
        a->claimed = NULL;
    while (p->active)
        waitio__request_complete(p->active, p->failed, p->why);
    waitio__match_free(p, p->in->failed != 0);
    fail_any_source(p);
}

void waitio__peer_say_bye(waitio__peer *p)
{
    waitio__frame f = {.kind = WAITIO__BYE, .tag = p->in->is_exiting};
    /* A peer that exits does not read the goodbye. */
    if (p->said_bye || (!p->is_exiting && waitio__peer_send_frame(p, &f, NULL)))
        return;
    p->said_bye = true;
    p->bye_end = waitio__peer_main(p)->channel.out.end;
}

static const char no_memory[] = "this process has no memory for its connection to another one";

/* Tries again what failed for want of memory: granting credit, or giving pieces of long messages to the lanes. */
static void retry_after_shortage(waitio__peer *p)
{
    if (p->in->failed)
        return;
    waitio__peer_consumed(p, 0);
    if (p->moving)
        wake_lanes(p, p->moving);
    for (waitio__request *r = p->moving; r && !p->lane[WAITIO__LANES - 1]; r = r->next)
        if (r->length > p->in->set.hybrid)
            wake_lanes(p, r);
}

bool waitio__peer_has_near_timeout(const waitio__peer *p)
{
    bool is_far = !p->lane[0] || p->lane[0]->state == WAITIO__IDLE;
    if (p->failed)
        return false;
    if (p->lost > 0 || p->moving || (p->posted && is_far))
        return true;
    for (int i = 0; i < WAITIO__LANES; i++)
        if (p->lane[i] && waitio__lane_has_near_timeout(p->lane[i]))
            return true;
    return false;
}

void waitio__peers_tick(waitio__instance *in, double now)
{
    for (waitio__peer *p = in->peers.first; p; p = p->next) {
        if (p->lost > 0 && !p->failed && now - p->lost > grace) {
            char text[H3OU__ERROR_TEXT];
            int code = p->is_starved ? H3OU__ENOMEM : H3OU__EPEER;
            snprintf(text, sizeof text, "%s", p->why ? p->why : code == H3OU__EPEER ? "a peer was lost" : no_memory);
            if (p->is_starved || !waitio__job_loss_found(p, text))
                waitio__peer_fail(p, code, text);
        }
        retry_after_shortage(p);
        for (int i = 0; i < WAITIO__LANES; i++)
            if (p->lane[i])
                waitio__lane_tick(p->lane[i], now);
        bool is_far = !p->lane[0] || p->lane[0]->state == WAITIO__IDLE;
        if (p->posted && is_far && !in->is_leaving && now - p->posted->since > unconnected &&
            in->nlanes < in->set.connections_most)
            waitio__peer_connect(p);
    }
}

void waitio__peers_free(waitio__instance *in)
{
    in->failed = in->failed ? in->failed : H3OU__ESTATE;
    in->waiting.dirty = in->waiting.owing = NULL;
    while (in->peers.first) {
        waitio__peer *p = in->peers.first;
        in->peers.first = p->next;
        for (int i = 0; i < WAITIO__LANES; i++)
            if (p->lane[i]) {
                waitio__lane_close(p->lane[i], H3OU__ESTATE);
                waitio__memory_give(&in->memory, WAITIO__USE_LINKS, p->lane[i], sizeof *p->lane[i]);
            }
        waitio__match_free(p, true);
        free(p->why);
        free(p->last_word);
        waitio__memory_give(&in->memory, WAITIO__USE_PEERS, p, sizeof *p);
    }
    waitio__int_map_free(&in->peers.by_number, &in->memory);
}
