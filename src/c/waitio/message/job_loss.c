/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/job_loss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/message/call_lock.h"
#include "waitio/message/group.h"
#include "waitio/message/match.h"

enum { CHILDREN = 32 };
static const double king_tells_within = 1; /* s */

static bool is_pb(const waitio__instance *in, int pb)
{
    return pb >= 0 && pb < in->set.npb;
}

bool waitio__job_loss_is_allowed(const waitio__instance *in, int pb)
{
    return in->loss && is_pb(in, pb) && in->loss[pb].is_allowed;
}

bool waitio__job_loss_is_known(const waitio__instance *in, int pb)
{
    return in->nlost && is_pb(in, pb) && in->loss[pb].is_lost;
}

bool waitio__job_loss_covers(const waitio__peer *p)
{
    int pb, rank;
    if (!p->in->nlost)
        return false;
    waitio__endpoints_find(&p->in->table, p->global, &pb, &rank);
    return waitio__job_loss_is_known(p->in, pb);
}

const char *waitio__job_loss_why(const waitio__instance *in, int pb)
{
    return in->loss[pb].why ? in->loss[pb].why : "a job was lost";
}

void waitio__job_loss_sentence(const waitio__instance *in, int pb, const char *how, const char *cause,
                               char text[H3OU__ERROR_TEXT])
{
    const char *name = in->job_name && is_pb(in, pb) ? in->job_name[pb] : NULL;
    snprintf(text, H3OU__ERROR_TEXT, "the job of PB %d%s%.200s%s %s: %.1600s", pb, name ? ", " : "", name ? name : "",
             name ? "," : "", how, cause);
}

waitio__frame waitio__job_loss_last_frame(const waitio__instance *in, const char *text)
{
    bool is_loss = waitio__job_loss_is_allowed(in, in->set.pbid);
    return (waitio__frame){.kind = is_loss ? WAITIO__LOST : WAITIO__ABORT,
                           .tag = is_loss ? in->set.pbid : H3OU__EABORT,
                           .length = strnlen(text, WAITIO__TEXT_MOST)};
}

static int make_list(waitio__instance *in)
{
    if (!in->loss)
        in->loss = calloc((size_t)in->set.npb, sizeof *in->loss);
    return in->loss ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "no memory for the list of jobs that may be lost");
}

void waitio__job_losses_free(waitio__instance *in)
{
    for (int pb = 0; in->loss && pb < in->set.npb; pb++)
        free(in->loss[pb].why);
    free(in->loss);
    in->loss = NULL;
}

void waitio__job_loss_note(waitio__instance *in, int pb, const char *why, double seconds, bool was_told)
{
    if (make_list(in)) {
        waitio__instance_fail(in, H3OU__ENOMEM, h3ou__fail_text());
        return;
    }
    waitio__job_loss *loss = &in->loss[pb];
    double due = h3ou__now() + seconds;
    if (was_told)
        loss->tell_king = 0;
    if (loss->is_lost)
        return;
    loss->was_told |= was_told;
    if (loss->due > 0 && loss->due < due)
        return;
    loss->due = due;
    free(loss->why);
    loss->why = strdup(why);
    in->has_loss_news = true;
}

int waitio__job_allow_loss(int pb)
{
    waitio__instance *in;
    int code = waitio__instance_enter(&in);
    if (!code && !is_pb(in, pb))
        code = h3ou__fail(H3OU__EARG, "waitio__job_allow_loss: there is no PB %d among %d", pb, in->set.npb);
    if (!code)
        code = make_list(in);
    if (!code) {
        in->loss[pb].is_allowed = true;
        in->has_loss_news = true; /* what was noted before is looked at now */
        int first = waitio__endpoints_global(&in->table, pb, 0), n = waitio__endpoints_size(&in->table, pb);
        for (waitio__peer *p = in->peers.first; p; p = p->next)
            if (p->failed == H3OU__EPEER && p->global >= first && p->global < first + n)
                waitio__job_loss_found(p, p->why ? p->why : "a process of it ended");
    }
    waitio__instance_leave(in);
    return code;
}

