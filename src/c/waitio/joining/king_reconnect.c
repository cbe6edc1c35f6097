/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/joining/king_reconnect.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/conduit/refusal.h"
#include "waitio/message/job_loss.h"

static const double first_pause = 0.02, longest_pause = 1, answer_within = 5; /* s */
/* s: for how long to call a process that may have left in order, so that only its goodbye was lost. */
static const double goodbye_within = 60;

static void schedule_attempt(waitio__king_link *k)
{
    k->next_attempt = h3ou__now() + k->pause;
    k->pause = 2 * k->pause < longest_pause ? 2 * k->pause : longest_pause;
}

static void attempt_link(waitio__king_link *k);

/* Returns whether the other end's refusal of a connection proves that its process has ended. */
static bool king_has_ended(const waitio__king_link *k)
{
    waitio__instance *in = k->in;
    waitio__address at;
    double lost = h3ou__now() - k->lost;
    waitio__endpoints_address(&in->table, k->is_kings ? waitio__endpoints_global(&in->table, k->pb, 0) : 0, &at);
    return ((k->said_bye || k->heard_bye) && lost >= goodbye_within) ||
           waitio__refusal_proves(&in->set.conduit, &at, k->channel.saw_end, lost);
}

static void attempt_failed(waitio__king_link *k, int code)
{
    bool was_king_socket = !k->is_kings && !k->by_ear;
    k->by_ear = was_king_socket;
    if (code != H3OU__EREFUSED || !king_has_ended(k)) {
        schedule_attempt(k);
        return;
    }
    if (was_king_socket) {
        attempt_link(k);
        return;
    }
    waitio__king_reconnect_end(k);
    k->is_dead = true;
    /* A process leaves only after it has received the other's goodbye, so its own one was lost with the link. */
    if (k->said_bye || k->heard_bye)
        k->heard_bye = true;
    else
        waitio__king_link_job_died(k, k->cause);
}

/* Sends again the frames that may have been lost with the old link. */
static void resend_frames(waitio__king_link *k)
{
    waitio__instance *in = k->in;
    if (k->said_bye)
        waitio__king_link_send(k, WAITIO__BYE, 0, NULL, 0);
    if (in->failed && k->is_told)
        waitio__king_link_send(k, WAITIO__ABORT, in->failed, in->failure.text,
                               strnlen(in->failure.text, WAITIO__TEXT_MOST));
    waitio__king_link_tell_losses(k);
    h3ou__log(H3OU__LOG_WHISPER, "rejoined", "pb=%d", k->pb);
}

static void resume_link(waitio__king_link *k, const waitio__greeting *g, waitio__link *link)
{
    waitio__king_reconnect_end(k);
    k->in->counters.reconnections++;
    if (waitio__king_link_renew(k, g, link))
        waitio__king_reconnect_begin(k);
    else
        resend_frames(k);
}

static void ignore_proof(void *owner, waitio__greet *proof)
{
    (void)owner;
    (void)proof;
}

static void king_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    waitio__king_link *k = owner;
    k->greeting = NULL;
    if (other->verdict == WAITIO__DEPARTED) {
        char text[H3OU__ERROR_TEXT];
        waitio__job_loss_sentence(k->in, k->in->set.pbid, "is lost", "the master has given it up", text);
        waitio__job_loss_note(k->in, k->in->set.pbid, text, 0, true);
    }
    if (other->verdict == WAITIO__TAKEN)
        resume_link(k, g, link);
    else
        schedule_attempt(k);
}

static void king_failed(void *owner, waitio__greeting *g, int code)
{
    waitio__king_link *k = owner;
    (void)g;
    k->greeting = NULL;
    attempt_failed(k, code);
}

static const waitio__greeting_ops king_ops = {.speak = ignore_proof, .greeted = king_greeted, .failed = king_failed};

static void connect_to_master(waitio__king_link *k)
{
    waitio__instance *in = k->in;
    waitio__link link;
    waitio__greet hello = {.purpose = WAITIO__FOR_REJOIN, .source = in->set.pbid, .epoch = ++k->attempts};
    waitio__address to = in->set.master[0];
    if (k->by_ear)
        waitio__endpoints_address(&in->table, 0, &to);
    int code = waitio__tcp.open(&in->set.conduit, &to, &link);
    if (!code) {
        k->greeting = waitio__greeting_open(&in->greetings, &link, &hello, &in->self.lane_key, &king_ops, k);
        code = k->greeting ? H3OU__OK : H3OU__ENOMEM;
    }
    if (code)
        attempt_failed(k, code);
}

static void close_probe(waitio__king_link *k)
{
    if (!k->probe.is_open)
        return;
    k->probe.is_open = false;
    waitio__hub_remove(&k->in->hub, &k->probe.source);
    k->probe.link.conduit->close(&k->probe.link);
}

