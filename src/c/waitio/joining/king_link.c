/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/joining/king_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/identity/encrypted_link.h"
#include "waitio/joining/king_reconnect.h"
#include "waitio/message/job_loss.h"

static const double grace = 0.3;  /* s: grace period; an ABORT on another link may say why the job died */
static const double silence = 30; /* s: a link on which no JOIN has come is closed then */

static bool is_expected(const waitio__king_link *k, const waitio__frame *f)
{
    switch (f->kind) {
    case WAITIO__JOIN:
        return k->is_kings && k->state == WAITIO__UNKNOWN;
    case WAITIO__RECORDS:
        return k->is_kings && k->state == WAITIO__JOINED && f->length > WAITIO__SALT &&
               (f->length - WAITIO__SALT) % WAITIO__ADDRESS == 0;
    case WAITIO__WELCOME:
        return !k->is_kings && (k->state == WAITIO__UNKNOWN || k->state == WAITIO__JOINED);
    case WAITIO__TABLE:
        return !k->is_kings && k->state == WAITIO__JOINED;
    case WAITIO__REFUSED:
        return !k->is_kings || k->state == WAITIO__JOINED || k->state == WAITIO__RECORDED;
    case WAITIO__BYE:
        return k->state == WAITIO__RECORDED && (k->in->is_joined || !k->is_kings);
    case WAITIO__ABORT:
        return k->state == WAITIO__RECORDED || k->state == WAITIO__JOINED;
    case WAITIO__LOST:
        return k->state == WAITIO__RECORDED;
    }
    return false;
}

/* The payload of f is dropped. The run can begin without a sentence, but not without addresses; the link stays, to say
 * so. */
static void no_memory(waitio__king_link *k, const waitio__frame *f)
{
    char text[160];
    snprintf(text, sizeof text, "rank 0 of PB %d has no memory for the addresses of %s (%zu bytes)", k->in->set.pbid,
             f->kind == WAITIO__TABLE ? "all processes" : "another job's processes", (size_t)f->length);
    if (f->kind == WAITIO__TABLE || f->kind == WAITIO__RECORDS)
        waitio__instance_fail(k->in, H3OU__ENOMEM, text);
}

static int king_link_frame(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    waitio__king_link *k = owner;
    if (!is_expected(k, f))
        return h3ou__fail(H3OU__EPROTO, "frame %s out of order", waitio__frame_name(f->kind));
    uint64_t n = waitio__frame_payload(f);
    if (f->kind == WAITIO__BYE)
        return H3OU__OK;
    if (f->kind == WAITIO__LOST) {
        free(k->loss);
        k->loss = calloc(1, n + 1);
        *place = (unsigned char *)k->loss;
        *room = k->loss ? n : 0; /* without memory for the sentence the job is lost all the same */
        return H3OU__OK;
    }
    free(k->bytes);
    k->bytes = malloc(n + 1);
    k->nbytes = k->bytes ? n : 0;
    if (!k->bytes) {
        no_memory(k, f);
        return H3OU__OK;
    }
    k->bytes[n] = 0;
    *place = k->bytes;
    *room = n;
    return H3OU__OK;
}

static waitio__king_link *king_link_of_pb(const waitio__instance *in, int pb)
{
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (k->pb == pb && !k->is_dead && k->state != WAITIO__UNKNOWN && k->state != WAITIO__REJECTED)
            return k;
    return NULL;
}

