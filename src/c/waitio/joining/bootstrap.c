/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/joining/bootstrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "os/os_clock.h"
#include "waitio/joining/king_link.h"
#include "waitio/progress/progress.h"

static const double whisper_every = 10; /* s */
static const double farewell = 2;       /* s: for an error's sentence to leave */
static const double short_farewell = 0.3;
static const double second_wait = 10; /* s: for the holder of the port to say whether it is a master */

static int bootstrap_fail(waitio__bootstrap *b, int code, const char *text)
{
    waitio__instance_fail(b->in, code, text);
    return h3ou__fail(b->in->failed, "%s", b->in->failure.text);
}

static int fail_memory(waitio__bootstrap *b)
{
    char text[80];
    snprintf(text, sizeof text, "rank 0 of PB %d has no memory to send addresses", b->in->set.pbid);
    return bootstrap_fail(b, H3OU__ENOMEM, text);
}

/* Why jobs on other hosts cannot come; nothing when they can, or when the host's name says so itself. */
static const char *hint_of_master(const waitio__instance *in, char *text, size_t size)
{
    char at[WAITIO__ADDRESS_TEXT];
    *text = 0;
    if (h3ou__host_is_hidden(in->set.host, &in->set.master[0]))
        snprintf(text, size,
                 "WAITIO_MASTER_HOST=%s leads to %s here, where only jobs on this host can join: to join from others, "
                 "name an address of this host that they reach",
                 in->set.host, h3ou__address_text(&in->set.master[0], at));
    return text;
}

/* The master's port of this machine. Taken: perhaps by another job with PBID 0, which is asked then. */
static int listen_as_master(waitio__bootstrap *b)
{
    waitio__instance *in = b->in;
    char text[512] = "";
    int code =
        waitio__listeners_open(in->listening.kings, &waitio__tcp, &in->set.conduit, in->set.master, in->set.nmaster);
    b->is_second = code == H3OU__EREFUSED;
    if (b->is_second)
        return H3OU__OK;
    if (code == H3OU__EHOST)
        snprintf(text, sizeof text,
                 "WAITIO_MASTER_HOST=%s is not this machine, where rank 0 of the job with WAITIO_PBID=0 "
                 "runs: name this host, or start that job there",
                 in->set.host);
    else if (code)
        snprintf(text, sizeof text, "WAITIO_MASTER_PORT=%d: %s", in->set.port, h3ou__fail_text());
    for (int i = 0; i < WAITIO__MASTERS && !code; i++)
        if (in->listening.kings[i].is_open)
            code = waitio__listener_watch(&in->listening.kings[i], &in->hub, waitio__king_link_accept, in);
    if (code)
        return bootstrap_fail(b, code, *text ? text : h3ou__fail_text());
    b->is_master = true;
    waitio__random(&in->id, sizeof in->id);
    waitio__key_derive(&in->self.secret, "lane", in->id, &in->self.lane_key);
    h3ou__log(H3OU__LOG_LOUD, "master", "host=%s port=%d npb=%d", in->set.host, in->set.port, in->set.npb);
    if (*hint_of_master(in, text, sizeof text))
        h3ou__log(H3OU__LOG_WHISPER, "only_this_host", "master=%s:%d reason=\"%s\"", in->set.host, in->set.port, text);
    return H3OU__OK;
}

static void next_attempt(waitio__bootstrap *b)
{
    b->next_attempt = h3ou__now() + (b->attempt < 10 ? 0.02 : 0.2);
}

static void master_speak(void *owner, waitio__greet *proof)
{
    (void)owner;
    (void)proof;
}

static void master_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    waitio__bootstrap *b = owner;
    b->greeting = NULL;
    if (other->verdict != WAITIO__TAKEN || waitio__king_link_new(b->in, g, link, false, &b->link)) {
        next_attempt(b);
        return;
    }
    waitio__king_link_send(b->link, WAITIO__JOIN, b->in->set.pbid, b->in->set.run, strlen(b->in->set.run));
}

static void master_greeting_failed(void *owner, waitio__greeting *g, int code)
{
    waitio__bootstrap *b = owner;
    b->greeting = NULL;
    b->is_refused = code == H3OU__EREFUSED;
    b->is_foreign = code == H3OU__EPROTO;
    b->has_other_secret = g->has_other_secret;
    snprintf(b->cause, sizeof b->cause, "%.250s", h3ou__fail_text());
    next_attempt(b);
}

static const waitio__greeting_ops greeting_ops = {
    .speak = master_speak, .greeted = master_greeted, .failed = master_greeting_failed};