static void handle_probe_ready(waitio__source *source, bool readable, bool writable)
{
    /* The source is the first member of k->probe. */
    waitio__king_link *k = (waitio__king_link *)((char *)source - offsetof(waitio__king_link, probe));
    (void)readable;
    (void)writable;
    if (!k->probe.is_open)
        return;
    int code = k->probe.link.conduit->opened(&k->probe.link);
    if (code == WAITIO__AGAIN)
        return;
    close_probe(k);
    /* A connection to the King succeeded: it lives, and will connect again. */
    attempt_failed(k, code < 0 ? code : H3OU__EPEER);
}

static void probe_king(waitio__king_link *k)
{
    waitio__instance *in = k->in;
    waitio__address to;
    waitio__endpoints_address(&in->table, waitio__endpoints_global(&in->table, k->pb, 0), &to);
    int code = waitio__tcp.open(&in->set.conduit, &to, &k->probe.link);
    if (!code) {
        k->probe.source = (waitio__source){.ready = handle_probe_ready, .round = -1};
        code = waitio__hub_add(&in->hub, &k->probe.source, &k->probe.link, true);
        if (code)
            k->probe.link.conduit->close(&k->probe.link);
    }
    k->probe.is_open = !code;
    if (code)
        attempt_failed(k, code);
}

static void attempt_link(waitio__king_link *k)
{
    k->since = h3ou__now();
    if (k->is_kings)
        probe_king(k);
    else
        connect_to_master(k);
}

void waitio__king_reconnect_begin(waitio__king_link *k)
{
    k->is_lost = true;
    k->lost = h3ou__now();
    k->pause = first_pause;
    h3ou__log(H3OU__LOG_WHISPER, "control_broken", "pb=%d reason=\"%s\"", k->pb, k->cause);
    attempt_link(k);
}

void waitio__king_reconnect_end(waitio__king_link *k)
{
    k->is_lost = false;
    if (k->greeting)
        waitio__greeting_drop(k->greeting);
    k->greeting = NULL;
    close_probe(k);
}

void waitio__king_reconnect_tick(waitio__king_link *k, double now)
{
    if (k->greeting && now - k->since > answer_within)
        waitio__greeting_poll(k->greeting); /* the answer may have arrived while this process was busy */
    if (!k->is_lost)
        return;
    bool is_busy = k->greeting || k->probe.is_open;
    if (now - k->lost > k->in->patience) {
        char text[H3OU__ERROR_TEXT];
        snprintf(text, sizeof text, "%s, and could not be reached for %g s (WAITIO_PATIENCE)", k->cause,
                 k->in->patience);
        waitio__king_reconnect_end(k);
        k->is_dead = true;
        waitio__king_link_job_died(k, text);
    } else if (is_busy && now - k->since > answer_within &&
               !(k->greeting && waitio__greeting_may_be_taken(k->greeting))) {
        waitio__king_reconnect_end(k);
        k->is_lost = true;
        schedule_attempt(k);
    } else if (!is_busy && now >= k->next_attempt) {
        attempt_link(k);
    }
}

void waitio__king_reconnect_arrived(waitio__instance *in, const waitio__greeting *g, const waitio__greet *king,
                                    waitio__link *link)
{
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (k->is_kings && k->pb == king->source && k->state == WAITIO__RECORDED && !k->is_dead) {
            if (king->epoch <= k->attempts)
                break; /* the King has given up this attempt, and made a later one */
            k->attempts = king->epoch;
            resume_link(k, g, link);
            return;
        }
    link->conduit->close(link);
}

/* The master's sockets for Kings: handlers of the greeting of a King that joins, or connects again. */

static const waitio__key *king_socket_key(void *owner, const waitio__greet *hello)
{
    waitio__instance *in = owner;
    if (hello->purpose == WAITIO__FOR_JOIN)
        return &in->self.join_key;
    if (hello->purpose == WAITIO__FOR_REJOIN && in->is_joined)
        return &in->self.lane_key;
    h3ou__fail(H3OU__EPROTO, "a connection that is not meant for a master");
    return NULL;
}

static void king_socket_judge(void *owner, const waitio__greet *proof, waitio__greet *verdict)
{
    bool is_lost = proof->purpose == WAITIO__FOR_REJOIN && waitio__job_loss_is_known(owner, proof->source);
    verdict->verdict = is_lost ? WAITIO__DEPARTED : WAITIO__TAKEN;
}

static void king_socket_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    waitio__instance *in = owner;
    if (other->purpose == WAITIO__FOR_JOIN) {
        waitio__king_link_new(in, g, link, true, NULL);
        return;
    }
    if (g->mine.verdict == WAITIO__TAKEN)
        waitio__king_reconnect_arrived(in, g, other, link);
}

static void king_socket_failed(void *owner, waitio__greeting *g, int code)
{
    (void)owner;
    (void)g;
    (void)code;
}

void waitio__king_link_accept(void *instance, waitio__link *link)
{
    static const waitio__greeting_ops king_socket_ops = {.key = king_socket_key,
                                                         .judge = king_socket_judge,
                                                         .greeted = king_socket_greeted,
                                                         .failed = king_socket_failed};
    waitio__instance *in = instance;
    waitio__greeting_accept(&in->greetings, link, &king_socket_ops, in);
}