int waitio__king_links_missing(const waitio__instance *in, char *text, size_t size)
{
    enum { NAMED = 20 };
    int n = 0;
    size_t used = 0;
    *text = 0;
    for (int pb = 1; pb < in->set.npb; pb++) {
        if (king_link_of_pb(in, pb) || n++ >= NAMED || used >= size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%sPB %d", n > 1 ? ", " : "", pb);
    }
    if (n > NAMED && used < size)
        snprintf(text + used, size - used, " and %d more", n - NAMED);
    return n;
}

static void king_welcome(waitio__king_link *k, const char *missing)
{
    waitio__king_link_send(k, WAITIO__WELCOME, 0, missing, strlen(missing));
}

static void king_reject(waitio__king_link *k, const char *text)
{
    k->state = WAITIO__REJECTED;
    waitio__king_link_send(k, WAITIO__REFUSED, H3OU__EJOIN, text, strlen(text));
}

static void reject_late(waitio__king_link *k)
{
    char text[512];
    waitio__instance *in = k->in;
    snprintf(
        text, sizeof text,
        "the run of the master at %s:%d has begun: all %d jobs (WAITIO_NPB) had joined before this one came; give each "
        "job its own WAITIO_PBID and each run its own WAITIO_MASTER_PORT",
        in->set.host, in->set.port, in->set.npb);
    king_reject(k, text);
}

/* Two runs on one port can be told apart only by what their jobs were given: COUPLER_JOB_ID. True: the job of k has been
 * refused, and this run goes on without it. */
static bool reject_other_run(waitio__king_link *k)
{
    char text[512], run[WAITIO__RUN_MOST + 1] = "";
    waitio__instance *in = k->in;
    snprintf(run, sizeof run, "%s", k->nbytes ? (char *)k->bytes : "");
    if (!*run || !*in->set.run || !strcmp(run, in->set.run))
        return false;
    snprintf(text, sizeof text,
             "the master at %s:%d belongs to another run (its COUPLER_JOB_ID is %s, that of this job is %s): give each "
             "run its own WAITIO_MASTER_PORT, or all jobs of a run the same COUPLER_JOB_ID",
             in->set.host, in->set.port, in->set.run, run);
    king_reject(k, text);
    return true;
}

/* A King asks to join. What is wrong ends the run for all jobs, so that none waits for the others. */
static int king_join(waitio__king_link *k, const waitio__frame *f)
{
    waitio__instance *in = k->in;
    char text[512] = "", missing[256];
    if (reject_other_run(k))
        return H3OU__OK;
    if (in->failed) {
        k->state = WAITIO__REJECTED;
        waitio__king_link_send(k, WAITIO__REFUSED, in->failed, in->failure.text,
                               strnlen(in->failure.text, WAITIO__TEXT_MOST));
        return H3OU__OK;
    }
    if (in->is_joined) {
        reject_late(k);
        return H3OU__OK;
    }
    if (f->tag < 0 || f->tag > INT32_MAX || f->group < 1)
        return h3ou__fail(H3OU__EPROTO, "a job with number %lld of %d", (long long)f->tag, f->group);
    k->pb = (int)f->tag;
    if (f->group != in->set.npb)
        snprintf(text, sizeof text,
                 "PB %d was started with WAITIO_NPB=%d, but the master (PB 0) with WAITIO_NPB=%d: give "
                 "all jobs the number of jobs",
                 k->pb, f->group, in->set.npb);
    else if (k->pb >= in->set.npb)
        snprintf(text, sizeof text,
                 "a job has WAITIO_PBID=%d, but WAITIO_NPB=%d allows 0 to %d: raise WAITIO_NPB in all "
                 "jobs, or number them from 0",
                 k->pb, in->set.npb, in->set.npb - 1);
    else if (k->pb == 0 || king_link_of_pb(in, k->pb))
        snprintf(
            text, sizeof text,
            "two jobs have WAITIO_PBID=%d: give each job its own, from 0 to WAITIO_NPB - 1 = %d, and each run its own "
            "WAITIO_MASTER_PORT",
            k->pb, in->set.npb - 1);
    k->state = WAITIO__JOINED;
    in->has_news = true;
    waitio__king_links_missing(in, missing, sizeof missing);
    king_welcome(k, missing);
    h3ou__log(H3OU__LOG_LOUD, "join", "pb=%d", k->pb);
    if (*text)
        waitio__instance_fail(in, H3OU__EJOIN, text);
    return H3OU__OK;
}

static void reply_bye(waitio__king_link *k)
{
    if (!k->said_bye)
        waitio__king_link_send(k, WAITIO__BYE, 0, NULL, 0);
    k->said_bye = true;
}

static void handle_abort(waitio__king_link *k, int code, const char *text)
{
    waitio__instance *in = k->in;
    if (k->is_kings && waitio__job_loss_is_allowed(in, k->pb)) {
        waitio__job_loss_ended(in, k->pb, text); /* it did not know yet that it may be lost */
    } else {
        waitio__instance_fail(in, code, text);
        if (k->is_kings)
            waitio__king_links_tell(in, WAITIO__ABORT, code, text, k);
    }
    reply_bye(k);
}

static int handle_lost(waitio__king_link *k, const waitio__frame *f)
{
    waitio__instance *in = k->in;
    if (f->tag < 0 || f->tag >= in->set.npb)
        return h3ou__fail(H3OU__EPROTO, "the loss of a job with number %lld of %d", (long long)f->tag, in->set.npb);
    waitio__job_loss_note(in, (int)f->tag, k->loss && *k->loss ? k->loss : "a job was lost", 0, !k->is_kings);
    if (f->tag == k->pb)
        reply_bye(k); /* it ends itself, and waits for an answer */
    return H3OU__OK;
}

static int king_link_payload(void *owner, const waitio__frame *f)
{
    waitio__king_link *k = owner;
    waitio__instance *in = k->in;
    int code = f->tag < 0 && f->tag > -1000 ? (int)f->tag : H3OU__EABORT;
    const char *text = k->nbytes && *k->bytes ? (char *)k->bytes : "another job ended the run";
    switch (f->kind) {
    case WAITIO__JOIN:
        return king_join(k, f);
    case WAITIO__WELCOME:
        k->state = WAITIO__JOINED;
        break;
    case WAITIO__RECORDS:
        k->state = WAITIO__RECORDED;
        break;
    case WAITIO__TABLE:
        k->state = WAITIO__RECORDED;
        k->instance = f->id;
        break;
    case WAITIO__REFUSED:
        k->state = WAITIO__REJECTED;
        waitio__instance_fail(in, code, text);
        break;
    case WAITIO__ABORT:
        handle_abort(k, code, text);
        break;
    case WAITIO__LOST:
        return handle_lost(k, f);
    case WAITIO__BYE:
        k->heard_bye = true;
        break;
    }
    return H3OU__OK;
}

/* ", component ocean", if the program said it. */
static void name_job(const waitio__instance *in, int pb, char *text, size_t size)
{
    const char *name = in->job_name && pb >= 0 && pb < in->set.npb ? in->job_name[pb] : NULL;
    snprintf(text, size, "%s%.200s", name ? ", " : "", name ? name : "");
}

void waitio__king_link_job_died(waitio__king_link *k, const char *cause)
{
    waitio__instance *in = k->in;
    int pb = k->is_kings ? k->pb : 0;
    bool may_be_lost = waitio__job_loss_is_allowed(in, pb);
    if (in->failed || (in->failure.job_died_at > 0 && !may_be_lost))
        return;
    char name[256], text[H3OU__ERROR_TEXT];
    name_job(in, pb, name, sizeof name);
    if (k->is_kings)
        snprintf(text, sizeof text, "the job of PB %d%s%s died%s: its rank 0 has gone without goodbye (%s)", pb, name,
                 *name ? "," : "", in->is_joined ? "" : " while the jobs joined", cause);
    else
        snprintf(text, sizeof text,
                 "the job of the master (PB 0%s, at %s:%d) died%s: its rank 0 has gone without goodbye (%s)", name,
                 in->set.host, in->set.port, in->is_joined ? "" : " while the jobs joined", cause);
    if (may_be_lost) {
        waitio__job_loss_note(in, pb, text, grace, false);
        return;
    }
    in->failure.job_died_at = h3ou__now();
    memcpy(in->failure.job_died_text, text, sizeof text);
}

static void king_link_broken(void *owner, int code)
{
    waitio__king_link *k = owner;
    k->code = code;
    snprintf(k->cause, sizeof k->cause, "%.250s", h3ou__fail_text());
    bool is_party = k->state == WAITIO__JOINED || k->state == WAITIO__RECORDED;
    /* The end that has said goodbye stays until it has heard that of the other. */
    bool is_over = k->heard_bye && k->said_bye;
    if (is_party && !is_over && k->in->is_joined && !k->in->failed && k->in->table.first) {
        waitio__king_reconnect_begin(k);
        return;
    }
    k->is_dead = true;
    if (is_party && !k->heard_bye)
        waitio__king_link_job_died(k, k->cause);
    else if (k->is_kings && k->state == WAITIO__UNKNOWN)
        h3ou__log(H3OU__LOG_WHISPER, "stranger_refused", "reason=\"%s\"", k->cause);
}

static void lent_done(void *item, int code)
{
    (void)item;
    (void)code;
}

static const waitio__channel_ops ops = {
    .in = {.frame = king_link_frame, .payload = king_link_payload}, .broken = king_link_broken, .done = lent_done};

/* Links on which no JOIN has come get no more places than unauthenticated peers: closes the oldest for a new one. */
static void make_room(waitio__instance *in)
{
    waitio__king_link *oldest = NULL;
    int n = 0;
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next) /* the list begins with the newest */
        if (k->is_kings && k->state == WAITIO__UNKNOWN && !k->is_dead) {
            oldest = k;
            n++;
        }
    if (n < in->greetings.guests_most)
        return;
    h3ou__log(H3OU__LOG_WHISPER, "stranger_refused", "reason=\"too many connections that do not say what they want\"");
    waitio__channel_detach(&oldest->channel);
    oldest->is_dead = true; /* freed by unjoined_sweep, outside of the hub's turn */
}