/* One more attempt to reach the master, when its time has come. */
static void master_attempt(waitio__bootstrap *b)
{
    waitio__instance *in = b->in;
    if (b->link && b->link->is_dead) {
        snprintf(b->cause, sizeof b->cause, "%s", b->link->cause);
        b->is_refused = false;
        waitio__king_link_drop(b->link);
        b->link = NULL;
        b->is_sent = false;
        next_attempt(b);
    }
    if (b->link || b->greeting || h3ou__now() < b->next_attempt)
        return;
    waitio__link link;
    waitio__greet hello = {.purpose = WAITIO__FOR_JOIN, .source = in->set.pbid};
    int code = waitio__tcp.open(&in->set.conduit, &in->set.master[b->attempt++ % in->set.nmaster], &link);
    next_attempt(b);
    if (code) {
        snprintf(b->cause, sizeof b->cause, "%.250s", h3ou__fail_text());
        b->is_refused = code == H3OU__EREFUSED;
        return;
    }
    b->greeting = waitio__greeting_open(&in->greetings, &link, &hello, &in->self.join_key, &greeting_ops, b);
}

/* A process replied at the master's address, but not as a master does. */
static bool is_foreign(const waitio__bootstrap *b)
{
    return b->is_foreign && !b->greeting && !b->link;
}

/* True if something accepts connections at the master's address. */
static bool is_reached(const waitio__bootstrap *b)
{
    return (b->link && !b->link->is_dead) || (b->greeting && !b->greeting->is_connecting);
}

static int fail_foreign(waitio__bootstrap *b)
{
    char text[640];
    if (b->has_other_secret)
        snprintf(text, sizeof text,
                 "the WaitIO master at %s:%d does not know the secret of this job: all jobs need the same file "
                 "~/.waitio/secret; copy it, or name a common one by WAITIO_SECRET_FILE",
                 b->in->set.host, b->in->set.port);
    else
        snprintf(text, sizeof text,
                 "what answers at %s:%d is no WaitIO master (%s): check WAITIO_MASTER_HOST and "
                 "WAITIO_MASTER_PORT, and choose a port that no other program uses",
                 b->in->set.host, b->in->set.port, b->cause);
    return bootstrap_fail(b, b->has_other_secret ? H3OU__EJOIN : H3OU__EPROTO, text);
}

static int fail_unreached(waitio__bootstrap *b)
{
    waitio__instance *in = b->in;
    char text[640];
    if (b->is_second)
        snprintf(text, sizeof text,
                 "WAITIO_MASTER_PORT=%d on %s is in use by another program: choose a free port, the same "
                 "in all jobs",
                 in->set.port, in->set.host);
    else if (is_reached(b))
        snprintf(text, sizeof text,
                 "waited %g s: something accepts connections at %s:%d but does not answer as a WaitIO "
                 "master: check WAITIO_MASTER_HOST and WAITIO_MASTER_PORT",
                 b->timeout, in->set.host, in->set.port);
    else
        snprintf(text, sizeof text,
                 "waited %g s for the master at %s:%d, %s: start the job with WAITIO_PBID=0, on that "
                 "host, and check WAITIO_MASTER_HOST and WAITIO_MASTER_PORT in all jobs",
                 b->timeout, in->set.host, in->set.port, *b->cause ? b->cause : "which does not answer");
    return bootstrap_fail(b, H3OU__ETIMEOUT, text);
}

static void log_waiting(waitio__bootstrap *b, const char *whom)
{
    double now = h3ou__now();
    if (now - b->whisper < whisper_every)
        return;
    b->whisper = now;
    h3ou__log(H3OU__LOG_WARNING, "waiting", "for=\"%s\" master=%s:%d seconds=%.0f", whom, b->in->set.host,
              b->in->set.port, now - b->begin);
}

/* The port is taken, but nobody listens there: an outgoing connection that chose it by chance, and will be gone soon.
 */
static int listen_again(waitio__bootstrap *b)
{
    if (!b->is_second || b->link || !b->is_refused)
        return H3OU__OK;
    b->is_refused = false;
    return listen_as_master(b);
}

