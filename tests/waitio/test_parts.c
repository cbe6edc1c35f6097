/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames, greetings, tables, memory and matching: one process, no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alone.h"
#include "base/bytes.h"
#include "run.h"
#include "waitio/stream/wait_policy.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"
#include "waitio/message/request.h"

static void test_frame(void **state)
{
    (void)state;
    unsigned char bytes[WAITIO__FRAME];
    for (int kind = 1; kind < WAITIO__KINDS; kind++) {
        bool is_long = kind == WAITIO__RTS || kind == WAITIO__CTS;
        waitio__frame f = {.kind = kind,
                           .flags = WAITIO__ACK_SOON,
                           .seq = 0x1122334455667788u,
                           .check = 0x99aabbccu,
                           .group = -123456,
                           .tag = INT64_MIN + 5,
                           .length = is_long ? INT64_MAX : 0,
                           .id = UINT64_MAX - 3},
                      g;
        waitio__frame_put(&f, bytes);
        assert_int_equal(waitio__frame_get(bytes, f.seq, &g), 0);
        assert_int_equal(g.kind, kind);
        assert_int_equal(g.flags, f.flags);
        assert_int_equal(g.group, f.group);
        assert_true(g.tag == f.tag && g.length == f.length && g.id == f.id && g.seq == f.seq && g.check == f.check);
        assert_true(waitio__frame_payload(&g) == 0);
        assert_int_equal(waitio__frame_get(bytes, f.seq + 1, &g), WAITIO_EPROTO);
        assert_int_not_equal(*waitio__frame_name(kind), '?');
    }
    assert_string_equal(waitio__frame_name(WAITIO__KINDS), "?");
    /* The layout is part of the protocol. */
    waitio__frame f = {.kind = WAITIO__DATA,
                       .flags = 1,
                       .seq = 0x1122334455667788u,
                       .check = 0x99aabbccu,
                       .group = 0x01020304,
                       .tag = 0x05060708090a0b0c,
                       .length = 0x0d0e0f,
                       .id = 0x1f2f3f4f5f6f7f8fu};
    waitio__frame_put(&f, bytes);
    assert_memory_equal(
        bytes,
        "WIO2\4\0\4\1\x88\x77\x66\x55\x44\x33\x22\x11\xcc\xbb\xaa\x99\4\3\2\1\x0c\x0b\x0a\x09\x08\x07\x06"
        "\x05\x0f\x0e\x0d\0\0\0\0\0\x8f\x7f\x6f\x5f\x4f\x3f\x2f\x1f",
        WAITIO__FRAME);
    assert_int_equal(waitio__frame_payload(&f), 0x0d0e0f);
}

static void test_frame_hostile(void **state)
{
    (void)state;
    unsigned char bytes[WAITIO__FRAME];
    waitio__frame f = {.kind = WAITIO__EAGER, .length = 100}, g;
    waitio__frame_put(&f, bytes);
    bytes[0] ^= 1; /* magic */
    assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    bytes[0] ^= 1;
    bytes[4] = 1; /* version */
    assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    assert_non_null(strstr(waitio_error(), "version 1"));
    bytes[4] = WAITIO__VERSION;
    assert_int_equal(waitio__frame_get(bytes, 0, &g), 0);
    for (int kind = 0; kind < 256; kind++) {
        bytes[6] = (unsigned char)kind;
        h3ou__put64(bytes + 32, 0);
        assert_int_equal(waitio__frame_get(bytes, 0, &g), kind >= 1 && kind < WAITIO__KINDS ? 0 : WAITIO_EPROTO);
        static const uint64_t lengths[] = {1ull << 63, UINT64_MAX, (1ull << 63) + 48};
        for (int i = 0; i < 3; i++) {
            h3ou__put64(bytes + 32, lengths[i]);
            assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
        }
    }
    static const int bare[] = {WAITIO__ACK, WAITIO__REST, WAITIO__BYE};
    for (int i = 0; i < 3; i++) {
        bytes[6] = (unsigned char)bare[i];
        h3ou__put64(bytes + 32, 1);
        assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    }
    static const int carriers[] = {WAITIO__EAGER, WAITIO__DATA};
    for (int i = 0; i < 2; i++) {
        bytes[6] = (unsigned char)carriers[i];
        h3ou__put64(bytes + 32, WAITIO__PAYLOAD_MOST);
        assert_int_equal(waitio__frame_get(bytes, 0, &g), 0);
        h3ou__put64(bytes + 32, WAITIO__PAYLOAD_MOST + 1);
        assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    }
    for (int i = 0; i < 20000; i++) {
        fill_pattern((char *)bytes, sizeof bytes, (uint64_t)i);
        assert_int_equal(waitio__frame_get(bytes, 0, &g), WAITIO_EPROTO);
    }
}