static const waitio__king_ops king_ops;

int waitio__king_link_new(waitio__instance *in, const waitio__greeting *g, waitio__link *link, bool is_kings,
                          waitio__king_link **out)
{
    waitio__king_link *k = waitio__memory_take(&in->memory, WAITIO__USE_LINKS, sizeof *k);
    if (!k) {
        link->conduit->close(link);
        return H3OU__ENOMEM;
    }
    if (is_kings)
        make_room(in);
    k->in = in;
    k->is_kings = is_kings;
    k->pb = is_kings ? -1 : 0;
    k->since = h3ou__now();
    int code = waitio__king_link_renew(k, g, link);
    if (code) {
        waitio__memory_give(&in->memory, WAITIO__USE_LINKS, k, sizeof *k);
        return code;
    }
    k->next = in->listening.king_links;
    in->listening.king_links = k;
    in->listening.king_ops = &king_ops;
    if (out)
        *out = k;
    return H3OU__OK;
}

int waitio__king_link_renew(waitio__king_link *k, const waitio__greeting *g, waitio__link *link)
{
    waitio__key key[2];
    if (k->channel.hub)
        waitio__channel_free(&k->channel, H3OU__EPEER);
    waitio__channel_init(&k->channel, &k->in->hub, &ops, k, false);
    waitio__greeting_keys(g, key);
    int code =
        waitio__encrypted_link_wrap(link, WAITIO__ENCRYPTED_SHORT, &key[!g->is_mine], &key[g->is_mine], &k->in->memory);
    if (code) {
        link->conduit->close(link);
        return code;
    }
    return waitio__channel_attach(&k->channel, link);
}

