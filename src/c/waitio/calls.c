/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that start messages or look for them: isend, irecv, cancel, probe, progress. */
#include <stdio.h>
#include <string.h>

#include "os/os_clock.h"
#include "waitio/message/call_lock.h"
#include "waitio/message/group.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"
#include "waitio/progress/progress.h"
#include "waitio/request_handle.h"

enum { HELD_MOST = 32768, QUIET = 64 };

/* Finds the other process of a message: *p NULL for any source. */
static int find_peer(waitio__instance *in, const char *call, waitio_group_t grp, int other, bool may_be_any,
                     waitio__peer **p)
{
    int pb, rank;
    *p = NULL;
    if (!grp)
        return h3ou__fail(H3OU__EARG, "%s: the group is NULL", call);
    if (grp->my_rank < 0)
        return h3ou__fail(H3OU__EARG, "%s: this process is not a member of group %d", call, grp->id);
    if (may_be_any && other == WAITIO_ANY_SOURCE)
        return H3OU__OK;
    if (other < 0 || other >= grp->size)
        return h3ou__fail(H3OU__EARG, "%s: rank %d is not in group %d, which has %d members", call, other, grp->id,
                          grp->size);
    waitio__group_member(grp, other, &pb, &rank);
    int code = waitio__peer_get(in, waitio__endpoints_global(&in->table, pb, rank), p);
    grp->recent = *p;
    grp->recent_rank = other;
    grp->recent_in = in;
    grp->recent_id = in->id;
    return code;
}

static int message_check(waitio__instance *in, const char *call, waitio_group_t grp, int other, const char *buf,
                         size_t len, const waitio_req_t *req, bool may_be_any, waitio__peer **p)
{
    if ((!buf && len) || !req || len > INT64_MAX)
        return h3ou__fail(H3OU__EARG, "%s: %s (the message has %zu bytes)", call,
                          !req             ? "the request is NULL"
                          : !buf           ? "the buffer is NULL"
                                           : "the length is beyond 2^63 - 1",
                          len);
    if (grp && grp->recent && grp->recent_rank == other && grp->recent_in == in && grp->recent_id == in->id) {
        *p = grp->recent;
        return H3OU__OK;
    }
    return find_peer(in, call, grp, other, may_be_any, p);
}

static int request_start(waitio__instance *in, waitio_group_t grp, int other, waitio__peer *p, char *buf, size_t len,
                         waitio_tag_t tag, waitio_req_t *req, enum waitio__request_kind kind, waitio__request **out)
{
    int code = waitio__request_new(in, p, kind, grp, out);
    if (code)
        return code;
    waitio__request *r = *out;
    r->rank = p ? other : -1;
    r->tag = tag;
    r->is_any_tag = tag == WAITIO_ANY_TAG;
    r->data = (unsigned char *)buf;
    r->length = len;
    waitio__request_handle_set(req, waitio__request_id(r));
    return H3OU__OK;
}

/* Returns the peer that has left or failed, so that no message will come; NULL: none. */
static const waitio__peer *missing_sender(const waitio__request *r)
{
    if (!r->peer)
        return waitio__match_missing(r);
    return r->peer->failed || r->peer->heard_bye ? r->peer : NULL;
}

static void fail_gone(waitio__request *r, const waitio__peer *p)
{
    char who[WAITIO__WHO], why[WAITIO__WHO + 128];
    if (p->failed) {
        waitio__request_complete(r, p->failed, p->why);
        return;
    }
    snprintf(why, sizeof why, "%s has left the run (waitio_finalize)", waitio__who(p->in, p->global, who));
    waitio__request_complete(r, H3OU__EPEER, why);
}

/* True if so many messages have followed each other closely, without a wait between, that another is to be expected. */
static bool is_streaming(waitio__instance *in, waitio__lane *l)
{
    if (l->episode != in->episode) {
        l->last_streak = l->streak;
        l->streak = 1;
        l->episode = in->episode;
        l->sent_at = 0; /* a message that is followed by a wait should not pay for reading the clock */
        return false;
    }
    double now = h3ou__now();
    l->streak = l->sent_at > 0 && now - l->sent_at >= waitio__lane_close_gap ? 0 : l->streak + 1;
    l->sent_at = now;
    /* Like the last time, as long as that was never wrong. */
    bool is_again = in->coalescing.streak_needed == WAITIO__STREAK && l->last_streak >= WAITIO__STREAK && l->streak > 2;
    return is_again || l->streak >= in->coalescing.streak_needed;
}

/* Sends a message at once, unless many follow each other closely: then it is kept for a moment, to leave with the next
 * ones, at the latest in the next call that waits or tests. */
