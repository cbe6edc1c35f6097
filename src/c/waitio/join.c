/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joining the instance. Each process opens its ear; the addresses go to the King of its PB, who exchanges them with the
 * master (bootstrap.c) and hands the table, or the sentence of what failed anywhere, to the PB: all answer alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "waitio/bootstrap.h"
#include "waitio/connection.h"
#include "waitio/inside.h"
#include "waitio/instance.h"

enum { TEXT = 484, RECORD = 4 + WAITIO__ADDRESS + TEXT, VERDICT = 20 };

static const double default_timeout = 600; /* s */

/* What each process tells its King: how it went, where it listens, or what failed. */
static void put_record(unsigned char record[RECORD], int code, const waitio__address *at)
{
    memset(record, 0, RECORD);
    h3ou__put32(record, (uint32_t)code);
    memcpy(record + 4, at->byte, WAITIO__ADDRESS);
    if (code)
        snprintf((char *)record + 4 + WAITIO__ADDRESS, TEXT, "%s", h3ou__fail_text());
}

/* The first process that failed speaks for the PB. */
static void check_records(waitio__instance *in, const unsigned char *records, int n)
{
    for (int rank = 0; rank < n && !in->failed; rank++) {
        const unsigned char *r = records + (size_t)rank * RECORD;
        int code = (int)h3ou__get32(r);
        if (code)
            waitio__instance_fail(in, code, (const char *)r + 4 + WAITIO__ADDRESS);
    }
}

/* The King's part between gathering and telling: fills b->table, or the instance fails. */
static void exchange(waitio__boot *b, unsigned char *records, int n)
{
    waitio__instance *in = b->in;
    check_records(in, records, n);
    /* In place: an address is shorter than a record. */
    for (int rank = 0; rank < n; rank++)
        memmove(records + (size_t)rank * WAITIO__ADDRESS, records + (size_t)rank * RECORD + 4, WAITIO__ADDRESS);
    b->records = records;
    b->nprocs = n;
    if (in->failed)
        return;
    if (in->set.npb > 1) {
        waitio__boot_finish(b);
        return;
    }
    b->ntable = 4 + (uint64_t)n * WAITIO__ADDRESS;
    b->table = malloc(b->ntable);
    if (!b->table) {
        waitio__instance_fail(in, H3OU__ENOMEM, "no memory for the table of addresses");
        return;
    }
    h3ou__put32(b->table, (uint32_t)n);
    memcpy(b->table + 4, records, (size_t)n * WAITIO__ADDRESS);
}

/* The King tells its PB: the table, or why there is none. *bytes: of the table, at all; the caller frees it. */
static int tell(waitio__instance *in, const waitio__inside *inside, waitio__boot *b, unsigned char **bytes, uint64_t *n)
{
    unsigned char verdict[VERDICT] = {0};
    if (inside->rank == 0) {
        *n = in->failed ? strlen(in->failure) + 1 : b->ntable;
        h3ou__put32(verdict, (uint32_t)in->failed);
        h3ou__put64(verdict + 4, in->id);
        h3ou__put64(verdict + 12, *n);
    }
    int code = inside->bcast(inside->self, verdict, VERDICT);
    if (code)
        return code;
    code = (int)h3ou__get32(verdict);
    in->id = h3ou__get64(verdict + 4);
    *n = h3ou__get64(verdict + 12);
    if (inside->rank == 0 && !code) {
        *bytes = b->table;
        b->table = NULL;
    } else {
        *bytes = calloc(1, *n + 1);
        if (!*bytes)
            return h3ou__fail(H3OU__ENOMEM, "no memory for the table of addresses");
        if (inside->rank == 0)
            memcpy(*bytes, in->failure, *n);
    }
    int told = inside->bcast(inside->self, *bytes, *n);
    if (told)
        return told;
    return code ? h3ou__fail(code, "%s", (char *)*bytes) : H3OU__OK;
}

/* Settings and ear; an error goes into the record. */
static int prepare(waitio__instance *in, unsigned char record[RECORD])
{
    waitio__address at;
    memset(&at, 0, sizeof at);
    int code = waitio__settings_read(&in->set);
    if (!code)
        code = waitio__settings_address(&in->set, &at);
    if (!code)
        code = waitio__listener_open(&in->ear, &waitio__tcp, &at);
    put_record(record, code, code ? &at : &in->ear.address);
    in->patience = waitio__patience(in);
    return code;
}

static int settle(waitio__instance *in, const waitio__inside *inside, const unsigned char *bytes, uint64_t n)
{
    int code = waitio__endpoints_unpack(&in->table, in->set.npb, bytes, n);
    if (code)
        return code;
    if (waitio__endpoints_size(&in->table, in->set.pbid) != inside->size)
        return h3ou__fail(H3OU__EPROTO, "the table of addresses has %d processes for PB %d, which has %d",
                          waitio__endpoints_size(&in->table, in->set.pbid), in->set.pbid, inside->size);
    in->rank = inside->rank;
    in->me = waitio__endpoints_global(&in->table, in->set.pbid, inside->rank);
    code = waitio__listener_watch(&in->ear, &in->hub, waitio__conn_arrived, in);
    if (code)
        return code;
    in->is_joined = true;
    waitio__current = in;
    h3ou__log(inside->rank ? H3OU__LOG_LOUD : H3OU__LOG_WHISPER, "joined",
              "pb=%d npb=%d rank=%d processes=%d eager=%zu", in->set.pbid, in->set.npb, inside->rank,
              waitio__endpoints_count(&in->table), (size_t)in->set.eager);
    return H3OU__OK;
}

/* A King who knows already that it cannot join tries for a moment to reach the master, so that the others hear why. */
static void begin(waitio__boot *b, int prepared)
{
    if (prepared && b->timeout > 2)
        b->timeout = 2;
    if (waitio__boot_begin(b) && prepared)
        b->in->failed = 0; /* its own error says more: it is in its record */
}

int waitio__join(const waitio__inside *inside, double timeout)
{
    waitio__instance *in;
    unsigned char record[RECORD], *records = NULL, *bytes = NULL;
    uint64_t n = 0;
    if (waitio__current)
        return h3ou__fail(H3OU__ESTATE, "WaitIO is initialised already");
    int code = waitio__instance_new(&in);
    if (code)
        return code;
    bool is_king = inside->rank == 0;
    waitio__boot b = {.in = in, .timeout = timeout > 0 ? timeout : default_timeout};
    int prepared = prepare(in, record);
    if (is_king) {
        records = calloc((size_t)inside->size, RECORD);
        if (!records)
            waitio__instance_fail(in, H3OU__ENOMEM, "no memory for the addresses of the PB");
        if (in->set.nmaster && !in->failed)
            begin(&b, prepared);
    }
    code = inside->gather(inside->self, record, RECORD, records);
    if (code && is_king)
        waitio__instance_fail(in, code, h3ou__fail_text());
    if (is_king && records)
        exchange(&b, records, inside->size);
    if (is_king && in->failed && in->set.npb > 1)
        waitio__boot_fail(&b);
    /* A King that could not gather still tells those of its PB that it can reach. */
    int told = !code || is_king ? tell(in, inside, &b, &bytes, &n) : code;
    code = in->failed ? h3ou__fail(in->failed, "%s", in->failure) : told;
    if (!code)
        code = settle(in, inside, bytes, n);
    free(bytes);
    free(records);
    free(b.table);
    if (code) {
        char text[H3OU__ERROR_TEXT];
        memcpy(text, h3ou__fail_text(), sizeof text);
        waitio__instance_free(in);
        h3ou__fail(code, "%s", text);
    }
    return code;
}
