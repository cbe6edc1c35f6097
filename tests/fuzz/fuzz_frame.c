/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream of frames, in pieces of any size. First byte: how it is cut; the rest is the stream. */
#include <string.h>

#include "must.h"
#include "waitio/identity/endpoints.h"
#include "waitio/stream/inbox.h"

enum { ROOM = 300 };

typedef struct owner {
    unsigned char place[ROOM + 8]; /* the last 8 stay as they are */
    uint64_t frames, payloads, expected, room;
    unsigned style;
} owner;

static uint64_t longest_payload(int kind)
{
    switch (kind) {
    case WAITIO__EAGER:
    case WAITIO__DATA:
        return WAITIO__PAYLOAD_MOST;
    case WAITIO__ABORT:
    case WAITIO__LOST:
    case WAITIO__WELCOME:
    case WAITIO__REFUSED:
        return WAITIO__TEXT_MOST;
    case WAITIO__JOIN:
        return WAITIO__RUN_MOST;
    case WAITIO__RECORDS:
    case WAITIO__TABLE:
        return (uint64_t)WAITIO__PROCESSES_MOST * WAITIO__ADDRESS + (uint64_t)WAITIO__PBS_MOST * (4 + WAITIO__SALT) +
               64;
    default:
        return 0;
    }
}

static int got_frame(void *of, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    owner *o = of;
    MUST(o->payloads == o->frames); /* one at a time */
    MUST(f->seq == o->frames);
    MUST(f->kind >= 1 && f->kind < WAITIO__KINDS);
    MUST(waitio__frame_payload(f) <= longest_payload(f->kind));
    o->frames++;
    o->room = (o->style + f->id) % (ROOM + 1);
    *place = o->place;
    *room = o->room;
    return 0;
}

static int got_payload(void *of, const waitio__frame *f)
{
    owner *o = of;
    o->payloads++;
    MUST(o->payloads == o->frames && f->seq + 1 == o->frames);
    for (int i = 0; i < 8; i++)
        MUST(o->place[ROOM + i] == 0xa5);
    return 0;
}

static const waitio__inbox_ops ops = {.frame = got_frame, .payload = got_payload};

static int take(waitio__inbox *in, const uint8_t *bytes, size_t n, size_t piece)
{
    int code = 0;
    while (n && !code) {
        size_t part = piece < n ? piece : n, direct = (size_t)waitio__inbox_direct(in);
        if (direct && piece % 2) { /* as a reader does that reads to where they belong */
            part = part < direct ? part : direct;
            memcpy(in->place, bytes, part);
            code = waitio__inbox_placed(in, part);
        } else {
            code = waitio__inbox_take(in, bytes, part);
        }
        bytes += part;
        n -= part;
    }
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    unsigned char again[WAITIO__FRAME];
    waitio__frame f;
    if (n < 1)
        return 0;
    size_t piece = 1 + bytes[0];
    unsigned style = bytes[0];
    bytes++;
    n--;
    if (n >= WAITIO__FRAME) {
        uint64_t seq = 0;
        for (int i = 7; i >= 0; i--)
            seq = seq << 8 | bytes[8 + i];
        if (!waitio__frame_get(bytes, seq, &f)) {
            waitio__frame_put(&f, again);
            MUST(!memcmp(again, bytes, WAITIO__FRAME));
            MUST(waitio__frame_get(bytes, seq + 1, &f));
        }
    }
    /* In one piece and in many it is the same. */
    owner o[2] = {{.style = style}, {.style = style}};
    waitio__inbox in[2];
    int code[2];
    for (int i = 0; i < 2; i++) {
        memset(o[i].place, 0xa5, sizeof o[i].place);
        waitio__inbox_init(&in[i], &ops, &o[i]);
        code[i] = i ? take(&in[i], bytes, n, piece) : waitio__inbox_take(&in[i], bytes, n);
        MUST(in[i].received <= n);
    }
    MUST(code[0] == code[1] && in[0].received == in[1].received && in[0].seq == in[1].seq);
    MUST(o[0].frames == o[1].frames && o[0].payloads == o[1].payloads && !memcmp(o[0].place, o[1].place, ROOM));
    MUST(code[0] || in[0].received == n);
    free(in[0].check);
    free(in[1].check);
    return 0;
}