int waitio__bootstrap_begin(waitio__bootstrap *b)
{
    waitio__instance *in = b->in;
    b->begin = b->whisper = h3ou__now();
    int code = in->set.pbid == 0 ? listen_as_master(b) : H3OU__OK;
    if (code || b->is_master)
        return code;
    /* What a second master is told depends on the first, which may be busy with its own processes. */
    double limit = b->is_second && b->timeout > second_wait ? second_wait : b->timeout;
    for (;;) {
        if (is_foreign(b))
            return b->is_second ? fail_unreached(b) : fail_foreign(b);
        code = listen_again(b);
        if (code || b->is_master)
            return code;
        master_attempt(b);
        waitio__progress(in, 0.02);
        if (in->failed)
            return h3ou__fail(in->failed, "%s", in->failure.text);
        /* A master that is there, and not busy with its own processes, learns now who is coming. */
        b->reached = is_reached(b) ? (b->reached > 0 ? b->reached : h3ou__now()) : 0;
        bool is_known = b->link || (b->reached > 0 && h3ou__now() - b->reached > 0.2);
        if (is_known && !b->is_second)
            return H3OU__OK;
        if (h3ou__now() - b->begin > limit)
            return fail_unreached(b);
        log_waiting(b, "master");
    }
}

/* missing: "PB 2, PB 3", or nothing when all have come but one is not ready. */
static int fail_incomplete(waitio__bootstrap *b, const char *missing)
{
    waitio__instance *in = b->in;
    char text[1024], near[512];
    hint_of_master(in, near, sizeof near);
    if (*missing)
        snprintf(text, sizeof text,
                 "waited %g s: %s of WAITIO_NPB=%d jobs did not join the master at %s:%d: start what is "
                 "missing, check its WAITIO_PBID, WAITIO_MASTER_HOST and WAITIO_MASTER_PORT, or lower WAITIO_NPB%s%s",
                 b->timeout, missing, in->set.npb, in->set.host, in->set.port, b->is_master && *near ? "; " : "",
                 b->is_master ? near : "");
    else
        snprintf(text, sizeof text,
                 "waited %g s: all %d jobs (WAITIO_NPB) came to the master at %s:%d, but in one of them "
                 "not all processes did: each process calls waitio_init or h3ou_init",
                 b->timeout, in->set.npb, in->set.host, in->set.port);
    return bootstrap_fail(b, H3OU__ETIMEOUT, text);
}

/* A King's second half: sends its addresses, waits for the table. */
static int finish_as_king(waitio__bootstrap *b)
{
    waitio__instance *in = b->in;
    for (;;) {
        if (is_foreign(b))
            return fail_foreign(b);
        master_attempt(b);
        if (b->link && !b->is_sent) {
            if (waitio__king_link_lend(b->link, WAITIO__RECORDS, b->records,
                                       WAITIO__SALT + (uint64_t)b->nprocs * WAITIO__ADDRESS))
                return fail_memory(b);
            b->is_sent = true;
        }
        waitio__progress(in, 0.02);
        if (in->failed)
            return h3ou__fail(in->failed, "%s", in->failure.text);
        bool is_welcome = b->link && b->link->state != WAITIO__UNKNOWN;
        if (is_welcome && b->link->state == WAITIO__RECORDED)
            break;
        const char *missing = is_welcome && b->link->nbytes ? (char *)b->link->bytes : "";
        double waited = h3ou__now() - b->begin;
        if (!is_welcome && waited > b->timeout)
            return fail_unreached(b);
        /* The master began at about the same time and knows best: its patience ends first. */
        if (is_welcome && waited > b->timeout + 1)
            return fail_incomplete(b, missing);
        log_waiting(b, is_welcome && *missing ? missing : "master");
    }
    in->id = b->link->instance;
    waitio__key_derive(&in->self.secret, "lane", in->id, &in->self.lane_key);
    b->table = b->link->bytes;
    b->ntable = b->link->nbytes;
    b->link->bytes = NULL;
    b->link->nbytes = 0;
    return H3OU__OK;
}

static waitio__king_link *recorded_link(waitio__instance *in, int pb)
{
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (k->pb == pb && k->state == WAITIO__RECORDED && !k->is_dead)
            return k;
    return NULL;
}

static bool is_complete(waitio__instance *in)
{
    for (int pb = 1; pb < in->set.npb; pb++)
        if (!recorded_link(in, pb))
            return false;
    return true;
}

