/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaving and ending the run: waitio_finalize, waitio_abort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "waitio/joining/finalize.h"
#include "waitio/joining/job_collectives.h"
#include "waitio/joining/king_link.h"
#include "waitio/message/call_lock.h"
#include "waitio/message/job_loss.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"
#include "waitio/progress/progress.h"
#include "waitio/progress/progress_thread.h"

/* s: how long a process that exits without waitio_finalize waits for what it sent to leave. Bytes that are with the
 * kernel by then still arrive. */
static const double exit_within = 10, failed_exit_within = 1;

/* Returns a peer that failed, and that should not have. */
static waitio__peer *failed_peer(waitio__instance *in)
{
    for (waitio__peer *p = in->peers.first; p; p = p->next)
        if (p->failed && !waitio__job_loss_covers(p))
            return p;
    return NULL;
}

/* True if nothing is on its way to p, and p has left or was never connected. */
static bool is_done_with(const waitio__peer *p)
{
    const waitio__lane *l = waitio__peer_main(p);
    if (!l || !l->epoch)
        return !l || l->state == WAITIO__IDLE;
    if (p->heard_bye && l->state == WAITIO__IDLE)
        return true; /* it has left, and knows that this process sends no more */
    return p->said_bye && p->heard_bye &&
           (p->is_exiting || (l->channel.out.acked >= p->bye_end && !waitio__outbox_waiting(&l->channel.out)));
}

/* Returns what is still missing, and from which peer or King; NULL: nothing. */
static const char *find_unfinished(waitio__instance *in, waitio__peer **peer, waitio__king_link **king)
{
    *peer = NULL;
    *king = NULL;
    for (waitio__peer *p = in->peers.first; p; p = p->next) {
        *peer = p;
        if (p->failed)
            continue;
        if (p->active || p->lost > 0)
            return p->active && p->active->kind == WAITIO__SEND ? "to take what was sent"
                                                                : "to send the rest of a message";
        if (!is_done_with(p))
            return "to leave, too";
    }
    *peer = NULL;
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next) {
        *king = k;
        if (!k->is_dead && k->state == WAITIO__RECORDED &&
            (!k->said_bye || !k->heard_bye || (k->channel.has_link && waitio__channel_waiting(&k->channel))))
            return "to leave, too";
    }
    *king = NULL;
    return NULL;
}

static bool is_flushed(waitio__instance *in)
{
    for (waitio__peer *p = in->peers.first; p; p = p->next)
        if (waitio__peer_stands(p) &&
            (p->active || !p->said_bye || waitio__outbox_waiting(&waitio__peer_main(p)->channel.out)))
            return false;
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (!k->is_dead && k->channel.has_link && waitio__channel_waiting(&k->channel))
            return false;
    return true;
}

static void say_goodbye_to_kings(waitio__instance *in)
{
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (!k->is_dead && k->state == WAITIO__RECORDED && !k->said_bye)
            k->said_bye = !waitio__king_link_put(k, WAITIO__BYE);
}

static bool has_left(waitio__instance *in, void *arg)
{
    (void)arg;
    waitio__peer *p;
    waitio__king_link *k;
    if (in->failed)
        return true;
    if (in->failure.job_died_at > 0 || in->has_loss_news)
        return false;
    /* Goodbye to each as soon as nothing is on its way to it; those who connect only now are told at once. */
    for (p = in->peers.first; p; p = p->next)
        if (!p->active && !p->said_bye && !p->pending)
            waitio__peer_say_bye(p);
    say_goodbye_to_kings(in);
    waitio__lanes_flush(in);
    /* After a failure the goodbyes are said, but not awaited: it is to be heard soon. */
    return failed_peer(in) ? is_flushed(in) : !find_unfinished(in, &p, &k);
}

/* Fails the receives that no process will complete. */
static void receives_withdraw(waitio__instance *in)
{
    for (waitio__peer *p = in->peers.first; p; p = p->next)
        while (p->posted) {
            waitio__request *r = p->posted;
            waitio__match_unpost(r);
            waitio__request_complete(r, H3OU__ESTATE, "waitio_finalize was called before the message came");
        }
    while (in->waiting.any_source) {
        waitio__request *r = in->waiting.any_source;
        waitio__match_unpost(r);
        waitio__request_complete(r, H3OU__ESTATE, "waitio_finalize was called before the message came");
    }
}