static waitio__frame make_frame(const waitio__king_link *k, int kind, int64_t tag, uint64_t n)
{
    waitio__instance *in = k->in;
    return (waitio__frame){.kind = kind, .group = in->set.npb, .tag = tag, .length = n, .id = in->id};
}

void waitio__king_link_send(waitio__king_link *k, int kind, int64_t tag, const void *payload, uint64_t n)
{
    waitio__frame f = make_frame(k, kind, tag, n);
    if (waitio__channel_send(&k->channel, &f, payload)) {
        waitio__channel_detach(&k->channel);
        k->is_dead = true;
    }
}

int waitio__king_link_put(waitio__king_link *k, int kind)
{
    waitio__frame f = make_frame(k, kind, 0, 0);
    return waitio__channel_send(&k->channel, &f, NULL);
}

int waitio__king_link_lend(waitio__king_link *k, int kind, const void *payload, uint64_t n)
{
    waitio__frame f = make_frame(k, kind, 0, n);
    int code = waitio__channel_lend(&k->channel, &f, payload, k);
    if (!code)
        waitio__channel_flush(&k->channel);
    return code;
}

void waitio__king_links_tell(waitio__instance *in, int kind, int64_t tag, const char *text,
                             const waitio__king_link *but)
{
    size_t n = strnlen(text, WAITIO__TEXT_MOST);
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next) {
        /* A King that has said goodbye and has not heard mine still waits in waitio_finalize. */
        if (k == but || k->is_dead || (k->heard_bye && k->said_bye) ||
            (k->state != WAITIO__JOINED && k->state != WAITIO__RECORDED))
            continue;
        waitio__king_link_send(k, kind, tag, text, n);
        k->is_told = true;
    }
}