static uint32_t sum_of(const waitio__frame *f, const char *bytes, size_t n, size_t piece)
{
    waitio__check c;
    waitio__check_begin(&c, f);
    for (size_t at = 0; at < n; at += piece)
        waitio__check_more(&c, bytes + at, n - at < piece ? n - at : piece);
    return waitio__check_end(&c);
}

/* The same whatever the pieces and whatever the frame says of it; another for every changed bit. */
static void test_checksum(void **state)
{
    (void)state;
    char bytes[300];
    waitio__frame f = {.kind = WAITIO__DATA, .seq = 7, .tag = 9, .length = sizeof bytes};
    fill_pattern(bytes, sizeof bytes, 1);
    uint32_t sum = sum_of(&f, bytes, sizeof bytes, sizeof bytes);
    assert_int_not_equal(sum, 0);
    for (size_t piece = 1; piece <= sizeof bytes; piece++)
        assert_int_equal(sum_of(&f, bytes, sizeof bytes, piece), sum);
    f.check = sum;
    assert_int_equal(sum_of(&f, bytes, sizeof bytes, 64), sum);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        assert_int_not_equal(sum_of(&f, bytes, sizeof bytes, 300), sum);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    f.tag++;
    assert_int_not_equal(sum_of(&f, bytes, sizeof bytes, 300), sum);
}

static void test_greet(void **state)
{
    (void)state;
    unsigned char bytes[WAITIO__GREET];
    waitio__greet g = {.kind = WAITIO__PROOF,
                       .purpose = WAITIO__FOR_LANE,
                       .lane = 3,
                       .verdict = WAITIO__DEPARTED,
                       .flags = WAITIO__GREET_ENCRYPT | WAITIO__GREET_CHECK,
                       .source = -5,
                       .target = INT32_MAX,
                       .epoch = UINT32_MAX,
                       .received = UINT64_MAX - 1,
                       .credit = 1ull << 63},
                  h;
    memset(g.nonce, 0xa1, sizeof g.nonce);
    memset(g.mac, 0xb2, sizeof g.mac);
    memset(g.name, 'n', WAITIO__GREET_NAME);
    waitio__greet_put(&g, bytes);
    assert_memory_equal(bytes, "WI2H\4\0\3\3\3\2\3\0\xfb\xff\xff\xff\xff\xff\xff\x7f", 20);
    assert_int_equal(waitio__greet_get(bytes, WAITIO__PROOF, &h), 0);
    assert_true(h.lane == 3 && h.verdict == g.verdict && h.flags == g.flags && h.source == g.source &&
                h.target == g.target && h.epoch == g.epoch && h.received == g.received && h.credit == g.credit);
    assert_memory_equal(h.nonce, g.nonce, sizeof g.nonce);
    assert_memory_equal(h.mac, g.mac, sizeof g.mac);
    assert_string_equal(h.name, g.name);
    for (int kind = 0; kind < 256; kind++)
        if (kind != WAITIO__PROOF)
            assert_int_equal(waitio__greet_get(bytes, kind, &h), WAITIO_EPROTO);
    memcpy(bytes + 104, "\x1b[2J\x7f\n", 7); /* it will stand in somebody's terminal */
    assert_int_equal(waitio__greet_get(bytes, WAITIO__PROOF, &h), 0);
    assert_string_equal(h.name, "?[2J??");
    static const int hostile[][2] = {{0, 0}, {4, 1}, {5, 1}, {7, 0}, {7, 5}, {7, 255}, {9, 4}, {9, 255}};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        unsigned char was = bytes[hostile[i][0]];
        bytes[hostile[i][0]] = (unsigned char)hostile[i][1];
        assert_int_equal(waitio__greet_get(bytes, WAITIO__PROOF, &h), WAITIO_EPROTO);
        bytes[hostile[i][0]] = was;
    }
    for (int i = 0; i < 20000; i++) {
        fill_pattern((char *)bytes, sizeof bytes, (uint64_t)i);
        assert_int_equal(waitio__greet_get(bytes, bytes[6], &h), WAITIO_EPROTO);
    }
}