static int finalize_timed_out(waitio__instance *in)
{
    char who[WAITIO__WHO] = "";
    waitio__peer *p;
    waitio__king_link *k;
    const char *what = find_unfinished(in, &p, &k);
    if (p)
        waitio__who(in, p->global, who);
    else if (k)
        snprintf(who, sizeof who, "rank 0 of PB %d", k->pb);
    return h3ou__fail(H3OU__ETIMEOUT,
                      "waitio_finalize: patience ended after %g s (WAITIO_PATIENCE) while waiting for %s %s",
                      in->patience, who, what ? what : "");
}

/* A send that failed, and that the program has not completed, so that it does not know. */
static const waitio__request *failed_send(const waitio__instance *in)
{
    for (int i = 0; i < in->waiting.nrequest; i++) {
        const waitio__request *r = in->waiting.request[i];
        if (r->kind == WAITIO__SEND && r->state == WAITIO__COMPLETE && r->code &&
            !(r->peer && waitio__job_loss_covers(r->peer)))
            return r;
    }
    return NULL;
}

static void leave_begin(waitio__instance *in)
{
    in->is_leaving = true;
    /* Before any process hears goodbye: one that then joins a next run at this port must not connect to this run. */
    for (int i = 0; i < WAITIO__MASTERS; i++)
        waitio__listener_close(&in->listening.kings[i]);
    receives_withdraw(in);
    waitio__match_decline(in);
}

static int run_leave(waitio__instance *in)
{
    leave_begin(in);
    int code = waitio__progress_until(in, has_left, NULL, in->patience, (waitio__awaited){0});
    if (code)
        return finalize_timed_out(in);
    if (in->failed)
        return h3ou__fail(in->failed, "%s", in->failure.text);
    waitio__peer *p = failed_peer(in);
    if (p)
        return h3ou__fail(p->failed, "%s", p->why ? p->why : "a peer was lost");
    const waitio__request *r = failed_send(in);
    return r ? h3ou__fail(r->code, "%s", r->why ? r->why : "a message was not delivered") : H3OU__OK;
}

int waitio_finalize(void)
{
    waitio__instance *in = waitio__instance_current();
    if (!in)
        return h3ou__fail(H3OU__ESTATE, "waitio_finalize: no WaitIO instance");
    waitio__progress_thread_stop(in);
    int code = in->failed ? h3ou__fail(in->failed, "%s", in->failure.text) : run_leave(in);
    char text[H3OU__ERROR_TEXT];
    memcpy(text, h3ou__fail_text(), sizeof text);
    h3ou__log(H3OU__LOG_LOUD, "left", "pb=%d rank=%d code=%d", in->set.pbid, in->self.rank, code);
    waitio__instance_free(in);
    return code ? h3ou__fail(code, "%s", text) : H3OU__OK;
}

/* All that was sent is with the kernel or the other process; who was told goodbye has acknowledged it. */
static bool is_delivered(waitio__instance *in, void *goodbye)
{
    if (in->failed)
        return true;
    bool is_ready = true;
    for (waitio__peer *p = in->peers.first; p; p = p->next) {
        waitio__lane *l = waitio__peer_main(p);
        if (p->failed || !l || (!p->active && !l->epoch))
            continue;
        if (goodbye && !p->active)
            waitio__peer_say_bye(p);
        bool is_awaited = l->channel.out.retains && p->said_bye && l->channel.out.acked < p->bye_end;
        is_ready = is_ready && !p->active && !is_awaited && !waitio__outbox_waiting(&l->channel.out);
    }
    if (goodbye)
        say_goodbye_to_kings(in);
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        is_ready = is_ready && (k->is_dead || !k->channel.has_link || !waitio__outbox_waiting(&k->channel.out));
    waitio__lanes_flush(in);
    return is_ready;
}

/* Published programs end without waitio_finalize. What they have sent arrives; after a good end the others are told
 * goodbye, as waitio_finalize does, but not awaited. */
static void leave_at_exit(int status, void *unused)
{
    waitio__instance *in = waitio__instance_of_process();
    (void)unused;
    if (!in || in->failed || in->is_leaving || in->self.pid != getpid())
        return;
    bool goodbye = status == 0 && !in->is_run_by_h3ou;
    waitio__progress_thread_stop(in);
    in->is_exiting = true;
    if (goodbye)
        leave_begin(in);
    waitio__progress_until(in, is_delivered, goodbye ? in : NULL, goodbye ? exit_within : failed_exit_within, (waitio__awaited){0});
    h3ou__log(H3OU__LOG_LOUD, "left_at_exit", "pb=%d rank=%d status=%d", in->set.pbid, in->self.rank, status);
    waitio__instance_free(in);
}