bool waitio__job_is_lost(int pb)
{
    waitio__instance *in = waitio__instance_current();
    if (!in)
        return false;
    waitio__call_lock_take(in);
    bool is_lost = waitio__job_loss_is_known(in, pb);
    waitio__call_lock_give(in);
    return is_lost;
}

static void send_loss(waitio__peer *p, int pb)
{
    const char *why = waitio__job_loss_why(p->in, pb);
    waitio__frame f = {.kind = WAITIO__LOST, .tag = pb, .length = strnlen(why, WAITIO__TEXT_MOST)};
    waitio__peer_send_frame(p, &f, why);
}

void waitio__job_loss_tell_all(waitio__peer *p)
{
    p->is_owed_losses = false;
    for (int pb = 0; pb < p->in->set.npb; pb++)
        if (waitio__job_loss_is_known(p->in, pb))
            send_loss(p, pb);
}

/* Tells a process by a lane, which is made if there is none. */
static void tell(waitio__instance *in, int pb_of, int rank, int pb)
{
    waitio__peer *p;
    int global = waitio__endpoints_global(&in->table, pb_of, rank);
    if (waitio__peer_get(in, global, &p) || p->failed || p->lost > 0)
        return;
    const waitio__lane *l = waitio__peer_main(p);
    if (waitio__peer_stands(p) || (l && l->epoch && !p->heard_bye)) {
        send_loss(p, pb);
    } else if (!p->heard_bye) {
        p->is_owed_losses = true;
        waitio__peer_connect(p);
    }
}

/* Returns the PB whose King has the master's place. */
static int leading_pb(const waitio__instance *in)
{
    int pb = 0;
    while (pb < in->set.npb - 1 && waitio__job_loss_is_known(in, pb))
        pb++;
    return pb;
}

/* Of a King, after PB 0 was lost. */
static void tell_without_master(waitio__instance *in, int pb)
{
    int leading = leading_pb(in), own = in->set.pbid;
    if (leading != own) {
        tell(in, leading, 0, pb);
        return;
    }
    for (int other = 0; other < in->set.npb; other++)
        if (other != own && !in->loss[other].is_lost)
            tell(in, other, 0, pb);
}

static void tell_others(waitio__instance *in, int pb, double now)
{
    waitio__job_loss *loss = &in->loss[pb];
    int rank = in->self.rank, own = in->set.pbid, n = waitio__endpoints_size(&in->table, own);
    for (int child = rank * CHILDREN + 1; child <= (rank + 1) * CHILDREN && child < n; child++)
        tell(in, own, child, pb);
    if (rank) {
        loss->tell_king = loss->was_told ? 0 : now + king_tells_within;
        in->has_loss_news |= !loss->was_told;
        return;
    }
    if (in->listening.king_ops)
        in->listening.king_ops->lost(in, pb);
    if (in->loss[0].is_lost && !in->loss[own].is_lost)
        tell_without_master(in, pb);
}

static bool has_member_of(waitio_group_t g, int pb)
{
    for (int i = 0; i < g->npart; i++)
        if (g->part[i].pb == pb)
            return true;
    return false;
}

/* Fails what waits for the processes of a job. A receive from any source that was posted before fails, too: the message
 * for it may have been one of that job's. One that is posted later expects messages of the other members only. */
static void fail_requests(waitio__instance *in, int pb)
{
    const char *why = waitio__job_loss_why(in, pb);
    int first = waitio__endpoints_global(&in->table, pb, 0), n = waitio__endpoints_size(&in->table, pb);
    for (waitio__peer *p = in->peers.first; p; p = p->next)
        if (p->global >= first && p->global < first + n)
            waitio__peer_fail(p, H3OU__EPEER, why);
    for (waitio__request *r = in->waiting.any_source, *next; r; r = next) {
        next = r->next;
        if (!has_member_of(r->group, pb))
            continue;
        waitio__match_unpost(r);
        waitio__request_complete(r, H3OU__EPEER, why);
    }
}