static void test_map(void **state)
{
    (void)state;
    waitio__memory memory = {0};
    waitio__int_map m = {0};
    static int value[5000];
    assert_null(waitio__int_map_get(&m, 3));
    for (int i = 0; i < 5000; i++)
        assert_int_equal(waitio__int_map_put(&m, i * 31 % 5000 * 4096, &value[i], &memory), 0);
    for (int i = 0; i < 5000; i++) {
        assert_ptr_equal(waitio__int_map_get(&m, i * 31 % 5000 * 4096), &value[i]);
        assert_null(waitio__int_map_get(&m, i * 4096 + 1));
    }
    assert_int_equal(m.used, 5000);
    assert_int_equal(waitio__int_map_put(&m, 0, value, &memory), 0);
    assert_int_equal(m.used, 5000);
    waitio__int_map_free(&m, &memory);
    assert_int_equal(waitio__memory_held(&memory), 0);
}

static void test_memory(void **state)
{
    (void)state;
    enum { N = 500 };
    waitio__memory m = {0};
    waitio__chunk *chunk[N] = {NULL};
    void *piece[N] = {NULL};
    size_t size[N];
    for (int round = 0; round < 20000; round++) {
        int i = (int)dice(N), use = i % WAITIO__USE_COUNT;
        if (piece[i]) {
            waitio__memory_give(&m, use, piece[i], size[i]);
            waitio__chunk_drop(&m, chunk[i]);
            piece[i] = NULL;
            continue;
        }
        size[i] = dice(4) ? dice(600) : dice(60000);
        piece[i] = waitio__memory_take(&m, use, size[i]);
        chunk[i] = waitio__chunk_take(&m, size[i]);
        assert_true(piece[i] && chunk[i] && chunk[i]->size >= size[i] && chunk[i]->refs == 1 && !chunk[i]->used);
        for (size_t k = 0; k < size[i]; k += 97)
            assert_int_equal(((char *)piece[i])[k], 0);
        memset(chunk[i]->bytes, 0x77, chunk[i]->size);
        assert_true(waitio__memory_held(&m) >= size[i]);
    }
    for (int i = 0; i < N; i++)
        if (piece[i]) {
            waitio__memory_give(&m, i % WAITIO__USE_COUNT, piece[i], size[i]);
            waitio__chunk_drop(&m, chunk[i]);
        }
    /* The pool keeps some for the next time, and no more than it says. */
    assert_true(m.spared <= 4 << 20);
    assert_true(waitio__memory_held(&m) >= m.spared && waitio__memory_held(&m) < m.spared + m.spared / 8 + 4096);
    waitio__memory_free(&m);
    for (int use = 0; use < WAITIO__USE_COUNT; use++)
        assert_int_equal(m.held[use], 0);
}

enum { JOBS = 3, PROCESSES = 400 };
static const int job_size[JOBS] = {1, 300, 99};