static void message_dispatch(waitio__instance *in, waitio__lane *l)
{
    if (!l || l->state != WAITIO__READY || !waitio__outbox_waiting(&l->channel.out))
        return;
    if (!l->channel.out.retains || in->call_lock || !is_streaming(in, l) ||
        waitio__outbox_waiting(&l->channel.out) > HELD_MOST) {
        waitio__channel_flush(&l->channel);
        return;
    }
    waitio__lane_mark_dirty(l);
    if (!(in->coalescing.held_back > 0))
        in->coalescing.held_back = l->sent_at;
}

static void send_one(waitio__instance *in, waitio__request *r)
{
    waitio__peer *p = r->peer;
    if (p->failed || p->heard_bye) {
        fail_gone(r, p);
    } else if (p->global == in->me) {
        waitio__match_self(r);
    } else {
        waitio__peer_send(p, r);
        message_dispatch(in, waitio__peer_main(p));
    }
}

static int send_long(waitio__instance *in, waitio_group_t grp, int dst, waitio__peer *p, char *buf, size_t len,
                     waitio_tag_t tag, waitio_req_t *req, bool is_synchronous)
{
    waitio__request *r;
    int code = request_start(in, grp, dst, p, buf, len, tag, req, WAITIO__SEND, &r);
    if (!code) {
        r->is_synchronous = is_synchronous;
        send_one(in, r);
    }
    return code;
}

static int begin_send(const char *call, waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req, bool is_synchronous)
{
    waitio__instance *in;
    waitio__peer *p;
    int code = waitio__instance_enter(&in);
    if (!code)
        code = message_check(in, call, grp, dst, buf, len, req, false, &p);
    if (!code && tag == WAITIO_ANY_TAG)
        code = h3ou__fail(H3OU__EARG, "%s: the tag is WAITIO_ANY_TAG, which only a receive may have", call);
    if (!code) {
        if (!is_synchronous && waitio__peer_send_short(p, grp, tag, buf, len)) {
            waitio__request_handle_sent(req, dst, tag, len, p->global, waitio__peer_main(p)->channel.out.end);
            message_dispatch(in, waitio__peer_main(p));
        } else {
            code = send_long(in, grp, dst, p, buf, len, tag, req, is_synchronous);
        }
        if (!code) {
            in->counters.messages_sent++;
            in->counters.bytes_sent += len;
            if (++in->quiet >= QUIET)
                waitio__progress(in, 0);
        }
    }
    waitio__instance_leave(in);
    return code;
}

int waitio_isend(waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req)
{
    return begin_send("waitio_isend", grp, dst, buf, len, tag, req, false);
}

int waitio_issend(waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req)
{
    return begin_send("waitio_issend", grp, dst, buf, len, tag, req, true);
}

int waitio_irecv(waitio_group_t grp, int src, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req)
{
    waitio__instance *in;
    waitio__peer *from;
    waitio__request *r;
    int code = waitio__instance_enter(&in);
    if (!code)
        code = message_check(in, "waitio_irecv", grp, src, buf, len, req, true, &from);
    if (!code)
        code = request_start(in, grp, src, from, buf, len, tag, req, WAITIO__RECV, &r);
    if (!code) {
        waitio__match_receive(r);
        const waitio__peer *p = r->state == WAITIO__POSTED ? missing_sender(r) : NULL;
        if (p) {
            waitio__match_unpost(r);
            fail_gone(r, p);
        }
    }
    waitio__instance_leave(in);
    return code;
}

int waitio_cancel(waitio_req_t *req)
{
    waitio__instance *in;
    waitio__request *r;
    int code = waitio__instance_enter(&in);
    if (!code && !waitio__request_handle_is_sent(req))
        code = waitio__request_handle_get(in, req, &r);
    else
        r = NULL;
    if (!code && r && (r->state == WAITIO__POSTED || r->state == WAITIO__PENDING)) {
        if (r->state == WAITIO__POSTED)
            waitio__match_unpost(r);
        else
            waitio__peer_withdraw(r);
        r->is_cancelled = true;
        waitio__request_complete(r, H3OU__OK, NULL);
    }
    waitio__instance_leave(in);
    return code;
}

typedef struct probe {
    waitio__request like;
    waitio__arrival *found;
} probe;

static bool probe_is_done(waitio__instance *in, void *arg)
{
    probe *p = arg;
    p->found = waitio__match_find(&p->like);
    return p->found || in->failed || missing_sender(&p->like);
}

static int begin_probe(waitio__instance *in, const char *call, waitio_group_t grp, int src, waitio_tag_t tag, probe *p)
{
    waitio__peer *peer;
    int code = find_peer(in, call, grp, src, true, &peer);
    memset(p, 0, sizeof *p);
    p->like.in = in;
    p->like.group = grp;
    p->like.peer = peer;
    p->like.tag = tag;
    p->like.is_any_tag = tag == WAITIO_ANY_TAG;
    if (!code)
        waitio__group_hold(grp); /* a probe waits without the lock */
    return code;
}

