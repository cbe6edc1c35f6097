/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that complete what was started: wait, test, and their relatives. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "os/clock.h"
#include "waitio/group.h"
#include "waitio/handle.h"
#include "waitio/match.h"
#include "waitio/peer.h"
#include "waitio/progress.h"

/* Patience ended: what has not begun is withdrawn; what has cannot be, so the peer is given up. */
static void give_up(waitio__request *r, const char *why)
{
    if (r->state == WAITIO__POSTED) {
        waitio__match_unpost(r);
    } else if (r->state == WAITIO__PENDING) {
        waitio__peer_withdraw(r);
    } else {
        waitio__peer_fail(r->peer, H3OU__ETIMEOUT, why);
        return;
    }
    waitio__request_complete(r, H3OU__ETIMEOUT, why);
}

static const char *trouble_of(const waitio__lane *l)
{
    bool can_tell = l && l->channel.has_link && l->channel.link.conduit->trouble;
    return can_tell ? l->channel.link.conduit->trouble(&l->channel.link) : NULL;
}

static bool is_broken(const waitio__lane *l)
{
    return l && (l->state == WAITIO__BROKEN || (l->state == WAITIO__OPENING && *l->cause));
}

/* Of all streams to a peer the one that says most about why nothing moves. */
static const waitio__lane *worst_lane(const waitio__peer *p)
{
    for (int i = 0; i < WAITIO__LANES; i++)
        if (trouble_of(p->lane[i]))
            return p->lane[i];
    for (int i = 0; i < WAITIO__LANES; i++)
        if (is_broken(p->lane[i]))
            return p->lane[i];
    return p->lane[0];
}

static void describe_peer(const waitio__peer *p, const waitio__request *r, char *text, size_t size)
{
    const waitio__lane *l = worst_lane(p);
    const char *trouble = trouble_of(l);
    *text = 0;
    if (p->global == p->in->me)
        return;
    if (trouble)
        snprintf(text, size, "; %s", trouble);
    else if (!l || !l->epoch)
        snprintf(text, size, "; it has never connected%s%s%s", l && l->number ? " for long messages" : "",
                 l && *l->cause ? ": " : "", l ? l->cause : "");
    else if (is_broken(l))
        snprintf(text, size, "; the connection is broken: %s", l->cause);
    else if (r->state == WAITIO__PENDING && r->was_stalled)
        snprintf(text, size, "; it holds %zu bytes of messages that its program has not asked for (WAITIO_CREDIT)",
                 (size_t)p->spent);
}

static void impatient(waitio__request *r)
{
    waitio__instance *in = r->in;
    char who[WAITIO__WHO], what[64], clock[32] = "?", state[400] = "", why[WAITIO__WHO + 900];
    double waited = h3ou__now() - r->since;
    time_t began = time(NULL) - (time_t)waited;
    struct tm local;
    if (localtime_r(&began, &local))
        strftime(clock, sizeof clock, "%H:%M:%S", &local);
    if (r->kind == WAITIO__SEND)
        snprintf(what, sizeof what, "send of %zu bytes to", (size_t)r->length);
    else
        snprintf(what, sizeof what, "receive of at most %zu bytes from", (size_t)r->length);
    if (r->peer) {
        waitio__who(in, r->peer->global, who);
        describe_peer(r->peer, r, state, sizeof state);
    } else {
        snprintf(who, sizeof who, "any process");
    }
    snprintf(why, sizeof why,
             "patience ended: %s %s, tag %lld, group %d, waits since %s (%.1f s; patience is %g s: WAITIO_PATIENCE)%s",
             what, who, (long long)r->tag, r->group->id, clock, waited, in->patience, state);
    give_up(r, why);
}

static bool is_complete(waitio__instance *in, void *arg)
{
    (void)in;
    return ((waitio__request *)arg)->state == WAITIO__COMPLETE;
}

/* What is kept to leave together leaves before anybody waits. */
static void let_go(waitio__instance *in)
{
    in->turn++;
    in->episode++;
    waitio__lanes_flush(in);
}

/* Waits for one, at most `seconds`. H3OU__ETIMEOUT: not complete. */
static int await(waitio__instance *in, waitio__request *r, double seconds)
{
    in->episode += r->kind != WAITIO__SEND;
    if (r->state == WAITIO__COMPLETE) {
        /* A send that is complete says nothing about what comes next: perhaps another. */
        if (in->dirty && r->kind != WAITIO__SEND)
            let_go(in);
        return H3OU__OK;
    }
    in->counters.waits++;
    return waitio__progress_until(in, is_complete, r, seconds, r->peer);
}

int waitio_wait(waitio_req_t *req)
{
    waitio__instance *in;
    waitio__request *r;
    int code = waitio__instance_enter(&in);
    if (!code)
        code = waitio__handle_get(in, req, &r);
    if (!code && r) {
        if (await(in, r, in->patience))
            impatient(r);
        code = waitio__handle_end(req, r);
    }
    waitio__instance_leave(in);
    return code;
}

