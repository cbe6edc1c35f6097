/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/lane_rest.h"

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/message/lane_connect.h"
#include "waitio/message/peer.h"

void waitio__lane_rested(waitio__lane *l)
{
    waitio__peer *p = l->peer;
    waitio__channel *ch = &l->channel;
    /* Of a lane that agreed, all up to its answer has arrived; of one that asked, what the answer acknowledged. */
    bool has_more = l->rest == WAITIO__AGREED ? ch->out.end > ch->last : !waitio__channel_is_empty(ch);
    waitio__lane_leave_ready(l, WAITIO__IDLE);
    l->rest = WAITIO__AWAKE;
    ch->saw_end = false; /* closed by agreement: that says nothing about the process */
    p->in->counters.connections_rested++;
    h3ou__log(H3OU__LOG_LOUD, "rested", "peer=%d lane=%d", p->global, l->number);
    if (p->pending || p->moving || has_more)
        waitio__lane_connect(l);
}

static bool lane_can_rest(const waitio__lane *l)
{
    const waitio__peer *p = l->peer;
    return l->state == WAITIO__READY && !p->pending && !p->moving && !l->channel.in.in_payload &&
           !waitio__outbox_waiting(&l->channel.out) && !p->said_bye && !p->heard_bye;
}

static bool lane_say_rest(waitio__lane *l, enum waitio__rest_word what)
{
    waitio__frame f = {
        .kind = WAITIO__REST, .group = (int32_t)l->epoch, .tag = (int64_t)waitio__lane_bytes_safe(l), .id = what};
    if (waitio__channel_put(&l->channel, &f, NULL))
        return false;
    l->told = (uint64_t)f.tag;
    waitio__lane_mark_dirty(l);
    return true;
}

void waitio__lane_stay_awake(waitio__lane *l)
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
        return H3OU__OK; /* the frame is about an earlier connection, which was closed before the frame left */
    if (f->id == WAITIO__REST_QUESTION) {
        bool agreed = lane_can_rest(l) && waitio__channel_is_empty(&l->channel);
        if (lane_say_rest(l, agreed ? WAITIO__REST_AGREED : WAITIO__REST_NOT_NOW) && agreed) {
            l->rest = WAITIO__AGREED;
            waitio__channel_conclude(&l->channel); /* the peer closes the link when it reads the answer */
        }
        l->since = h3ou__now();
        return H3OU__OK;
    }
    l->used = l->peer->in->turn;
    if (f->id == WAITIO__REST_AGREED) {
        /* The peer sends no more by this link, so it is closed, even if this process has something to send by now, or
         * has withdrawn its question: waitio__lane_rested connects again then. */
        waitio__channel_detach(&l->channel);
        waitio__lane_rested(l);
    } else if (l->rest == WAITIO__ASKED) {
        waitio__lane_stay_awake(l);
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
            if (l->rest == WAITIO__AWAKE && l->used != in->turn && lane_can_rest(l) &&
                (!oldest || l->used < oldest->used))
                oldest = l;
        }
    if (!oldest || in->nlanes - asked <= in->set.connections_most)
        return;
    if (!lane_say_rest(oldest, WAITIO__REST_QUESTION))
        return;
    oldest->rest = WAITIO__ASKED;
    oldest->since = h3ou__now();
}
