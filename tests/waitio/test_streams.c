/* SPDX-License-Identifier: BSD-3-Clause */
/* Outbox and inbox: what is put into one comes out of the other, whatever breaks between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alone.h"
#include "run.h"
#include "waitio/stream/inbox.h"
#include "waitio/stream/outbox.h"

enum { FRAMES = 400, MOST = 70000 };

typedef struct taker { /* the owner of the inbox */
    int frames, payloads;
    unsigned char *place;
} taker;

static unsigned char *lent[FRAMES];
static int given_back;

static void done(void *owner, int code)
{
    assert_int_equal(code, 0);
    assert_non_null(*(unsigned char **)owner);
    given_back++;
}

static size_t length_of(uint64_t i)
{
    static const size_t some[] = {0, 1, 47, 400, 5000, WAITIO__PUT_WHOLE, WAITIO__PUT_WHOLE + 1, MOST};
    return some[(i * 7 + i / 8) % 8];
}

static int take_frame(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    taker *t = owner;
    assert_true(f->seq == (uint64_t)t->frames && f->id == f->seq * 3 && f->length == length_of(f->seq));
    t->frames++;
    *place = t->place;
    *room = f->seq % 5 == 4 ? f->length / 2 : MOST; /* the rest is dropped */
    return 0;
}

static int take_payload(void *owner, const waitio__frame *f)
{
    taker *t = owner;
    size_t n = f->seq % 5 == 4 ? f->length / 2 : f->length;
    assert_int_equal(t->frames, t->payloads + 1);
    assert_true(is_pattern((char *)t->place, n, f->seq));
    t->payloads++;
    return 0;
}

static const waitio__inbox_ops ops = {.frame = take_frame, .payload = take_payload};

static void put_one(waitio__outbox *o, uint64_t i, unsigned char *bytes)
{
    waitio__frame f = {.kind = WAITIO__EAGER, .length = length_of(i), .id = i * 3};
    fill_pattern((char *)bytes, f.length, i);
    if (i % 3) {
        assert_int_equal(waitio__outbox_put(o, &f, bytes), 0);
        return;
    }
    lent[i] = malloc(f.length + 1);
    memcpy(lent[i], bytes, f.length);
    assert_int_equal(waitio__outbox_lend(o, &f, lent[i], &lent[i]), 0);
}

/* Some bytes reach the inbox, or are lost or changed on their way; then the stream goes back to what arrived. */
static void carry(waitio__outbox *o, waitio__inbox *in, bool breaks)
{
    struct iovec v[16];
    uint64_t all, n;
    int pieces = waitio__outbox_gather(o, v, 16, &all), code = 0;
    unsigned char *flat = malloc(all + 1);
    for (int i = 0, at = 0; i < pieces; at += (int)v[i].iov_len, i++)
        memcpy(flat + at, v[i].iov_base, v[i].iov_len);
    n = all ? 1 + dice(all) : 0;
    waitio__outbox_left(o, n);
    bool is_cut = breaks && !dice(6), is_damaged = breaks && o->checks && n && !dice(6);
    uint64_t arrives = is_cut ? dice(n + 1) : n;
    if (is_damaged && in->in_payload) /* within this payload, so that only the checksum can tell */
        flat[dice(in->payload_left < n ? in->payload_left : n)] ^= (unsigned char)(1 + dice(255));
    for (uint64_t at = 0; at < arrives && !code;) {
        uint64_t direct = waitio__inbox_direct(in), piece = 1 + dice(dice(2) ? 100 : arrives);
        piece = piece < arrives - at ? piece : arrives - at;
        if (direct && dice(2)) {
            piece = piece < direct ? piece : direct;
            memcpy(in->place, flat + at, piece);
            code = waitio__inbox_placed(in, piece);
        } else {
            code = waitio__inbox_take(in, flat + at, piece);
        }
        at += piece;
    }
    free(flat);
    assert_true(!code || (code == WAITIO_EPROTO && o->checks));
    if (is_cut || code)
        assert_int_equal(waitio__outbox_rewind(o, in->received), 0);
    else if (!dice(3) && o->retains && !o->checks)
        assert_int_equal(waitio__outbox_acked(o, in->received), 0);
}

static void stream(bool retains, bool checks)
{
    waitio__memory memory = {0};
    waitio__outbox o;
    waitio__inbox in;
    taker t = {.place = malloc(MOST)};
    unsigned char *bytes = malloc(MOST);
    given_back = 0;
    waitio__outbox_init(&o, &memory, retains, done);
    waitio__inbox_init(&in, &ops, &t);
    o.checks = checks;
    for (uint64_t i = 0; i < FRAMES || waitio__outbox_waiting(&o);) {
        for (uint64_t more = i + dice(4); i < more && i < FRAMES; i++)
            put_one(&o, i, bytes);
        carry(&o, &in, retains);
    }
    assert_int_equal(t.payloads, FRAMES);
    assert_int_equal(in.received, o.end);
    assert_int_equal(waitio__outbox_acked(&o, o.end), 0);
    assert_int_equal(waitio__outbox_acked(&o, o.end + 1), WAITIO_EPROTO);
    assert_int_equal(waitio__outbox_rewind(&o, o.end - 1), WAITIO_EPROTO);
    assert_int_equal(given_back, (FRAMES + 2) / 3);
    for (int i = 0; i < FRAMES; i += 3)
        free(lent[i]);
    waitio__outbox_free(&o, 0);
    waitio__memory_free(&memory);
    assert_int_equal(waitio__memory_held(&memory), 0);
    free(in.check);
    free(bytes);
    free(t.place);
}

static void test_streams(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        stream(false, false);
        stream(true, false);
        stream(false, true);
        stream(true, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
