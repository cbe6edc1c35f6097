/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/progress/departure.h"

#include <string.h>

#include "base/error.h"

void waitio__departure_begin(waitio__instance *in)
{
    in->turn++;
    waitio__lanes_acknowledge_owed(in);
    waitio__lanes_flush(in);
}

void waitio__departure_of_current(void)
{
    waitio__instance *in;
    if (!waitio__instance_enter(&in))
        waitio__departure_deliver(in);
    waitio__instance_leave(in);
}

/* Returns the position up to which the stream has left for certain. Bytes that a broken link took may be lost: until
 * there is another link, and while a link holds bytes that it has not passed on, only what the peer acknowledged is
 * certain. A connection rests only when all has arrived. */
static uint64_t bytes_certain(const waitio__lane *l)
{
    bool is_broken = l->state == WAITIO__BROKEN || l->state == WAITIO__OPENING;
    bool is_held = waitio__channel_waiting(&l->channel) > waitio__outbox_waiting(&l->channel.out);
    return is_broken || is_held ? l->channel.out.acked : l->channel.out.sent;
}

/* Nothing leaves for this peer any more. */
static bool peer_is_gone(const waitio__peer *p)
{
    const waitio__lane *l = waitio__peer_main(p);
    return p->in->failed || p->failed || (p->heard_bye && (!l || l->state == WAITIO__IDLE));
}

enum waitio__departure waitio__departure_of(const waitio__peer *p, uint64_t end)
{
    const waitio__lane *l = p ? waitio__peer_main(p) : NULL;
    if (!end || !l || bytes_certain(l) >= end)
        return WAITIO__LEFT;
    return peer_is_gone(p) ? WAITIO__STRANDED : WAITIO__LEAVING;
}

bool waitio__departure_is_over(const waitio__request *r)
{
    const waitio__peer *p = r->peer;
    /* Nothing of a cancelled request was or will be moved, so its end promises nothing. */
    if (!p || r->is_cancelled || peer_is_gone(p))
        return true;
    for (int i = 0; i < WAITIO__LANES; i++)
        if (p->lane[i] && bytes_certain(p->lane[i]) < p->lane[i]->promised)
            return false;
    return waitio__departure_of(p, r->end) != WAITIO__LEAVING;
}

/* Why what goes to p was stranded: records the sentence and returns the code. */
static int fail_stranded(const waitio__peer *p)
{
    char who[WAITIO__WHO];
    if (p->failed)
        return h3ou__fail(p->failed, "%s", p->why ? p->why : "a peer was lost");
    if (p->in->failed)
        return h3ou__fail(p->in->failed, "%s", p->in->failure.text);
    return h3ou__fail(H3OU__EPEER, "%s has left the run (waitio_finalize) without taking the message",
                      waitio__who(p->in, p->global, who));
}

void waitio__departure_judge(waitio__request *r)
{
    if (r->code || waitio__departure_of(r->peer, r->end) != WAITIO__STRANDED)
        return;
    r->code = fail_stranded(r->peer);
    r->why = strdup(h3ou__fail_text());
}

static bool is_behind(const waitio__peer *p)
{
    for (int i = 0; i < WAITIO__LANES; i++)
        if (p->lane[i] && bytes_certain(p->lane[i]) < p->lane[i]->channel.out.end)
            return true;
    return false;
}

void waitio__departure_review(waitio__instance *in)
{
    in->hub.is_behind = false;
    for (const waitio__peer *p = in->peers.first; p && !in->hub.is_behind; p = p->next)
        in->hub.is_behind = is_behind(p);
}
