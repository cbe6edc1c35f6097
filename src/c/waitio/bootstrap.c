/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joining: the King of every PB (its rank 0) talks to the master, the King of PB 0; endpoints travel inside each PB. A King
 * says HERE as soon as it can, so that the master knows a job that dies while it starts; when its processes' endpoints are
 * gathered it says JOIN; when all have, the master sends everyone the TABLE, or everyone the reason why not.
 * The link stays, as the connection between these two Kings.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>

#include "base/bytes.h"
#include "base/env.h"
#include "base/error.h"
#include "base/log.h"
#include "os/clock.h"
#include "waitio/instance.h"

typedef struct pb_state {
    waitio__conn *link;
    int size; /* 0: not heard of */
    unsigned char *record; /* NULL: not joined */
} pb_state;

typedef struct waitio__boot {
    h3ou__addr master;
    char master_text[512]; /* as the user wrote it */
    double began, timeout, told;
    /* the master's */
    pb_state *pb;
    int njoined;
    /* another King's */
    waitio__conn *link;
    bool is_welcome, has_table;
    char lost[512]; /* why the link is gone */
    /* of both: why the run cannot begin */
    int code;
    char text[WAITIO__TEXT];
} boot;

static void refuse_run(boot *b, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void refuse_run(boot *b, int code, const char *format, ...)
{
    if (b->code)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(b->text, sizeof b->text, format, args);
    va_end(args);
    b->code = code;
}

static void tell_refusal(waitio__conn *c, const char *text)
{
    waitio__frame f = {.kind = WAITIO__REFUSE};
    waitio__conn_send(c, &f, text, strlen(text));
}

/* --- the environment --- */

static int read_environment(waitio__instance *w, boot *b)
{
    int64_t npb, pb, port;
    const char *host = getenv("WAITIO_MASTER_HOST");
    static const char *const needed[] = {"WAITIO_MASTER_HOST", "WAITIO_MASTER_PORT", "WAITIO_PBID", "WAITIO_NPB"};
    for (int i = 0; i < 4; i++)
        if (!getenv(needed[i]) || !*getenv(needed[i]))
            return h3ou__fail(H3OU__EENV, "%s is not set: every process of the run needs WAITIO_MASTER_HOST, WAITIO_MASTER_PORT, "
                              "WAITIO_PBID (0 for the master's job) and WAITIO_NPB (how many jobs)", needed[i]);
    int err = h3ou__env_int("WAITIO_NPB", 1, 1 << 16, 1, &npb);
    if (err || (err = h3ou__env_int("WAITIO_PBID", 0, 1 << 16, 0, &pb)) != H3OU__OK ||
        (err = h3ou__env_int("WAITIO_MASTER_PORT", 1, 65535, 0, &port)) != H3OU__OK)
        return err;
    w->npb = (int)npb;
    w->pb = (int)pb;
    if (pb == 0 && npb < 1)
        return h3ou__fail(H3OU__EENV, "WAITIO_NPB must be 1 or more");
    snprintf(b->master_text, sizeof b->master_text, "%s:%d", host, (int)port);
    if ((err = h3ou__addr_resolve(host, (int)port, &b->master)) != H3OU__OK)
        return h3ou__fail_in(err, "WAITIO_MASTER_HOST");
    return H3OU__OK;
}

/* Where others find me: as told, or the way packets to the master take. */
static int open_listener(waitio__instance *w, const boot *b)
{
    const char *address = getenv("WAITIO_ADDRESS"), *device = getenv("WAITIO_DEVICE");
    h3ou__addr at;
    int err;
    if (address && *address)
        err = h3ou__addr_resolve(address, 0, &at);
    else if (device && *device)
        err = h3ou__addr_of_device(device, &at);
    else
        err = h3ou__addr_towards(&b->master, &at);
    if (err)
        return err;
    if ((err = waitio__conduit_tcp.listen(&at, &w->listener, &w->address)) != H3OU__OK) {
        char text[H3OU__ADDR_TEXT];
        w->listener.fd = -1;
        return h3ou__fail(H3OU__EHOST, "WAITIO_ADDRESS: %s is no address of this host", h3ou__addr_text(&at, text));
    }
    return waitio__watch(w, w->listener.fd, EPOLLIN, &w->listener, true);
}

/* --- frames on links --- */

static int bad_pb(waitio__instance *w, boot *b, const waitio__frame *f)
{
    if ((int)f->group != w->npb)
        refuse_run(b, H3OU__EJOIN, "the jobs disagree about WAITIO_NPB: it is %d where WAITIO_PBID=0 and %u where WAITIO_PBID=%u: set the "
                   "number of jobs, the same for all", w->npb, f->group, f->source);
    else if ((int)f->source >= w->npb)
        refuse_run(b, H3OU__EJOIN, "a job has WAITIO_PBID=%u, but WAITIO_NPB=%d allows 0 to %d: WAITIO_NPB is too small or WAITIO_PBID "
                   "too large", f->source, w->npb, w->npb - 1);
    else if (f->source == 0 || b->pb[f->source].link)
        refuse_run(b, H3OU__EJOIN, "two jobs have WAITIO_PBID=%u: give every job its own, from 0 to %d", f->source, w->npb - 1);
    return b->code;
}

/* A King at the master's door. */
static int here(waitio__conn *c)
{
    waitio__instance *w = c->instance;
    boot *b = w->boot;
    const waitio__frame *f = &c->frame;
    c->state = WAITIO__LINK;
    if (!b || !b->pb) {
        char text[256];
        snprintf(text, sizeof text, "the run is complete already: %s", w->master.fd >= 0
                 ? "WAITIO_NPB of the others is too small, or this job was started twice" : "this is not the master's port");
        tell_refusal(c, text);
        return H3OU__OK;
    }
    if (f->source > INT32_MAX || f->id < 1 || f->id > WAITIO__MOST_PROCS || bad_pb(w, b, f)) {
        tell_refusal(c, b->text);
        return H3OU__OK; /* told like all others */
    }
    c->pb = (int)f->source;
    b->pb[c->pb].link = c;
    b->pb[c->pb].size = (int)f->id;
    h3ou__log(H3OU__LOG_LOUD, "here", "pb=%d processes=%d", c->pb, b->pb[c->pb].size);
    waitio__frame answer = {.kind = WAITIO__WELCOME};
    return waitio__conn_send(c, &answer, NULL, 0);
}

static int join(waitio__conn *c)
{
    boot *b = c->instance->boot;
    if (!b || !b->pb || c->pb < 0 || b->pb[c->pb].record || c->frame.length != (uint64_t)b->pb[c->pb].size * H3OU__ADDR_BYTES)
        return h3ou__fail(H3OU__EPROTO, "endpoints that were not awaited");
    h3ou__addr a;
    for (int i = 0; i < b->pb[c->pb].size; i++)
        if (h3ou__addr_read((unsigned char *)c->own + (size_t)i * H3OU__ADDR_BYTES, &a))
            return H3OU__EPROTO;
    b->pb[c->pb].record = (unsigned char *)c->own;
    c->own = NULL;
    b->njoined++;
    return H3OU__OK;
}

/* The table: NPB sizes of 4 bytes, then all endpoints. */
static int keep_table(waitio__instance *w, const unsigned char *bytes, uint64_t length, uint64_t id)
{
    uint64_t head = 4 * (uint64_t)w->npb, all = 0;
    if (length < head)
        return h3ou__fail(H3OU__EPROTO, "the table of endpoints is cut off");
    for (int pb = 0; pb < w->npb; pb++) {
        uint32_t size = h3ou__get32(bytes + 4 * pb);
        if (size < 1 || size > WAITIO__MOST_PROCS || (all += size) > WAITIO__MOST_PROCS)
            return h3ou__fail(H3OU__EPROTO, "the table of endpoints is not one");
    }
    if (length != head + all * H3OU__ADDR_BYTES)
        return h3ou__fail(H3OU__EPROTO, "the table of endpoints has the wrong length");
    w->first = malloc(sizeof *w->first * (size_t)(w->npb + 1));
    w->endpoint = malloc(all * H3OU__ADDR_BYTES);
    if (!w->first || !w->endpoint)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the table of endpoints");
    w->first[0] = 0;
    for (int pb = 0; pb < w->npb; pb++)
        w->first[pb + 1] = w->first[pb] + (int)h3ou__get32(bytes + 4 * pb);
    memcpy(w->endpoint, bytes + head, all * H3OU__ADDR_BYTES);
    w->id = id;
    return H3OU__OK;
}

int waitio__link_frame(waitio__conn *c)
{
    waitio__instance *w = c->instance;
    boot *b = w->boot;
    switch (c->frame.kind) {
    case WAITIO__HERE:
        return c->pb < 0 ? here(c) : h3ou__fail(H3OU__EPROTO, "a King that says twice that it is here");
    case WAITIO__JOIN:
        return join(c);
    }
    if (!b || c != b->link) /* only the master says the rest */
        return h3ou__fail(H3OU__EPROTO, "frame of kind %d from a process that is not the master", c->frame.kind);
    int err = H3OU__OK;
    if (c->frame.kind == WAITIO__WELCOME)
        b->is_welcome = true;
    else if (c->frame.kind == WAITIO__REFUSE)
        refuse_run(b, H3OU__EJOIN, "%s", c->own ? c->own : "refused");
    else if (!b->has_table && (err = keep_table(w, (unsigned char *)c->own, c->frame.length, c->frame.id)) == H3OU__OK)
        b->has_table = true;
    return err;
}

void waitio__link_lost(waitio__conn *c, const char *why)
{
    boot *b = c->instance->boot;
    if (!b)
        return;
    if (b->pb && c->pb > 0 && b->pb[c->pb].link == c)
        refuse_run(b, H3OU__EPEER, "the job with WAITIO_PBID=%d died or left while the run began (%s)", c->pb, why);
    else if (b->link == c) {
        b->link = NULL;
        snprintf(b->lost, sizeof b->lost, "%s", why);
        if (b->is_welcome)
            refuse_run(b, H3OU__EPEER, "the master's job (WAITIO_PBID=0, %s) died or left while the run began", b->master_text);
    }
}

/* --- the master --- */

static void tell_waiting(boot *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell_waiting(boot *b, const char *format, ...)
{
    double waited = h3ou__now() - b->began;
    if (waited < b->told + 10.0)
        return;
    b->told = waited;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    h3ou__log(H3OU__LOG_WHISPER, "joining", "seconds=%.0f of=%.0f awaited=\"%s\"", waited, b->timeout, text);
}

static char *missing_pbs(const waitio__instance *w, const boot *b, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int pb = 0; pb < w->npb && used < size; pb++)
        if (!b->pb[pb].record)
            used += (size_t)snprintf(text + used, size - used, "%s%d", used ? ", " : "", pb);
    return text;
}

/* The port is taken: if by another master of this run, that one shall know too. */
static void port_in_use(waitio__instance *w, boot *b);

static int open_master(waitio__instance *w, boot *b)
{
    h3ou__addr bound;
    int err = waitio__conduit_tcp.listen(&b->master, &w->master, &bound);
    if (!err)
        return waitio__watch(w, w->master.fd, EPOLLIN, &w->master, true);
    w->master.fd = -1;
    if (err == H3OU__EREFUSED)
        port_in_use(w, b);
    else if (err == H3OU__EHOST)
        refuse_run(b, H3OU__EHOST, "WAITIO_MASTER_HOST=%s is no address of this host: start the job with WAITIO_PBID=0 there, or set the "
                   "address of the host where it runs", getenv("WAITIO_MASTER_HOST"));
    else
        refuse_run(b, err, "%s", h3ou__fail_text());
    return H3OU__OK;
}

static void await_kings(waitio__instance *w, boot *b)
{
    char missing[256];
    while (!b->code && b->njoined < w->npb) {
        int err = waitio__progress(w, 0.1, NULL);
        if (err)
            refuse_run(b, err, "%s", h3ou__fail_text());
        missing_pbs(w, b, missing, sizeof missing);
        tell_waiting(b, "WAITIO_PBID %s of WAITIO_NPB=%d", missing, w->npb);
        if (h3ou__now() - b->began > b->timeout)
            refuse_run(b, H3OU__ETIMEOUT, "after %.0f s the job with WAITIO_PBID %s is not here: it was not started, is not able to reach %s, "
                       "or WAITIO_NPB=%d is too large", b->timeout, missing, b->master_text, w->npb);
    }
}

static unsigned char *make_table(const waitio__instance *w, const boot *b, uint64_t *length)
{
    uint64_t all = 0, at = 4 * (uint64_t)w->npb;
    for (int pb = 0; pb < w->npb; pb++)
        all += (uint64_t)b->pb[pb].size;
    unsigned char *table = malloc(at + all * H3OU__ADDR_BYTES);
    for (int pb = 0; table && pb < w->npb; pb++) {
        h3ou__put32(table + 4 * pb, (uint32_t)b->pb[pb].size);
        memcpy(table + at, b->pb[pb].record, (size_t)b->pb[pb].size * H3OU__ADDR_BYTES);
        at += (uint64_t)b->pb[pb].size * H3OU__ADDR_BYTES;
    }
    *length = at;
    return table;
}

static void send_table(waitio__instance *w, boot *b)
{
    uint64_t length = 0, id = 0;
    unsigned char *table = make_table(w, b, &length);
    if (!table || getrandom(&id, sizeof id, 0) != sizeof id)
        refuse_run(b, H3OU__ENOMEM, "the master has no memory for the table of endpoints");
    if (!b->code && keep_table(w, table, length, id))
        refuse_run(b, H3OU__EPROTO, "%s", h3ou__fail_text());
    for (int pb = 1; pb < w->npb && !b->code; pb++) {
        waitio__frame f = {.kind = WAITIO__TABLE, .id = id};
        if (waitio__conn_send(b->pb[pb].link, &f, (char *)table, length))
            refuse_run(b, H3OU__ENOMEM, "%s", h3ou__fail_text());
    }
    free(table);
}

/* Everything queued is written, or the seconds are over. */
static void flush_links(waitio__instance *w, double seconds)
{
    double end = h3ou__now() + seconds;
    for (bool busy = true; busy && h3ou__now() < end;) {
        busy = false;
        for (waitio__conn *c = w->conns; c; c = c->next)
            busy |= c->state == WAITIO__LINK && c->first;
        if (busy && waitio__progress(w, 0.05, NULL))
            return;
    }
}

static void be_master(waitio__instance *w, boot *b, const waitio__inside *inside, unsigned char *records)
{
    b->pb[0].size = inside->size;
    b->pb[0].record = records;
    b->njoined = 1;
    await_kings(w, b);
    if (!b->code)
        send_table(w, b);
    if (b->code)
        for (int pb = 1; pb < w->npb; pb++)
            if (b->pb[pb].link && b->pb[pb].link->state == WAITIO__LINK)
                tell_refusal(b->pb[pb].link, b->text);
    flush_links(w, 5.0);
}

/* --- the other Kings --- */

static void open_link(waitio__instance *w, boot *b, int size)
{
    waitio__frame f = {.kind = WAITIO__HERE, .source = (uint32_t)w->pb, .group = (uint32_t)w->npb, .id = (uint64_t)size};
    b->is_welcome = false;
    if (waitio__conn_open(w, &b->master, &b->link)) {
        b->link = NULL;
        snprintf(b->lost, sizeof b->lost, "%s", h3ou__fail_text());
        return;
    }
    b->link->pb = 0;
    waitio__conn_send(b->link, &f, NULL, 0);
}

static void not_there(boot *b)
{
    if (b->link)
        refuse_run(b, H3OU__ETIMEOUT, "%s took the connection but did not answer as the master of a WaitIO run for %.0f s: is "
                   "WAITIO_MASTER_PORT right?", b->master_text, b->timeout);
    else
        refuse_run(b, H3OU__EREFUSED, "no master at %s after %.0f s (%s): is the job with WAITIO_PBID=0 running, with the same "
                   "WAITIO_MASTER_HOST and WAITIO_MASTER_PORT?", b->master_text, b->timeout, b->lost);
}

/* Until the master welcomes me. It may be started later than I: refused connections are tried again. */
static void find_master(waitio__instance *w, boot *b, int size)
{
    while (!b->code && !b->is_welcome) {
        if (!b->link)
            open_link(w, b, size);
        if (waitio__progress(w, 0.05, NULL))
            refuse_run(b, H3OU__EOS, "%s", h3ou__fail_text());
        if (!b->link && !b->code)
            h3ou__sleep(0.05);
        tell_waiting(b, "the master at %s", b->master_text);
        if (!b->is_welcome && h3ou__now() - b->began > b->timeout)
            not_there(b);
    }
}

static void await_table(waitio__instance *w, boot *b, unsigned char *records, int size)
{
    waitio__frame f = {.kind = WAITIO__JOIN};
    if (b->code || !b->link)
        return;
    waitio__conn_send(b->link, &f, (char *)records, (uint64_t)size * H3OU__ADDR_BYTES);
    while (!b->code && !b->has_table) {
        if (waitio__progress(w, 0.1, NULL))
            refuse_run(b, H3OU__EOS, "%s", h3ou__fail_text());
        tell_waiting(b, "the other jobs, by the master at %s", b->master_text);
        /* The master's patience counts from its own start and its sentence is the better one: wait a little longer. */
        if (h3ou__now() - b->began > 2 * b->timeout + 5.0)
            refuse_run(b, H3OU__ETIMEOUT, "the master at %s did not begin the run within %.0f s", b->master_text, 2 * b->timeout);
    }
}

static void port_in_use(waitio__instance *w, boot *b)
{
    double timeout = b->timeout;
    pb_state *mine = b->pb;
    b->timeout = 2.0;
    b->pb = NULL;
    find_master(w, b, 1);
    if (b->link)
        waitio__conn_close(b->link);
    b->link = NULL;
    b->pb = mine;
    b->timeout = timeout;
    snprintf(b->text, sizeof b->text, "port %s is in use on this host: two jobs have WAITIO_PBID=0, or another program has that "
             "port; give every job its own WAITIO_PBID, or choose another WAITIO_MASTER_PORT", b->master_text);
    b->code = H3OU__EJOIN;
}

/* --- all --- */

/* The links become the connections between their Kings. */
static void keep_links(waitio__instance *w, boot *b)
{
    for (int pb = 0; pb < w->npb; pb++) {
        waitio__conn *c = w->pb == 0 ? b->pb[pb].link : pb == 0 ? b->link : NULL;
        waitio__peer *p = c ? waitio__peer_get(w, w->first[pb]) : NULL;
        if (!p)
            continue;
        c->peer = p;
        c->is_link = true;
        c->state = WAITIO__READY;
        p->conn = c;
    }
    waitio__conns_sweep(w);
}

/* The King tells its PB how it went: code, sentence, and the table. */
static int share_result(waitio__instance *w, boot *b, const waitio__inside *inside)
{
    struct {
        int64_t code, npb, id;
        char text[WAITIO__TEXT];
    } result = {b->code, w->npb, (int64_t)w->id, ""};
    snprintf(result.text, sizeof result.text, "%s", b->text);
    int err = inside->bcast(inside->self, &result, sizeof result);
    if (err)
        return err;
    if (result.code)
        return h3ou__fail((int)result.code, "%s", result.text);
    w->npb = (int)result.npb;
    w->id = (uint64_t)result.id;
    if (inside->rank != 0 && !(w->first = malloc(sizeof *w->first * (size_t)(w->npb + 1))))
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the table of endpoints");
    if ((err = inside->bcast(inside->self, w->first, sizeof *w->first * (size_t)(w->npb + 1))) != H3OU__OK)
        return err;
    size_t bytes = (size_t)w->first[w->npb] * H3OU__ADDR_BYTES;
    if (inside->rank != 0 && !(w->endpoint = malloc(bytes)))
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the table of endpoints");
    return inside->bcast(inside->self, w->endpoint, bytes);
}

static int join_king(waitio__instance *w, boot *b, const waitio__inside *inside, const unsigned char *mine)
{
    unsigned char *records = malloc((size_t)inside->size * H3OU__ADDR_BYTES);
    if (!records || (w->pb == 0 && !(b->pb = calloc((size_t)w->npb, sizeof *b->pb)))) {
        free(records);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the endpoints of this job");
    }
    if (!b->code && w->pb == 0 && open_master(w, b))
        refuse_run(b, H3OU__EOS, "%s", h3ou__fail_text());
    if (!b->code && w->pb != 0)
        find_master(w, b, inside->size);
    int err = inside->gather(inside->self, mine, H3OU__ADDR_BYTES, records);
    for (int i = 0; i < inside->size && !err && !b->code; i++) {
        h3ou__addr a;
        if (h3ou__addr_read(records + (size_t)i * H3OU__ADDR_BYTES, &a))
            refuse_run(b, H3OU__EHOST, "process %d of the job with WAITIO_PBID=%d could not open a port, or its environment lacks "
                       "WAITIO_MASTER_HOST, WAITIO_MASTER_PORT, WAITIO_PBID or WAITIO_NPB", i, w->pb);
    }
    if (!err && w->pb == 0)
        be_master(w, b, inside, records);
    else if (!err)
        await_table(w, b, records, inside->size);
    if (!err && !b->code)
        keep_links(w, b);
    if (b->pb)
        b->pb[0].record = NULL;
    free(records);
    return err;
}

static void boot_free(waitio__instance *w)
{
    boot *b = w->boot;
    for (int pb = 0; b->pb && pb < w->npb; pb++)
        free(b->pb[pb].record);
    free(b->pb);
    free(b);
    w->boot = NULL;
}

int waitio__bootstrap(waitio__instance *w, const waitio__inside *inside, double timeout)
{
    unsigned char mine[H3OU__ADDR_BYTES] = {0};
    boot *b = w->boot = calloc(1, sizeof *b);
    if (!b)
        return h3ou__fail(H3OU__ENOMEM, "out of memory");
    b->began = h3ou__now();
    b->timeout = timeout;
    w->rank = inside->rank;
    w->size = inside->size;
    /* An error of one process is its PB's: it is told by an endpoint that is none, or by the King. */
    int own = read_environment(w, b);
    if (!own)
        own = open_listener(w, b);
    if (!own)
        h3ou__addr_write(&w->address, mine);
    int err;
    if (inside->rank == 0) {
        if (own)
            refuse_run(b, own, "%s", h3ou__fail_text());
        w->npb = w->npb > 0 ? w->npb : 1;
        err = join_king(w, b, inside, mine);
    } else {
        err = inside->gather(inside->self, mine, H3OU__ADDR_BYTES, NULL);
    }
    if (!err)
        err = share_result(w, b, inside);
    if (!err)
        w->me = w->first[w->pb] + w->rank;
    boot_free(w);
    return err;
}