static void address_of(int process, waitio__address *a)
{
    memset(a, 0, sizeof *a);
    a->ip[10] = a->ip[11] = 0xff;
    a->ip[12] = 127;
    a->ip[14] = (unsigned char)(process / 130); /* four hosts, and the last one again */
    a->ip[15] = process == PROCESSES - 1 ? 0 : 1;
    a->scope = (unsigned)(process % 130 == 1);
    a->port = (uint16_t)(1000 + process * 150);
}

static uint64_t salt_of(int pb)
{
    return 0x1122334455667788u * (uint64_t)(pb + 1);
}

static unsigned char *make_table(uint64_t *n)
{
    static unsigned char records[JOBS * WAITIO__SALT + PROCESSES * WAITIO__ADDRESS];
    const unsigned char *first[JOBS];
    unsigned char *at = records;
    for (int pb = 0, i = 0; pb < JOBS; pb++) {
        first[pb] = at;
        h3ou__put64(at, salt_of(pb));
        at += WAITIO__SALT;
        for (int rank = 0; rank < job_size[pb]; rank++, at += WAITIO__ADDRESS) {
            waitio__address a;
            address_of(i++, &a);
            waitio__endpoint_put(&a, at);
        }
    }
    unsigned char *table = waitio__endpoints_pack(JOBS, first, job_size, n);
    assert_non_null(table);
    return table;
}

static int read_table(const unsigned char *bytes, uint64_t n, size_t piece, waitio__endpoints *e,
                      waitio__memory *memory)
{
    waitio__endpoint_table_reader *r;
    int code = waitio__endpoint_table_begin(&r, e, 0, memory);
    assert_int_equal(code, 0);
    for (uint64_t at = 0; at < n && !code;) {
        size_t take = piece ? piece : 1 + dice(50);
        take = take < n - at ? take : n - at;
        code = waitio__endpoint_table_take(r, bytes + at, take);
        at += take;
    }
    return waitio__endpoint_table_end(r, code, 0.1);
}

static void check_table(const waitio__endpoints *e)
{
    assert_int_equal(e->npb, JOBS);
    assert_int_equal(waitio__endpoints_count(e), PROCESSES);
    for (int pb = 0; pb < JOBS; pb++)
        assert_int_equal(waitio__endpoints_size(e, pb), job_size[pb]);
    for (int i = 0; i < PROCESSES; i++) {
        int pb, rank;
        waitio__address a, b;
        waitio__endpoints_find(e, i, &pb, &rank);
        assert_int_equal(pb, i < 1 ? 0 : i < 301 ? 1 : 2);
        assert_int_equal(waitio__endpoints_global(e, pb, rank), i);
        waitio__endpoints_address(e, i, &a);
        address_of(i, &b);
        assert_memory_equal(a.ip, b.ip, 16);
        assert_true(a.port == b.port && a.scope == b.scope);
        assert_true(a.local == waitio__endpoint_local(salt_of(pb), &b));
        assert_true(a.local != waitio__endpoint_local(salt_of(pb) ^ 1, &b));
    }
}

static void test_endpoints(void **state)
{
    (void)state;
    uint64_t n;
    waitio__memory memory = {0};
    waitio__endpoints e;
    unsigned char *table = make_table(&n);
    for (size_t piece = 0; piece < 70; piece++) {
        assert_int_equal(read_table(table, n, piece, &e, &memory), 0);
        check_table(&e);
        waitio__endpoints_free(&e);
        assert_int_equal(waitio__memory_held(&memory), 0);
    }
    assert_int_equal(read_table(table, n, n, &e, &memory), 0);
    check_table(&e);
    waitio__endpoints_free(&e);
    free(table);
}

static void refuse(const unsigned char *bytes, uint64_t n)
{
    waitio__memory memory = {0};
    waitio__endpoints e;
    assert_int_equal(read_table(bytes, n, 0, &e, &memory), WAITIO_EPROTO);
    assert_null(e.base);
    assert_int_equal(waitio__memory_held(&memory), 0);
}