static void take_as_lost(waitio__instance *in, int pb, double now)
{
    waitio__job_loss *loss = &in->loss[pb];
    const char *name = in->job_name && in->job_name[pb] ? in->job_name[pb] : "";
    bool is_own = pb == in->set.pbid;
    loss->is_lost = true;
    in->nlost++;
    h3ou__log(H3OU__LOG_WHISPER, "job_lost", "pb=%d name=\"%s\" reason=\"%s\"", pb, name, waitio__job_loss_why(in, pb));
    if (!is_own)
        fail_requests(in, pb);
    tell_others(in, pb, now);
    if (is_own) {
        char text[H3OU__ERROR_TEXT];
        snprintf(text, sizeof text, "the other jobs go on without this one: %.1900s", waitio__job_loss_why(in, pb));
        waitio__lanes_flush(in);
        waitio__instance_fail(in, H3OU__EPEER, text);
    }
}

void waitio__job_loss_tick(waitio__instance *in, double now)
{
    if (!in->has_loss_news || !in->is_joined)
        return;
    in->has_loss_news = false;
    for (int pb = 0; pb < in->set.npb && !in->failed; pb++) {
        waitio__job_loss *loss = &in->loss[pb];
        if (loss->tell_king > 0 && now >= loss->tell_king) {
            loss->tell_king = 0;
            tell(in, in->set.pbid, 0, pb);
        }
        if (loss->is_allowed && !loss->is_lost && loss->due > 0 && now >= loss->due)
            take_as_lost(in, pb, now);
        in->has_loss_news |= loss->tell_king > 0 || (loss->is_allowed && !loss->is_lost && loss->due > 0);
    }
}

/* Without a master each King that finds another one's job ended, which may not be lost, ends the run. */
static void end_run(waitio__instance *in, int pb, const char *cause)
{
    char text[H3OU__ERROR_TEXT];
    waitio__job_loss_sentence(in, pb, "died", cause, text);
    waitio__frame f = {.kind = WAITIO__ABORT, .tag = H3OU__EPEER, .length = strnlen(text, WAITIO__TEXT_MOST)};
    waitio__instance_fail(in, H3OU__EPEER, text);
    for (waitio__peer *p = in->peers.first; p; p = p->next) {
        int pb_of, rank;
        waitio__endpoints_find(&in->table, p->global, &pb_of, &rank);
        if (!rank && pb_of != in->set.pbid && !p->failed)
            waitio__peer_send_frame(p, &f, text);
    }
}

bool waitio__job_loss_found(waitio__peer *p, const char *why)
{
    waitio__instance *in = p->in;
    int pb, rank;
    if (!in->loss || in->failed)
        return false;
    waitio__endpoints_find(&in->table, p->global, &pb, &rank);
    if (pb == in->set.pbid)
        return false; /* its launcher ends the job */
    if (in->loss[pb].is_allowed) {
        char text[H3OU__ERROR_TEXT];
        waitio__job_loss_sentence(in, pb, "is lost", why, text);
        waitio__job_loss_note(in, pb, text, 0, false);
        return true;
    }
    bool ends_run = in->loss[0].is_lost && !in->self.rank && !rank && !p->heard_bye;
    if (ends_run)
        end_run(in, pb, why);
    return ends_run;
}

void waitio__job_loss_ended(waitio__instance *in, int pb, const char *reason)
{
    char text[H3OU__ERROR_TEXT];
    waitio__job_loss_sentence(in, pb, "ended itself", reason, text);
    waitio__job_loss_note(in, pb, text, 0, false);
}

void waitio__job_loss_apply(waitio__peer *p)
{
    waitio__instance *in = p->in;
    int pb, rank;
    if (!waitio__job_loss_covers(p))
        return;
    waitio__endpoints_find(&in->table, p->global, &pb, &rank);
    p->failed = H3OU__EPEER;
    p->why = strdup(waitio__job_loss_why(in, pb));
    in->peers.ngone++;
    in->unexpected.granted -= p->window;
    p->window = 0;
}