static void status_fill(const probe *p, waitio_status_t *status)
{
    int pb, rank;
    const waitio__arrival *a = p->found;
    if (!status)
        return;
    waitio__endpoints_find(&p->like.in->table, a->peer->global, &pb, &rank);
    *status = (waitio_status_t){
        .source = waitio__group_rank_of(p->like.group, pb, rank), .tag = a->tag, .length = (size_t)a->length};
}

/* Records why no message will come, and returns the code. */
static int probe_failure(const probe *p)
{
    waitio__instance *in = p->like.in;
    const waitio__peer *peer = missing_sender(&p->like);
    char who[WAITIO__WHO];
    if (in->failed)
        return h3ou__fail(in->failed, "%s", in->failure.text);
    if (peer && peer->failed)
        return h3ou__fail(peer->failed, "%s", peer->why ? peer->why : "a peer was lost");
    if (peer && peer->heard_bye)
        return h3ou__fail(H3OU__EPEER, "%s has left the run (waitio_finalize)", waitio__who(in, peer->global, who));
    return H3OU__OK;
}

int waitio_iprobe(waitio_group_t grp, int src, waitio_tag_t tag, int *flag, waitio_status_t *status)
{
    waitio__instance *in;
    probe p;
    int code = waitio__instance_enter(&in);
    if (!code && !flag)
        code = h3ou__fail(H3OU__EARG, "waitio_iprobe: flag is NULL");
    if (!code)
        code = begin_probe(in, "waitio_iprobe", grp, src, tag, &p);
    if (!code) {
        in->episode++;
        waitio__progress(in, 0);
        probe_is_done(in, &p);
        *flag = p.found != NULL;
        if (p.found)
            status_fill(&p, status);
        else
            code = probe_failure(&p);
        waitio__group_drop(grp);
    }
    waitio__instance_leave(in);
    return code;
}

int waitio_probe(waitio_group_t grp, int src, waitio_tag_t tag, double seconds, waitio_status_t *status)
{
    waitio__instance *in;
    probe p;
    int code = waitio__instance_enter(&in);
    if (!code)
        code = begin_probe(in, "waitio_probe", grp, src, tag, &p);
    if (!code) {
        double most = seconds < 0 ? in->patience : seconds;
        in->episode++;
        int late = probe_is_done(in, &p) ? H3OU__OK : waitio__progress_until(in, probe_is_done, &p, most, (waitio__awaited){.peer = p.like.peer});
        if (p.found)
            status_fill(&p, status);
        else if (late)
            code = h3ou__fail(H3OU__ETIMEOUT, "waitio_probe: no message of rank %d, tag %lld, group %d within %g s",
                              src, (long long)tag, grp->id, most);
        else
            code = probe_failure(&p);
        waitio__group_drop(grp);
    }
    waitio__instance_leave(in);
    return code;
}

/* Returns whether a request has become complete since *arg were. */
static bool has_completed(waitio__instance *in, void *arg)
{
    return in->failed || in->completed != *(const uint64_t *)arg;
}

int waitio_progress(double seconds)
{
    waitio__instance *in;
    int code = waitio__instance_enter(&in);
    if (code)
        return code;
    double end = h3ou__now() + seconds;
    in->episode++;
    uint64_t completed = in->completed;
    int n = waitio__progress(in, 0);
    while (!n && seconds > 0 && !in->failed && !in->call_lock) {
        /* In slices, since timeouts also end waits (a lost peer, an instance that fails after a grace period). */
        n = waitio__progress(in, seconds);
        seconds = end - h3ou__now();
    }
    if (in->call_lock && seconds > 0) /* the thread may have completed a request since the caller looked */
        waitio__call_lock_await(in, has_completed, &completed, seconds < 0.001 ? seconds : 0.001);
    if (in->failed)
        code = h3ou__fail(in->failed, "%s", in->failure.text);
    waitio__instance_leave(in);
    return code;
}

int waitio_get_route(waitio_group_t grp, int rank, const char **name)
{
    waitio__instance *in;
    waitio__peer *p = NULL;
    int code = waitio__instance_enter(&in);
    if (!code)
        code = name ? find_peer(in, "waitio_get_route", grp, rank, false, &p) : h3ou__fail(H3OU__EARG, "waitio_get_route: name is NULL");
    if (!code) {
        const waitio__lane *l = waitio__peer_main(p);
        const waitio__conduit *by = l ? waitio__lane_conduit(l) : NULL;
        *name = by ? by->name : "";
    }
    waitio__instance_leave(in);
    return code;
}
