/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that move messages: isend, irecv, wait, test, received, progress. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "os/clock.h"
#include "waitio/group.h"
#include "waitio/incoming.h"
#include "waitio/match.h"
#include "waitio/progress.h"
#include "waitio/request.h"

/* What a waitio_req_t holds, by int. */
enum { MARK = 0, ENDED = 1, ID = 2, ARRIVED = 4 };
static const int mark = 0x57494f52;

static void handle_set(waitio_req_t *req, uint64_t id)
{
    memset(req, 0, sizeof *req);
    req->opaque[MARK] = mark;
    memcpy(&req->opaque[ID], &id, sizeof id);
}

/* The request copies its result into the caller's handle, and goes. */
static int handle_end(waitio_req_t *req, waitio__request *r)
{
    uint64_t arrived = r->kind == WAITIO__RECV ? r->arrived : r->length;
    int code = r->code;
    req->opaque[ENDED] = 1;
    memcpy(&req->opaque[ARRIVED], &arrived, sizeof arrived);
    if (code)
        h3ou__fail(code, "%s", r->why ? r->why : h3ou__strerror(code));
    waitio__request_release(r);
    return code;
}

/* *r NULL with 0: it has ended before. */
static int handle_get(waitio__instance *in, const waitio_req_t *req, waitio__request **r)
{
    uint64_t id;
    *r = NULL;
    if (!req || req->opaque[MARK] != mark)
        return h3ou__fail(H3OU__EARG, "not a request of waitio_isend or waitio_irecv");
    if (req->opaque[ENDED])
        return H3OU__OK;
    memcpy(&id, &req->opaque[ID], sizeof id);
    *r = waitio__request_find(in, id);
    if (!*r)
        return h3ou__fail(H3OU__EARG,
                          "the request has been completed by another copy of it, or is of an earlier instance");
    return H3OU__OK;
}

static int start(const char *call, waitio_group_t grp, int other, char *buf, size_t len, waitio_tag_t tag,
                 waitio_req_t *req, enum waitio__request_kind kind, waitio__request **out)
{
    waitio__instance *in;
    waitio__peer *p;
    int pb, rank;
    int code = waitio__instance_get(&in);
    if (code)
        return code;
    if (!grp)
        return h3ou__fail(H3OU__EARG, "%s: the group is NULL", call);
    if (other < 0 || other >= grp->size)
        return h3ou__fail(H3OU__EARG, "%s: rank %d is not in group %d, which has %d members", call, other, grp->id,
                          grp->size);
    if (grp->my_rank < 0)
        return h3ou__fail(H3OU__EARG, "%s: this process is not a member of group %d", call, grp->id);
    if ((!buf && len) || !req || len > INT64_MAX)
        return h3ou__fail(H3OU__EARG, "%s: %zu bytes at %s", call, len, req ? "NULL" : "a request that is NULL");
    waitio__group_member(grp, other, &pb, &rank);
    code = waitio__peer_get(in, waitio__endpoints_global(&in->table, pb, rank), &p);
    if (!code)
        code = waitio__request_new(in, p, kind, out);
    if (code)
        return code;
    waitio__request *r = *out;
    r->group = grp->id;
    r->tag = tag;
    r->data = (unsigned char *)buf;
    r->length = len;
    handle_set(req, waitio__request_id(r));
    return H3OU__OK;
}

static void fail_gone(waitio__request *r)
{
    waitio__peer *p = r->peer;
    char who[WAITIO__WHO], why[WAITIO__WHO + 128];
    if (p->failed) {
        waitio__request_complete(r, p->failed, p->why);
        return;
    }
    snprintf(why, sizeof why, "%s has left the run (waitio_finalize)", waitio__who(p->in, p->global, who));
    waitio__request_complete(r, H3OU__EPEER, why);
}

static void send_left(waitio__out *o, int code)
{
    waitio__request *r = (waitio__request *)o;
    if (code)
        return; /* the connection is gone; the request ends with the peer */
    if (r->out.frame.kind == WAITIO__EAGER)
        waitio__request_complete(r, H3OU__OK, NULL);
    else
        r->state = WAITIO__ANNOUNCED;
}

int waitio_isend(waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req)
{
    waitio__request *r;
    int code = start("waitio_isend", grp, dst, buf, len, tag, req, WAITIO__SEND, &r);
    if (code)
        return code;
    waitio__instance *in = r->in;
    if (r->peer->failed || r->peer->heard_bye) {
        fail_gone(r);
    } else if (r->peer->global == in->me) {
        waitio__match_self(r);
    } else {
        bool is_eager = len <= in->set.eager;
        r->out.frame = (waitio__frame){.kind = is_eager ? WAITIO__EAGER : WAITIO__RTS,
                                       .source = in->me,
                                       .group = r->group,
                                       .tag = tag,
                                       .length = len,
                                       .id = waitio__request_id(r)};
        r->out.data = r->data;
        r->out.length = is_eager ? len : 0;
        r->out.done = send_left;
        waitio__peer_send(r->peer, r);
    }
    waitio__progress(in, 0);
    return H3OU__OK;
}

