/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that complete what was started: wait, test, and their relatives. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "os/os_clock.h"
#include "waitio/message/group.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"
#include "waitio/progress/departure.h"
#include "waitio/progress/progress.h"
#include "waitio/request_handle.h"

/* Patience ended: withdraws a request that has not begun. One that has cannot be withdrawn, so its peer fails. */
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

/* Returns, of all lanes to a peer, the one whose state tells most about why nothing moves. */
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

static void request_timed_out(waitio__request *r)
{
    waitio__instance *in = r->in;
    char who[WAITIO__WHO], what[64], clock[32] = "?", state[400] = "", why[WAITIO__WHO + 900];
    char group[32] = "";
    double waited = h3ou__now() - r->since;
    time_t began = time(NULL) - (time_t)waited;
    struct tm local;
    if (localtime_r(&began, &local))
        strftime(clock, sizeof clock, "%H:%M:%S", &local);
    if (r->kind == WAITIO__SEND)
        snprintf(what, sizeof what, "send of %zu bytes to", (size_t)r->length);
    else
        snprintf(what, sizeof what, "receive of at most %zu bytes from", (size_t)r->length);
    if (r->group)
        snprintf(group, sizeof group, ", group %d", r->group->id);
    if (r->peer) {
        waitio__who(in, r->peer->global, who);
        describe_peer(r->peer, r, state, sizeof state);
    } else {
        snprintf(who, sizeof who, "any process");
    }
    snprintf(why, sizeof why,
             "patience ended: %s %s, tag %lld%s, waits since %s (%.1f s; patience is %g s: WAITIO_PATIENCE)%s", what,
             who, (long long)r->tag, group, clock, waited, in->patience, state);
    give_up(r, why);
}

static bool is_complete(waitio__instance *in, void *arg)
{
    (void)in;
    return ((waitio__request *)arg)->state == WAITIO__COMPLETE;
}

/* Complete, and may be reported: no process depends on a further call of this one for it (departure.h). */
static bool is_over(waitio__instance *in, void *arg)
{
    waitio__request *r = arg;
    if (r->state != WAITIO__COMPLETE)
        return false;
    waitio__departure_deliver(in);
    return !in->hub.is_behind || waitio__departure_is_over(r);
}

/* Waits for one request, at most `seconds`; negative: does not even poll. H3OU__ETIMEOUT: not complete. */
static int request_await(waitio__instance *in, waitio__request *r, double seconds)
{
    if (is_over(in, r))
        return H3OU__OK;
    if (seconds < 0)
        return H3OU__ETIMEOUT;
    in->counters.waits++;
    return waitio__progress_until(in, is_over, r, seconds, (waitio__awaited){r->peer, r});
}

/* Fills r for a message that was copied when it was sent, and has no request. */
static void fill_copied_request(waitio__instance *in, const waitio_req_t *req, waitio__request *r)
{
    *r = (waitio__request){.in = in, .kind = WAITIO__SEND, .state = WAITIO__COMPLETE, .since = h3ou__now()};
    r->peer = waitio__int_map_get(&in->peers.by_number, waitio__request_handle_sent_to(req, &r->end));
    waitio__request_handle_describe(req, &r->tag, &r->length);
}

/* Waits for such a message to leave. */
static int complete_sent(waitio__instance *in, waitio_req_t *req, double seconds, bool has_patience)
{
    waitio__request r;
    waitio__departure_deliver(in);
    if (!in->hub.is_behind)
        return waitio__request_handle_end_sent(req, H3OU__OK);
    fill_copied_request(in, req, &r);
    int late = request_await(in, &r, seconds);
    if (late && !has_patience)
        return late;
    if (late)
        request_timed_out(&r);
    waitio__departure_judge(&r);
    int code = waitio__request_handle_end_sent(req, r.code);
    if (code)
        h3ou__fail(code, "%s", r.why ? r.why : h3ou__strerror(code));
    free(r.why);
    return code;
}

/* Waits for req at most `seconds`, and ends it. has_patience: when they have passed, it ends with an error; else it
 * returns H3OU__ETIMEOUT without a sentence, *is_active is true, and it can be waited for again. */
