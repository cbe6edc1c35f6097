/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joining the instance. Each process opens its listening sockets; the addresses go to the King of its PB, which
 * exchanges them with the master (bootstrap.c) and broadcasts the table, or the sentence of what failed anywhere, to
 * the PB: all its processes return the same code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/log.h"
#include "waitio/joining/bootstrap.h"
#include "waitio/joining/finalize.h"
#include "waitio/joining/job_collectives.h"
#include "waitio/message/instance.h"
#include "waitio/message/lane_connect.h"
#include "waitio/progress/progress_thread.h"

enum { TEXT = 484, RECORD = 4 + WAITIO__ADDRESS, VERDICT = 20 + WAITIO__KEY, PIECE = 1 << 20 };

static const double default_timeout = 600; /* s */
static bool has_begun;                     /* waitio__join was called in this process */

/* What each process tells its King: how it went, and where it listens. */
static void put_record(unsigned char record[RECORD], int code, const waitio__address *at)
{
    h3ou__put32(record, (uint32_t)code);
    waitio__endpoint_put(at, record + 4);
}

/* Only when one has failed all are asked for their sentence, since together these are many bytes. The first process
 * that failed speaks for the PB. */
static int check_records(waitio__instance *in, const waitio__job_collectives *inside, const unsigned char *records,
                         const char text[TEXT], int code)
{
    unsigned char asked[4] = {0};
    int n = records && !code ? inside->size : 0, first = 0;
    while (first < n && !h3ou__get32(records + (size_t)first * RECORD))
        first++;
    char *texts = first < n ? calloc((size_t)n, TEXT) : NULL;
    if (first < n && !texts)
        waitio__instance_fail(in, H3OU__ENOMEM, "no memory for the sentences of the PB");
    h3ou__put32(asked, texts != NULL);
    int told = inside->bcast(inside->self, asked, sizeof asked);
    if (!told && h3ou__get32(asked))
        told = inside->gather(inside->self, text, TEXT, texts);
    if (texts && !told)
        waitio__instance_fail(in, (int)h3ou__get32(records + (size_t)first * RECORD), texts + (size_t)first * TEXT);
    free(texts);
    return told;
}

/* What a King does between gathering the addresses of its PB and broadcasting the table: fills b->table, or the
 * instance fails. */
static void addresses_exchange(waitio__bootstrap *b, unsigned char *records, int n)
{
    waitio__instance *in = b->in;
    /* In place: an address is shorter than a record. The first one moves up, over the second record's code, which has
     * been looked at by now. */
    for (int rank = 0; rank < n; rank++)
        memmove(records + WAITIO__SALT + (size_t)rank * WAITIO__ADDRESS, records + (size_t)rank * RECORD + 4,
                WAITIO__ADDRESS);
    h3ou__put64(records, in->self.salt);
    b->records = records;
    b->nprocs = n;
    if (in->failed)
        return;
    if (in->set.npb > 1) {
        waitio__bootstrap_finish(b);
        return;
    }
    const unsigned char *mine = records;
    waitio__random(&in->id, sizeof in->id);
    waitio__key_derive(&in->self.secret, "lane", in->id, &in->self.lane_key);
    b->table = waitio__endpoints_pack(1, &mine, &n, &b->ntable);
    if (!b->table)
        waitio__instance_fail(in, H3OU__ENOMEM, h3ou__fail_text());
}

/* Broadcasts the King's error sentence in its PB. */
static int failure_broadcast(waitio__instance *in, const waitio__job_collectives *inside, int code, uint64_t n)
{
    char *text = calloc(1, n + 1);
    if (!text)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a sentence");
    if (inside->rank == 0)
        memcpy(text, in->failure.text, n);
    int told = inside->bcast(inside->self, text, n);
    if (!told)
        told = h3ou__fail(code, "%s", text);
    free(text);
    return told;
}

/* The table goes through the PB in pieces, into the memory that the processes of a host share. */
static int table_broadcast(waitio__instance *in, const waitio__job_collectives *inside, const unsigned char *table,
                           uint64_t n, double timeout)
{
    waitio__endpoint_table_reader *reader = NULL;
    char text[H3OU__ERROR_TEXT] = "";
    unsigned char *piece = malloc(PIECE);
    int told = H3OU__OK, code = waitio__endpoint_table_begin(
                             &reader, &in->table, waitio__key_number(&in->self.lane_key, "table"), &in->memory);
    if (!code && !piece)
        code = h3ou__fail(H3OU__ENOMEM, "no memory for the table of addresses");
    if (!piece) { /* the others must not wait for this process: its end ends the job */
        free(reader);
        return code;
    }
    for (uint64_t at = 0; at < n && !told; at += PIECE) {
        size_t part = n - at < PIECE ? (size_t)(n - at) : PIECE;
        if (inside->rank == 0)
            memcpy(piece, table + at, part);
        told = inside->bcast(inside->self, piece, part);
        if (!told && !code && (code = waitio__endpoint_table_take(reader, piece, part)) != H3OU__OK)
            memcpy(text, h3ou__fail_text(), sizeof text);
    }
    free(piece);
    if (code && *text)
        h3ou__fail(code, "%s", text);
    return reader ? waitio__endpoint_table_end(reader, told ? told : code, timeout) : code;
}