static void test_endpoints_hostile(void **state)
{
    (void)state;
    uint64_t n;
    unsigned char *good = make_table(&n), *bytes = malloc(n + 8);
    memset(bytes + n, 0, 8);
    memcpy(bytes, good, n);
    refuse(bytes, n + 1);
    for (uint64_t end = 0; end < n; end += end < 200 ? 1 : 37)
        refuse(bytes, end);
    refuse(bytes, n - 1);
    static const struct {
        int at;
        uint64_t value;
        int width;
    } change[] = {{0, 0, 4},
                  {0, UINT32_MAX, 4},
                  {0, PROCESSES + 1, 4},
                  {0, 1 << 31, 4},
                  {4, 0, 4},
                  {4, 401, 4},
                  {4, UINT32_MAX, 4},
                  {8, 0, 8},
                  {8, 2, 8},
                  {8, UINT64_MAX, 8},
                  {8, 1 << 25, 8},
                  {16, 0, 4},
                  {16, UINT32_MAX, 4},
                  {16, UINT32_MAX - 398, 4},
                  {28, 301, 4},
                  {40, 98, 4},
                  {40, 100, 4},
                  {16, 400, 4},
                  {28, 0, 4}};
    for (size_t i = 0; i < sizeof change / sizeof change[0]; i++) {
        memcpy(bytes, good, n);
        if (change[i].width == 4)
            h3ou__put32(bytes + change[i].at, (uint32_t)change[i].value);
        else
            h3ou__put64(bytes + change[i].at, change[i].value);
        refuse(bytes, n);
    }
    /* Hosts out of range. */
    uint32_t hosts = h3ou__get32(good + 4);
    for (int process = 0; process < PROCESSES; process += 57) {
        memcpy(bytes, good, n);
        h3ou__put32(bytes + n - 6 * (size_t)(PROCESSES - process), hosts + (process ? 0 : UINT32_MAX - hosts));
        refuse(bytes, n);
    }
    free(good);
    free(bytes);
}

static void arrive(waitio__peer *p, int group, int64_t tag, const char *text)
{
    size_t n = strlen(text) + 1;
    waitio__arrival *a = waitio__match_keep(p, group, tag, n, n);
    assert_non_null(a);
    memcpy(a->data, text, n);
    waitio__match_whole(a);
}

static void complete(waitio__request *r, int code)
{
    waitio__request_complete(r, code, "test");
    waitio__request_release(r);
}

typedef struct scene {
    waitio__instance *in;
    waitio__peer *p, *q;
    waitio_group_t one, two;
    char buf[8][8];
} scene;

static void scene_begin(scene *s)
{
    memset(s, 0, sizeof *s);
    s->in = alone_begin(3);
    assert_int_equal(waitio__peer_get(s->in, 1, &s->p), 0);
    assert_int_equal(waitio__peer_get(s->in, 2, &s->q), 0);
    s->one = group_of_all(1);
    s->two = group_of_all(2);
    assert_true(s->one && s->two);
}

static void scene_end(scene *s)
{
    waitio_group_free(s->one);
    waitio_group_free(s->two);
    waitio__instance_free(s->in);
}

static waitio__request *post(scene *s, waitio__peer *p, int group, int64_t tag, int buf)
{
    return alone_post(s->in, p, group == 1 ? s->one : s->two, tag, s->buf[buf], 8);
}