static int request_complete(waitio__instance *in, waitio_req_t *req, double seconds, bool has_patience, bool *is_active)
{
    waitio__request *r;
    in->episode++;
    *is_active = false;
    if (waitio__request_handle_is_sent(req)) {
        int late = complete_sent(in, req, seconds, has_patience);
        *is_active = waitio__request_handle_is_sent(req);
        return late;
    }
    int code = waitio__request_handle_get(in, req, &r);
    if (code || !r)
        return code ? code : waitio__request_handle_end_again(req);
    int late = request_await(in, r, seconds);
    if (late && !has_patience) {
        *is_active = true;
        return late;
    }
    if (late)
        request_timed_out(r);
    waitio__departure_judge(r);
    return waitio__request_handle_end(req, r);
}

int waitio_wait(waitio_req_t *req)
{
    waitio__instance *in;
    bool is_active;
    int code = waitio__instance_enter(&in);
    if (!code)
        code = request_complete(in, req, in->patience, true, &is_active);
    waitio__instance_leave(in);
    return code;
}

static int wait_one_for(waitio__instance *in, waitio_req_t *req, double seconds, bool has_patience,
                        waitio_status_t *status)
{
    bool is_active;
    int code = request_complete(in, req, seconds, has_patience, &is_active);
    if (is_active)
        return h3ou__fail(H3OU__ETIMEOUT, "the request is not complete within %g s, and stays active", seconds);
    if (waitio__request_handle_is_ended(req))
        waitio__request_handle_status(req, status);
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
        return h3ou__fail(H3OU__EARG, n < 0 ? "%s: the number of requests is %d" : "%s: the array of %d requests is NULL",
                          call, n);
    return H3OU__OK;
}

/* Waits until the messages of all requests have been moved, so that their acknowledgements leave together. Returns the
 * index of the first that was not complete after `seconds`; n: all are, or one is no request. */
static int wait_for_arrivals(waitio__instance *in, int n, waitio_req_t req[], double seconds)
{
    waitio__request *r;
    for (int i = 0; i < n; i++) {
        if (waitio__request_handle_is_sent(&req[i]))
            continue;
        if (waitio__request_handle_get(in, &req[i], &r))
            break;
        if (!r || r->state == WAITIO__COMPLETE)
            continue;
        in->counters.waits++;
        if (waitio__progress_until(in, is_complete, r, seconds, (waitio__awaited){r->peer, r}))
            return i;
    }
    return n;
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
    int late = wait_for_arrivals(in, n, req, seconds < 0 ? in->patience : seconds);
    for (int i = 0; i < n; i++) {
        double rest = seconds >= 0 ? end - h3ou__now() : i == late ? 0 : in->patience;
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
    /* Each time anew: what was complete when the progress thread looked may owe something more when the caller does. */
    s->index = -1;
    for (int i = 0; i < s->n && s->index < 0 && !s->code; i++) {
        waitio__request copy;
        if (waitio__request_handle_is_sent(&s->req[i])) {
            r = &copy;
            fill_copied_request(in, &s->req[i], r);
        } else if ((s->code = waitio__request_handle_get(in, &s->req[i], &r)) != H3OU__OK || !r) {
            continue;
        }
        s->has_active = true;
        if (is_over(in, r))
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
        code = h3ou__fail(H3OU__EARG, "%s: index is NULL", call);
    if (!code) {
        double most = seconds < 0 ? in->patience : seconds;
        in->episode++;
        int late = is_any_complete(in, &s) ? H3OU__OK : waitio__progress_until(in, is_any_complete, &s, most, (waitio__awaited){0});
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

/* Polls once, and ends req when it is complete. */
static int complete_now(waitio__instance *in, waitio_req_t *req, bool *is_active)
{
    waitio__request *r = NULL;
    bool is_sent = waitio__request_handle_is_sent(req);
    int code = is_sent ? H3OU__OK : waitio__request_handle_get(in, req, &r);
    *is_active = false;
    if (code || (!is_sent && !r))
        return code ? code : waitio__request_handle_end_again(req);
    if (is_sent ? in->hub.is_behind : !is_over(in, r))
        waitio__progress(in, 0);
    code = request_complete(in, req, -1, false, is_active);
    return *is_active ? H3OU__OK : code;
}

int waitio_test(waitio_req_t *req, int *done)
{
    waitio__instance *in;
    bool is_active = false;
    int code = waitio__instance_enter(&in);
    if (!code && !done)
        code = h3ou__fail(H3OU__EARG, "waitio_test: done is NULL");
    if (!code) {
        code = complete_now(in, req, &is_active);
        *done = !is_active;
    }
    waitio__instance_leave(in);
    return code;
}