static int make_table(waitio__bootstrap *b)
{
    waitio__instance *in = b->in;
    int npb = in->set.npb;
    const unsigned char **records = malloc((size_t)npb * sizeof *records);
    int *size = malloc((size_t)npb * sizeof *size);
    if (records && size) {
        for (int pb = 0; pb < npb; pb++) {
            waitio__king_link *k = pb ? recorded_link(in, pb) : NULL;
            records[pb] = pb ? k->bytes : b->records;
            size[pb] = pb ? (int)((k->nbytes - WAITIO__SALT) / WAITIO__ADDRESS) : b->nprocs;
        }
        b->table = waitio__endpoints_pack(npb, records, size, &b->ntable);
    }
    free(records);
    free(size);
    for (int pb = 1; pb < npb; pb++) {
        waitio__king_link *k = recorded_link(in, pb);
        free(k->bytes);
        k->bytes = NULL;
        k->nbytes = 0;
    }
    return b->table ? H3OU__OK : bootstrap_fail(b, H3OU__ENOMEM, "the master has no memory for the table of addresses");
}

static bool has_left(waitio__instance *in, void *arg)
{
    (void)arg;
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (!k->is_dead && waitio__channel_waiting(&k->channel))
            return false;
    return true;
}

/* True if all links over which the failure was told have been closed; *arg: also those that have not joined. */
static bool has_gone(waitio__instance *in, void *arg)
{
    const bool *with_unknown = arg;
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (!k->is_dead && k->is_told && (*with_unknown || k->state != WAITIO__UNKNOWN))
            return false;
    return true;
}

static int finish_as_master(waitio__bootstrap *b)
{
    waitio__instance *in = b->in;
    while (!is_complete(in) || in->failed || in->failure.job_died_at > 0) {
        char missing[256];
        waitio__progress(in, 0.02);
        if (in->failed)
            return h3ou__fail(in->failed, "%s", in->failure.text);
        waitio__king_links_missing(in, missing, sizeof missing);
        if (h3ou__now() - b->begin > b->timeout)
            return fail_incomplete(b, missing);
        log_waiting(b, *missing ? missing : "all processes of all jobs");
    }
    int code = make_table(b);
    if (code)
        return code;
    in->is_joined = true;
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
        if (k->state == WAITIO__RECORDED && !k->is_dead &&
            waitio__king_link_lend(k, WAITIO__TABLE, b->table, b->ntable))
            return fail_memory(b);
    /* The table is borrowed: who has not taken it by then does not get it. */
    if (waitio__progress_until(in, has_left, NULL, b->timeout, (waitio__awaited){0}))
        for (waitio__king_link *k = in->listening.king_links; k; k = k->next)
            if (!k->is_dead && waitio__channel_waiting(&k->channel)) {
                waitio__channel_free(&k->channel, H3OU__ETIMEOUT);
                k->is_dead = true;
            }
    return H3OU__OK;
}

int waitio__bootstrap_finish(waitio__bootstrap *b)
{
    if (b->in->failed)
        return h3ou__fail(b->in->failed, "%s", b->in->failure.text);
    return b->is_master ? finish_as_master(b) : finish_as_king(b);
}

static bool has_greeted(waitio__instance *in, void *arg)
{
    (void)in;
    return !((waitio__bootstrap *)arg)->greeting;
}

static bool is_never_done(waitio__instance *in, void *arg)
{
    (void)in;
    (void)arg;
    return false;
}

void waitio__bootstrap_fail(waitio__bootstrap *b)
{
    waitio__instance *in = b->in;
    size_t n = strnlen(in->failure.text, WAITIO__TEXT_MOST);
    if (b->greeting)
        waitio__progress_until(in, has_greeted, b, farewell, (waitio__awaited){0});
    if (b->greeting)
        waitio__greeting_drop(b->greeting);
    b->greeting = NULL;
    for (waitio__king_link *k = in->listening.king_links; k; k = k->next) {
        /* A King need not have read its WELCOME yet. */
        bool is_party =
            k->state == WAITIO__JOINED || k->state == WAITIO__RECORDED || (!k->is_kings && k->state == WAITIO__UNKNOWN);
        if (k->is_dead || !is_party)
            continue;
        k->is_told = true;
        waitio__king_link_send(k, WAITIO__REFUSED, in->failed, in->failure.text, n);
    }
    /* Until they have heard it: a link that closes with bytes unread takes back what was sent. */
    bool with_unknown = true;
    waitio__progress_until(in, has_gone, &with_unknown, short_farewell, (waitio__awaited){0});
    with_unknown = false;
    waitio__progress_until(in, has_gone, &with_unknown, farewell, (waitio__awaited){0});
    /* Waits for jobs that come to this master a little later, to refuse them with the same sentence. Another process of
     * its job that failed as well does not end the job meanwhile. */
    char missing[256];
    if ((b->is_master || b->is_second) && waitio__king_links_missing(in, missing, sizeof missing) > 0)
        waitio__progress_until(in, is_never_done, NULL, farewell, (waitio__awaited){0});
}