/* Receives that wait: by source, tag and group, in the order of posting, also among named and wild ones. */
static void test_match_posted(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    waitio__peer *p = s.p, *q = s.q;
    waitio__request *a = post(&s, p, 1, 7, 0), *b = post(&s, NULL, 1, 7, 1), *c = post(&s, p, 2, 7, 2);
    waitio__request *d = post(&s, p, 1, 7, 3), *e = post(&s, NULL, 1, WAITIO_ANY_TAG, 4), *f = post(&s, q, 1, 8, 5);
    assert_ptr_equal(waitio__match_posted(p, 2, 7), c);
    assert_null(waitio__match_posted(p, 2, 7));
    assert_ptr_equal(waitio__match_posted(p, 1, 7), a);
    assert_ptr_equal(waitio__match_posted(p, 1, 7), b);
    assert_true(b->peer == p && b->rank == 1 && b->tag == 7 && !b->is_any_source);
    assert_ptr_equal(waitio__match_posted(p, 1, 7), d);
    assert_ptr_equal(waitio__match_posted(q, 1, 8), e);
    assert_true(e->peer == q && e->rank == 2 && e->tag == 8);
    assert_ptr_equal(waitio__match_posted(q, 1, 8), f);
    assert_null(waitio__match_posted(p, 1, 7));
    assert_true(!p->posted && !p->posted_last && !s.in->waiting.any_source && !s.in->waiting.any_source_last &&
                !q->posted);
    /* Taken out of the middle and the ends. */
    waitio__request *r[3];
    for (int first = 0; first < 3; first++) {
        for (int i = 0; i < 3; i++)
            r[i] = post(&s, first == 2 ? NULL : p, 1, 5, i);
        waitio__match_unpost(r[first]);
        for (int i = 0; i < 3; i++)
            if (i != first)
                assert_ptr_equal(waitio__match_posted(p, 1, 5), r[i]);
        assert_null(waitio__match_posted(p, 1, 5));
        for (int i = 0; i < 3; i++)
            complete(r[i], 0);
    }
    waitio__request *all[] = {a, b, c, d, e, f};
    for (int i = 0; i < 6; i++)
        complete(all[i], 0);
    assert_true(!p->active && !q->active);
    scene_end(&s);
}

/* A group to which the sender does not belong. */
static void test_match_outsider(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    int few[] = {0, 1, -1}, *members[] = {few}, order[] = {0};
    waitio_group_t g = waitio_create_group(1, members, order);
    waitio__request *r = alone_post(s.in, NULL, g, WAITIO_ANY_TAG, s.buf[0], 8);
    assert_null(waitio__match_posted(s.q, 1, 3));
    arrive(s.q, 1, 3, "q");
    waitio__request *r2 = alone_post(s.in, NULL, g, 3, s.buf[1], 8);
    assert_int_equal(r2->state, WAITIO__POSTED);
    waitio__peer_fail(s.q, WAITIO_EPEER, "gone"); /* is none of their business */
    assert_int_equal(r2->state, WAITIO__POSTED);
    assert_ptr_equal(waitio__match_posted(s.p, 1, 3), r);
    assert_ptr_equal(waitio__match_posted(s.p, 1, 3), r2);
    waitio_group_free(g);
    scene_end(&s);
}

/* Messages that wait: in the order of arrival, the last one truncated. */
static void test_match_arrived(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    arrive(s.p, 1, 7, "one");
    arrive(s.q, 1, 7, "two");
    arrive(s.p, 1, 8, "three");
    arrive(s.p, 1, 7, "four");
    arrive(s.p, 1, 7, "twenty-three");
    assert_int_equal(s.in->counters.unexpected, 5);
    assert_int_equal(s.in->counters.unexpected_bytes, 4 + 4 + 6 + 5 + 13);
    assert_int_equal(post(&s, s.q, 2, 7, 7)->state, WAITIO__POSTED);
    waitio__request *r = post(&s, s.p, 1, 8, 0);
    assert_int_equal(r->state, WAITIO__COMPLETE);
    assert_string_equal(s.buf[0], "three");
    r = post(&s, NULL, 1, 7, 1);
    assert_string_equal(s.buf[1], "one");
    assert_true(r->rank == 1 && r->tag == 7);
    r = post(&s, NULL, 1, WAITIO_ANY_TAG, 2);
    assert_string_equal(s.buf[2], "two");
    assert_true(r->rank == 2 && r->tag == 7);
    r = post(&s, s.p, 1, WAITIO_ANY_TAG, 3);
    assert_string_equal(s.buf[3], "four");
    r = post(&s, s.p, 1, 7, 4);
    assert_int_equal(r->code, WAITIO_ETRUNC);
    assert_true(r->expected == 13 && r->arrived == 8);
    assert_memory_equal(s.buf[4], "twenty-t", 8);
    assert_true(!s.p->arrival && !s.p->arrival_last && !s.in->unexpected.first && !s.in->unexpected.last &&
                !s.q->arrival);
    assert_int_equal(s.in->counters.unexpected_bytes, 0);
    assert_int_equal(s.in->memory.held[WAITIO__USE_UNEXPECTED], 0);
    scene_end(&s);
}