int waitio__finalize_at_exit(void)
{
    static bool is_registered;
    if (!is_registered && on_exit(leave_at_exit, NULL))
        return h3ou__fail(H3OU__EOS, "the function that delivers messages at exit cannot be registered");
    is_registered = true;
    return H3OU__OK;
}

void waitio__finalize_by_h3ou(void)
{
    waitio__instance *in = waitio__instance_current();
    if (in)
        in->is_run_by_h3ou = true;
}

/* The peer has left and awaits nothing. A peer that has said goodbye, and has not heard mine, still waits in
 * waitio_finalize. */
static bool has_parted(const waitio__peer *p)
{
    return p->heard_bye && (p->said_bye || p->is_exiting);
}

/* Tells a process that is not at the other end of a King link. */
static void send_abort_to(waitio__instance *in, int global, const char *text)
{
    waitio__peer *p;
    if (waitio__peer_get(in, global, &p) || p->failed || p->lost > 0 || has_parted(p))
        return;
    waitio__frame f = waitio__job_loss_last_frame(in, text);
    p->is_told = true;
    if (waitio__peer_stands(p)) {
        if (waitio__peer_send_frame(p, &f, text))
            p->is_told = false;
        return;
    }
    free(p->last_word);
    p->last_word = strndup(text, WAITIO__TEXT_MOST);
    waitio__peer_connect(p);
}

/* Those with whom this process has a connection may wait for it, while the King of their job has left the run. They are not
 * awaited: they may compute. */
static void tell_neighbours(waitio__instance *in, const char *text)
{
    waitio__frame f = waitio__job_loss_last_frame(in, text);
    for (waitio__peer *p = in->peers.first; p; p = p->next)
        if (!p->is_told && !p->failed && !has_parted(p) && waitio__peer_stands(p))
            waitio__peer_send_frame(p, &f, text); /* or they find that this process has gone */
}

/* The master has a link to every King, and a King's master tells the others. */
static bool has_king_link(waitio__instance *in, int pb)
{
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (k->is_told && (k->pb == pb || !k->is_kings))
            return true;
    return false;
}

/* True if all processes that were told have replied, or are gone. */
static bool is_heard(waitio__instance *in, void *arg)
{
    (void)arg;
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (k->is_told && !k->is_dead && !k->heard_bye)
            return false;
    for (waitio__peer *p = in->peers.first; p; p = p->next)
        if (p->is_told && p->lane[0] && p->lane[0]->state != WAITIO__IDLE && !(p->lost > 0) && !p->failed &&
            !p->heard_bye && !p->heard_abort)
            return false;
    return true;
}

int waitio_abort(const char *text, double seconds)
{
    waitio__instance *in = waitio__instance_current();
    const char *reason = text && *text ? text : "a process ended the run without saying why";
    if (!in)
        return waitio__join_refuse(reason, seconds);
    waitio__call_lock_take(in);
    bool was_told = in->failed == H3OU__EABORT;
    waitio__instance_fail(in, H3OU__EABORT, reason);
    if (!was_told) {
        in->failed = H3OU__EABORT;
        snprintf(in->failure.text, sizeof in->failure.text, "%s", reason);
    }
    const char *told = reason;
    char loss[H3OU__ERROR_TEXT];
    waitio__frame last = waitio__job_loss_last_frame(in, reason);
    if (last.kind == WAITIO__LOST) {
        waitio__job_loss_sentence(in, in->set.pbid, "ended itself", reason, loss);
        told = loss;
    }
    waitio__king_links_tell(in, last.kind, last.tag, told, NULL);
    for (int pb = 0; pb < in->table.npb; pb++)
        if (pb != in->set.pbid && !has_king_link(in, pb))
            send_abort_to(in, waitio__endpoints_global(&in->table, pb, 0), told);
    tell_neighbours(in, told);
    waitio__progress_until(in, is_heard, NULL, seconds > 0 ? seconds : 0, (waitio__awaited){0});
    waitio__call_lock_give(in);
    return H3OU__OK;
}