int waitio_irecv(waitio_group_t grp, int src, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req)
{
    waitio__request *r;
    int code = start("waitio_irecv", grp, src, buf, len, tag, req, WAITIO__RECV, &r);
    if (code)
        return code;
    waitio__instance *in = r->in;
    waitio__match_receive(r);
    if (r->state == WAITIO__POSTED && (r->peer->failed || r->peer->heard_bye)) {
        waitio__match_unpost(r);
        fail_gone(r);
    }
    waitio__progress(in, 0);
    return H3OU__OK;
}

/* Patience ended: what has not begun is withdrawn; what has cannot be, so the peer is given up. */
static void give_up(waitio__request *r, const char *why)
{
    waitio__peer *p = r->peer;
    waitio__request **place = &p->pending, *before = NULL;
    while (*place && *place != r) {
        before = *place;
        place = &before->next;
    }
    if (r->state == WAITIO__POSTED) {
        waitio__match_unpost(r);
    } else if (r->kind == WAITIO__SEND && r->state == WAITIO__QUEUED && *place) {
        *place = r->next;
        if (p->pending_last == r)
            p->pending_last = before;
    } else {
        waitio__peer_fail(p, H3OU__ETIMEOUT, why);
        return;
    }
    waitio__request_complete(r, H3OU__ETIMEOUT, why);
}

static void impatient(waitio__request *r)
{
    waitio__instance *in = r->in;
    char who[WAITIO__WHO], what[64], clock[32] = "?", why[WAITIO__WHO + 512];
    double waited = h3ou__now() - r->since;
    time_t began = time(NULL) - (time_t)waited;
    struct tm local;
    if (localtime_r(&began, &local))
        strftime(clock, sizeof clock, "%H:%M:%S", &local);
    if (r->kind == WAITIO__SEND)
        snprintf(what, sizeof what, "send of %zu bytes to", (size_t)r->length);
    else
        snprintf(what, sizeof what, "receive of at most %zu bytes from", (size_t)r->length);
    snprintf(why, sizeof why,
             "patience ended: %s %s, tag %lld, group %d, waits since %s (%.1f s; patience is %g s: "
             "WAITIO_PATIENCE)%s",
             what, waitio__who(in, r->peer->global, who), (long long)r->tag, r->group, clock, waited, in->patience,
             r->peer->conn && r->peer->conn->state == WAITIO__READY ? "" : "; it has never connected");
    give_up(r, why);
}

static bool is_complete(waitio__instance *in, void *arg)
{
    (void)in;
    return ((waitio__request *)arg)->state == WAITIO__COMPLETE;
}

int waitio_wait(waitio_req_t *req)
{
    waitio__instance *in;
    waitio__request *r;
    int code = waitio__instance_get(&in);
    if (!code)
        code = handle_get(in, req, &r);
    if (code || !r)
        return code;
    if (!is_complete(in, r) && waitio__progress_until(in, is_complete, r, in->patience))
        impatient(r);
    return handle_end(req, r);
}

int waitio_test(waitio_req_t *req, int *done)
{
    waitio__instance *in;
    waitio__request *r;
    int code = waitio__instance_get(&in);
    if (!code && !done)
        code = h3ou__fail(H3OU__EARG, "waitio_test: nowhere to say whether it is done");
    if (!code)
        code = handle_get(in, req, &r);
    if (code)
        return code;
    *done = 1;
    if (!r)
        return H3OU__OK;
    if (r->state != WAITIO__COMPLETE)
        waitio__progress(in, 0);
    if (r->state == WAITIO__COMPLETE)
        return handle_end(req, r);
    *done = 0;
    return H3OU__OK;
}

int waitio_progress(double seconds)
{
    waitio__instance *in;
    int code = waitio__instance_get(&in);
    if (code)
        return code;
    double end = h3ou__now() + seconds;
    int n = waitio__progress(in, 0);
    while (!n && seconds > 0 && !in->failed) {
        /* In slices: also time itself ends what waits (a peer lost, a doomed instance). */
        n = waitio__progress(in, seconds < 0.1 ? seconds : 0.1);
        seconds = end - h3ou__now();
    }
    return waitio__instance_get(&in);
}

int waitio_received(const waitio_req_t *req, size_t *len)
{
    uint64_t arrived;
    if (!req || !len || req->opaque[MARK] != mark || !req->opaque[ENDED])
        return h3ou__fail(H3OU__EARG, "waitio_received: the request is not complete");
    memcpy(&arrived, &req->opaque[ARRIVED], sizeof arrived);
    *len = (size_t)arrived;
    return H3OU__OK;
}