/* A receive that comes while its message is arriving; a peer that fails meanwhile. */
static void test_match_half(void **state)
{
    (void)state;
    scene s;
    scene_begin(&s);
    for (int wild = 0; wild < 2; wild++) {
        waitio__arrival *half = waitio__match_keep(s.p, 1, 1, 3, 3);
        waitio__request *r = post(&s, wild ? NULL : s.p, 1, 1, 5);
        assert_int_equal(r->state, WAITIO__CLAIMED);
        assert_ptr_equal(r->peer, s.p);
        waitio__request *other = post(&s, wild ? NULL : s.p, 1, 1, 0);
        assert_int_equal(other->state, WAITIO__POSTED);
        memcpy(half->data, "up", 3);
        waitio__match_whole(half);
        assert_int_equal(r->state, WAITIO__COMPLETE);
        assert_string_equal(s.buf[5], "up");
        waitio__match_unpost(other);
        complete(other, 0);
    }
    arrive(s.p, 2, 3, "whole");
    assert_non_null(waitio__match_keep(s.p, 2, 4, 100, 100));
    waitio__request *claimed = post(&s, s.p, 2, 4, 1), *named = post(&s, s.p, 1, 5, 2), *wild = post(&s, NULL, 1, 5, 3);
    waitio__request *of_q = post(&s, s.q, 1, 5, 4);
    waitio__peer_fail(s.p, WAITIO_EPEER, "gone");
    assert_int_equal(claimed->code, WAITIO_EPEER);
    assert_int_equal(named->code, WAITIO_EPEER);
    assert_int_equal(wild->code, WAITIO_EPEER); /* nobody can say whether its message would have been the one */
    assert_string_equal(wild->why, "gone");
    assert_null(s.p->active);
    assert_int_equal(of_q->state, WAITIO__POSTED);
    /* What is here in whole can still be received. */
    assert_int_equal(post(&s, s.p, 2, 3, 0)->code, 0);
    assert_string_equal(s.buf[0], "whole");
    assert_null(s.in->unexpected.first);
    scene_end(&s);
}

static void test_match_self(void **state)
{
    (void)state;
    scene s;
    char out[2000], in[2000];
    scene_begin(&s);
    for (int round = 0; round < 16; round++) {
        size_t n = round & 1 ? 2000 : 900, room = round & 2 ? n : n / 2;
        waitio__request *recv;
        waitio_req_t send;
        int done;
        fill_pattern(out, n, (uint64_t)round);
        waitio__peer *me;
        assert_int_equal(waitio__peer_get(s.in, 0, &me), 0);
        waitio__peer *from = round & 8 ? NULL : me;
        if (round & 4)
            recv = alone_post(s.in, from, s.one, 4, in, room);
        assert_int_equal(waitio_isend(s.one, 0, out, n, 4, &send), 0);
        if (!(round & 4))
            recv = alone_post(s.in, from, s.one, 4, in, room);
        assert_int_equal(recv->state, WAITIO__COMPLETE);
        assert_int_equal(recv->code, room < n ? WAITIO_ETRUNC : 0);
        assert_true(recv->rank == 0 && is_pattern(in, room, (uint64_t)round));
        assert_int_equal(waitio_test(&send, &done), 0);
        assert_true(done);
        waitio__request_release(recv);
    }
    assert_int_equal(s.in->memory.held[WAITIO__USE_UNEXPECTED], 0);
    scene_end(&s);
}