/* has_patience: not to be ended before patience does, and ended then. */
static int wait_one_for(waitio__instance *in, waitio_req_t *req, double seconds, bool has_patience,
                        waitio_status_t *status)
{
    waitio__request *r;
    int code = waitio__handle_get(in, req, &r);
    if (code)
        return code;
    if (r && await(in, r, seconds)) {
        if (has_patience)
            impatient(r);
        else
            return h3ou__fail(H3OU__ETIMEOUT, "not complete within %g s; the request stays active", seconds);
    }
    if (r)
        code = waitio__handle_end(req, r);
    waitio__handle_status(req, status);
    return code;
}

int waitio_wait_for(waitio_req_t *req, double seconds, waitio_status_t *status)
{
    waitio__instance *in;
    int code = waitio__instance_enter(&in);
    if (!code)
        code = wait_one_for(in, req, seconds > 0 ? seconds : 0, false, status);
    waitio__instance_leave(in);
    return code;
}

static int check_list(const char *call, int n, const waitio_req_t req[])
{
    if (n < 0 || (n && !req))
        return h3ou__fail(H3OU__EARG, "%s: %d requests at %s", call, n, req ? "an array" : "NULL");
    return H3OU__OK;
}

/* seconds < 0: as long as patience lasts, each. */
static int wait_all(const char *call, int n, waitio_req_t req[], double seconds, waitio_status_t status[])
{
    waitio__instance *in;
    char text[H3OU__ERROR_TEXT] = "";
    int first = H3OU__OK, code = waitio__instance_enter(&in);
    if (!code)
        code = check_list(call, n, req);
    if (code) {
        waitio__instance_leave(in);
        return code;
    }
    double end = h3ou__now() + seconds;
    for (int i = 0; i < n; i++) {
        double rest = seconds < 0 ? in->patience : end - h3ou__now();
        code = wait_one_for(in, &req[i], rest > 0 ? rest : 0, seconds < 0, status ? &status[i] : NULL);
        if (code && !first) {
            first = code;
            memcpy(text, h3ou__fail_text(), sizeof text);
        }
    }
    waitio__instance_leave(in);
    return first ? h3ou__fail(first, "%s", text) : H3OU__OK;
}

int waitio_waitall(int n, waitio_req_t req[], waitio_status_t status[])
{
    return wait_all("waitio_waitall", n, req, -1, status);
}

int waitio_waitall_for(int n, waitio_req_t req[], double seconds, waitio_status_t status[])
{
    return wait_all("waitio_waitall_for", n, req, seconds > 0 ? seconds : 0, status);
}

typedef struct several {
    int n, index; /* index: the first that is complete */
    bool has_active;
    waitio_req_t *req;
    int code;
} several;

static bool is_any_complete(waitio__instance *in, void *arg)
{
    several *s = arg;
    waitio__request *r;
    s->has_active = false;
    for (int i = 0; i < s->n && s->index < 0 && !s->code; i++) {
        if (waitio__handle_is_sent(&s->req[i])) {
            s->has_active = true;
            s->index = i;
            break;
        }
        s->code = waitio__handle_get(in, &s->req[i], &r);
        if (s->code || !r)
            continue;
        s->has_active = true;
        if (r->state == WAITIO__COMPLETE)
            s->index = i;
    }
    return s->code || s->index >= 0 || !s->has_active;
}

static int wait_any(const char *call, int n, waitio_req_t req[], double seconds, int *index, waitio_status_t *status)
{
    waitio__instance *in;
    several s = {.n = n, .index = -1, .req = req};
    int code = waitio__instance_enter(&in);
    if (!code)
        code = check_list(call, n, req);
    if (!code && !index)
        code = h3ou__fail(H3OU__EARG, "%s: nowhere to say which", call);
    if (!code) {
        double most = seconds < 0 ? in->patience : seconds;
        if (in->dirty)
            let_go(in);
        int late = is_any_complete(in, &s) ? H3OU__OK : waitio__progress_until(in, is_any_complete, &s, most, NULL);
        *index = s.index;
        if (s.code)
            code = s.code;
        else if (s.index >= 0)
            code = wait_one_for(in, &req[s.index], 0, false, status);
        else if (late)
            code = h3ou__fail(H3OU__ETIMEOUT, "%s: none of %d requests is complete within %g s", call, n, most);
    }
    waitio__instance_leave(in);
    return code;
}

int waitio_waitany(int n, waitio_req_t req[], int *index, waitio_status_t *status)
{
    return wait_any("waitio_waitany", n, req, -1, index, status);
}

int waitio_waitany_for(int n, waitio_req_t req[], double seconds, int *index, waitio_status_t *status)
{
    return wait_any("waitio_waitany_for", n, req, seconds > 0 ? seconds : 0, index, status);
}

int waitio_test(waitio_req_t *req, int *done)
{
    waitio__instance *in;
    waitio__request *r = NULL;
    int code = waitio__instance_enter(&in);
    if (!code && !done)
        code = h3ou__fail(H3OU__EARG, "waitio_test: nowhere to say whether it is done");
    if (!code)
        code = waitio__handle_get(in, req, &r);
    if (!code)
        *done = 1;
    if (!code && r) {
        if (r->state != WAITIO__COMPLETE)
            waitio__progress(in, 0);
        else if (in->dirty && r->kind != WAITIO__SEND)
            let_go(in);
        *done = r->state == WAITIO__COMPLETE;
        if (*done)
            code = waitio__handle_end(req, r);
    }
    waitio__instance_leave(in);
    return code;
}