/* The King broadcasts to its PB the table, or why there is none. */
static int verdict_broadcast(waitio__instance *in, const waitio__job_collectives *inside, waitio__bootstrap *b)
{
    unsigned char verdict[VERDICT] = {0};
    if (inside->rank == 0) {
        h3ou__put32(verdict, (uint32_t)in->failed);
        h3ou__put64(verdict + 4, in->id);
        h3ou__put64(verdict + 12, in->failed ? strlen(in->failure.text) + 1 : b->ntable);
        memcpy(verdict + 20, in->self.lane_key.byte, WAITIO__KEY);
    }
    int code = inside->bcast(inside->self, verdict, VERDICT);
    if (code)
        return code;
    code = (int)h3ou__get32(verdict);
    in->id = h3ou__get64(verdict + 4);
    memcpy(in->self.lane_key.byte, verdict + 20, WAITIO__KEY);
    uint64_t n = h3ou__get64(verdict + 12);
    return code ? failure_broadcast(in, inside, code, n) : table_broadcast(in, inside, b->table, n, b->timeout);
}

/* Only Kings call this: the other processes of a PB get the keys that are derived from the secret for this run. */
static int prepare_secret(waitio__instance *in)
{
    int code = in->set.npb > 1 ? waitio__secret_read(&in->self.secret) : waitio__secret_random(&in->self.secret);
    if (!code)
        waitio__key_derive(&in->self.secret, "join", 0, &in->self.join_key);
    return code;
}

/* Opens the listeners for processes of this host; without them those connect by TCP. */
static void open_near(waitio__instance *in)
{
    for (int i = 0, at = 1; in->set.route[i]; i++) {
        const waitio__conduit *c = in->set.route[i];
        if (!c->is_near)
            continue;
        if (waitio__listener_open(&in->listening.messages[at], c, &in->set.conduit, &in->self.address))
            h3ou__log(H3OU__LOG_LOUD, "route_closed", "route=%s reason=\"%s\"", c->name, h3ou__fail_text());
        else
            at++;
    }
}

/* All processes of a PB must know its salt before they listen, so that the others find them as soon as they have the
 * table. */
static int share_salt(waitio__instance *in, const waitio__job_collectives *inside)
{
    unsigned char salt[WAITIO__SALT] = {0};
    if (inside->rank == 0)
        waitio__random(salt, sizeof salt);
    int code = inside->bcast(inside->self, salt, sizeof salt);
    in->self.salt = h3ou__get64(salt);
    return code;
}

/* Reads the settings and opens the listening sockets; an error goes into the record. */
static int process_prepare(waitio__instance *in, const waitio__job_collectives *inside, unsigned char record[RECORD],
                           char text[TEXT])
{
    waitio__address at;
    memset(&at, 0, sizeof at);
    int code = share_salt(in, inside);
    if (!code)
        code = waitio__settings_read(&in->set);
    if (!code && inside->rank == 0)
        code = prepare_secret(in);
    if (!code)
        code = waitio__settings_address(&in->set, &at);
    if (!code)
        code = waitio__listener_open(&in->listening.messages[0], &waitio__tcp, &in->set.conduit, &at);
    if (!code)
        in->self.address = in->listening.messages[0].address;
    in->self.address.local = waitio__endpoint_local(in->self.salt, &in->self.address);
    put_record(record, code, code ? &at : &in->self.address);
    snprintf(text, TEXT, "%s", code ? h3ou__fail_text() : "");
    if (!code)
        open_near(in);
    in->patience = waitio__patience(in);
    return code;
}

static bool goes_by_file(const waitio__settings *set)
{
    for (int i = 0; set->route[i]; i++)
        if (set->route[i] == &waitio__file)
            return true;
    return set->hybrid != UINT64_MAX;
}