static int blocking_waits(waitio__wait_policy *m)
{
    int n = 0;
    while (waitio__wait_policy_begin(m) == WAITIO__BLOCKING)
        n++;
    return n;
}

static void spin_fruitlessly(waitio__wait_policy *m)
{
    waitio__wait_policy_preempted(m);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(waitio__wait_policy_begin(m), WAITIO__SPIN_HOLDING);
        waitio__wait_policy_fruitless(m);
    }
}

/* Another process takes the core: spin without yielding. Three fruitless spins: block, each time for longer; successes
 * make that shorter. */
static void test_wait_policy(void **state)
{
    (void)state;
    waitio__wait_policy m = {0};
    assert_int_equal(waitio__wait_policy_begin(&m), WAITIO__SPIN_YIELDING);
    waitio__wait_policy_fruitless(&m); /* changes nothing in a process that yields */
    assert_int_equal(waitio__wait_policy_begin(&m), WAITIO__SPIN_YIELDING);
    for (int expected = 16; expected <= 1024; expected *= 4) {
        spin_fruitlessly(&m);
        assert_int_equal(blocking_waits(&m), expected);
        assert_int_equal(waitio__wait_policy_begin(&m), WAITIO__SPIN_YIELDING);
    }
    spin_fruitlessly(&m);
    assert_int_equal(blocking_waits(&m), 1024);
    for (int i = 0; i < 10; i++)
        waitio__wait_policy_succeeded(&m, WAITIO__SPIN_YIELDING);
    waitio__wait_policy_preempted(&m);
    /* A peer that loses its core now and then is no reason to block. */
    for (int away = 0; away < 10; away++) {
        for (int i = 0; i < 100; i++)
            waitio__wait_policy_succeeded(&m, WAITIO__SPIN_HOLDING);
        waitio__wait_policy_fruitless(&m);
        assert_int_equal(waitio__wait_policy_begin(&m), WAITIO__SPIN_HOLDING);
    }
    spin_fruitlessly(&m);
    assert_int_equal(blocking_waits(&m), 16);
}

/* A yield after which the process is back at once tells that it is alone on its core; one that takes as long as a process that waits needs to answer, that the
 * core is shared; one beside a process that computes tells nothing. */
static void test_wait_policy_shares(void **state)
{
    (void)state;
    waitio__wait_policy m = {0};
    waitio__wait_policy_yielded(&m, 0.3e-6);
    assert_false(m.shares);
    waitio__wait_policy_yielded(&m, 2e-6);
    assert_false(m.shares);
    waitio__wait_policy_yielded(&m, 4e-6);
    assert_true(m.shares);
    waitio__wait_policy_yielded(&m, 2e-6); /* both yield at once now */
    assert_true(m.shares);
    waitio__wait_policy_yielded(&m, 0.3e-6);
    assert_false(m.shares);
    waitio__wait_policy_yielded(&m, 4e-6);
    waitio__wait_policy_yielded(&m, 4e-3);
    assert_false(m.shares);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),         cmocka_unit_test(test_frame_hostile),
        cmocka_unit_test(test_checksum),      cmocka_unit_test(test_greet),
        cmocka_unit_test(test_map),           cmocka_unit_test(test_memory),
        cmocka_unit_test(test_endpoints),     cmocka_unit_test(test_endpoints_hostile),
        cmocka_unit_test(test_match_posted),  cmocka_unit_test(test_match_outsider),
        cmocka_unit_test(test_match_arrived), cmocka_unit_test(test_match_half),
        cmocka_unit_test(test_match_self),    cmocka_unit_test(test_wait_policy),
        cmocka_unit_test(test_wait_policy_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