static void send_loss(waitio__king_link *k, int pb)
{
    const char *why = waitio__job_loss_why(k->in, pb);
    waitio__king_link_send(k, WAITIO__LOST, pb, why, strnlen(why, WAITIO__TEXT_MOST));
}

void waitio__king_link_tell_losses(waitio__king_link *k)
{
    for (int pb = 0; pb < k->in->set.npb; pb++)
        if (waitio__job_loss_is_known(k->in, pb))
            send_loss(k, pb);
}

static void spread_loss(waitio__instance *in, int pb)
{
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next) {
        if (k->is_dead || k->state != WAITIO__RECORDED)
            continue;
        if (!(k->heard_bye && k->said_bye))
            send_loss(k, pb);
        if (k->pb != pb)
            continue;
        waitio__king_reconnect_end(k);
        waitio__channel_detach(&k->channel);
        k->is_dead = true;
    }
}

void waitio__king_link_drop(waitio__king_link *k)
{
    waitio__king_link **place = &k->in->listening.king_links;
    while (*place != k)
        place = &(*place)->next;
    *place = k->next;
    waitio__king_reconnect_end(k);
    waitio__channel_free(&k->channel, H3OU__EPEER);
    free(k->bytes);
    free(k->loss);
    waitio__memory_give(&k->in->memory, WAITIO__USE_LINKS, k, sizeof *k);
}

/* Frees links that did not join and are closed, and closes those that have been silent. Called outside of the hub's
 * turn. */
static void unjoined_sweep(waitio__instance *in, double now)
{
    for (waitio__king_link **place = &in->listening.king_links; *place;) {
        waitio__king_link *k = *place;
        bool is_unjoined = k->is_kings && (k->state == WAITIO__UNKNOWN || k->state == WAITIO__REJECTED);
        if (is_unjoined && !k->is_dead && now - k->since > silence) {
            h3ou__log(H3OU__LOG_WHISPER, "stranger_refused", "reason=\"it said nothing for %g s\"", silence);
            waitio__channel_detach(&k->channel);
            k->is_dead = true;
        }
        if (!is_unjoined || !k->is_dead) {
            place = &k->next;
            continue;
        }
        waitio__king_link_drop(k);
    }
}

/* Tells the Kings that have joined which PBs are still missing. */
static void missing_announce(waitio__instance *in)
{
    char missing[256];
    in->has_news = false;
    waitio__king_links_missing(in, missing, sizeof missing);
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (!k->is_dead && (k->state == WAITIO__JOINED || k->state == WAITIO__RECORDED))
            king_welcome(k, missing);
}

static void tick_links(waitio__instance *in, double now)
{
    unjoined_sweep(in, now);
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (k->is_lost && !in->failed)
            waitio__king_reconnect_tick(k, now);
    if (in->has_news && !in->is_joined && !in->failed)
        missing_announce(in);
    for (int i = 0; i < WAITIO__MASTERS; i++)
        waitio__listener_retry(&in->listening.kings[i]);
    if (in->failure.job_died_at > 0 && !in->failed && now - in->failure.job_died_at > grace) {
        waitio__instance_fail(in, H3OU__EPEER, in->failure.job_died_text);
        if (in->set.pbid == 0 && in->is_joined)
            waitio__king_links_tell(in, WAITIO__ABORT, H3OU__EPEER, in->failure.job_died_text, NULL);
    }
}

static void free_links(waitio__instance *in)
{
    while (in->listening.king_links)
        waitio__king_link_drop(in->listening.king_links);
}

static const waitio__king_ops king_ops = {
    .tick = tick_links, .arrived = waitio__king_reconnect_arrived, .lost = spread_loss, .free = free_links};