static int instance_settle(waitio__instance *in, const waitio__job_collectives *inside)
{
    int code = H3OU__OK, nlisteners = 0;
    if (in->table.npb != in->set.npb || waitio__endpoints_size(&in->table, in->set.pbid) != inside->size)
        return h3ou__fail(H3OU__EPROTO, "the table of addresses does not have the %d processes of PB %d", inside->size,
                          in->set.pbid);
    in->self.rank = inside->rank;
    in->me = waitio__endpoints_global(&in->table, in->set.pbid, inside->rank);
    in->set.conduit.instance = waitio__key_number(&in->self.lane_key, "files");
    while (nlisteners < WAITIO__ROUTES && in->listening.messages[nlisteners].is_open)
        nlisteners++;
    if (goes_by_file(&in->set))
        code = waitio__listener_open(&in->listening.messages[nlisteners++], &waitio__file, &in->set.conduit,
                                     &in->self.address);
    for (int i = 0; i < nlisteners && !code; i++)
        code = waitio__listener_watch(&in->listening.messages[i], &in->hub, waitio__lane_accept, in);
    if (code)
        return code;
    code = waitio__finalize_at_exit();
    if (code)
        return code;
    in->self.pid = getpid();
    in->is_joined = true; /* before there is a thread that looks at it */
    if (in->set.waiting == WAITIO__THREAD)
        code = waitio__progress_thread_start(in);
    if (code) {
        in->is_joined = false;
        return code;
    }
    waitio__instance_set_current(in);
    h3ou__log(inside->rank ? H3OU__LOG_LOUD : H3OU__LOG_WHISPER, "joined",
              "pb=%d npb=%d rank=%d processes=%d eager=%zu", in->set.pbid, in->set.npb, inside->rank,
              waitio__endpoints_count(&in->table), (size_t)in->set.eager);
    return H3OU__OK;
}

/* A King that knows already that it cannot join tries for a moment to reach the master, so that the others learn why.
 */
static void bootstrap_begin(waitio__bootstrap *b, int prepared)
{
    if (prepared && b->timeout > 2)
        b->timeout = 2;
    if (waitio__bootstrap_begin(b) && prepared)
        b->in->failed = 0; /* its own error says more: it is in its record */
}

int waitio__join_refuse(const char *text, double seconds)
{
    waitio__instance *in;
    if (has_begun)
        return h3ou__fail(H3OU__ESTATE, "this process has called waitio_init before");
    int code = waitio__instance_new(&in);
    if (code)
        return code;
    code = waitio__settings_read(&in->set);
    if (!code && (in->set.npb < 2 || !in->set.nmaster))
        code = h3ou__fail(H3OU__ESTATE, "no other jobs take part");
    if (!code)
        code = prepare_secret(in);
    if (!code) {
        waitio__bootstrap b = {.in = in, .timeout = seconds};
        code = waitio__bootstrap_begin(&b);
        waitio__instance_fail(in, H3OU__EABORT, text); /* unless it failed to reach the master */
        waitio__bootstrap_fail(&b);
    }
    waitio__instance_free(in);
    return code;
}

int waitio__join(const waitio__job_collectives *inside, double timeout)
{
    waitio__instance *in;
    unsigned char record[RECORD], *records = NULL;
    char text[TEXT] = "";
    if (waitio__instance_current())
        return h3ou__fail(H3OU__ESTATE, "WaitIO is initialised already");
    has_begun = true;
    int code = waitio__instance_new(&in);
    if (code)
        return code;
    bool is_king = inside->rank == 0;
    waitio__bootstrap b = {.in = in, .timeout = timeout > 0 ? timeout : default_timeout};
    int prepared = process_prepare(in, inside, record, text);
    if (is_king) {
        records = calloc(1, (size_t)inside->size * RECORD + WAITIO__SALT);
        if (!records)
            waitio__instance_fail(in, H3OU__ENOMEM, "no memory for the addresses of the PB");
        if (in->set.nmaster && !in->failed)
            bootstrap_begin(&b, prepared);
    }
    code = inside->gather(inside->self, record, RECORD, records);
    if (code && is_king)
        waitio__instance_fail(in, code, h3ou__fail_text());
    int checked = !code || is_king ? check_records(in, inside, records, text, code) : code;
    if (checked && is_king)
        waitio__instance_fail(in, checked, h3ou__fail_text());
    code = code ? code : checked;
    if (is_king && records)
        addresses_exchange(&b, records, inside->size);
    if (is_king && in->failed && in->set.npb > 1)
        waitio__bootstrap_fail(&b);
    /* A King that could not gather still tells those of its PB that it can reach. */
    int told = !code || is_king ? verdict_broadcast(in, inside, &b) : code;
    code = in->failed ? h3ou__fail(in->failed, "%s", in->failure.text) : told;
    if (!code)
        code = instance_settle(in, inside);
    free(records);
    free(b.table);
    if (code) {
        char why[H3OU__ERROR_TEXT];
        memcpy(why, h3ou__fail_text(), sizeof why);
        waitio__instance_free(in);
        h3ou__fail(code, "%s", why);
    }
    return code;
}
