/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/frame.h"

#include <inttypes.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "base/error.h"

static const uint32_t magic = 0x324f4957; /* "WIO2" */
#define longest_table                                                                                                  \
    ((uint64_t)WAITIO__PROCESSES_MOST * WAITIO__ADDRESS + (uint64_t)WAITIO__PBS_MOST * (4 + WAITIO__SALT) + 64)

const char *waitio__frame_name(int kind)
{
    switch (kind) {
#define X(name, value)                                                                                                 \
    case value:                                                                                                        \
        return #name;
        WAITIO__FRAMES(X)
#undef X
    }
    return "?";
}

/* Eight bytes at a time: this is done for every message. */
void waitio__frame_put_as(const waitio__frame *f, uint64_t seq, uint32_t check, unsigned char bytes[WAITIO__FRAME])
{
    h3ou__put64(bytes, magic | (uint64_t)WAITIO__VERSION << 32 | (uint64_t)(f->kind & 255) << 48 |
                           (uint64_t)(f->flags & 255) << 56);
    h3ou__put64(bytes + 8, seq);
    h3ou__put64(bytes + 16, check | (uint64_t)(uint32_t)f->group << 32);
    h3ou__put64(bytes + 24, (uint64_t)f->tag);
    h3ou__put64(bytes + 32, f->length);
    h3ou__put64(bytes + 40, f->id);
}

void waitio__frame_put(const waitio__frame *f, unsigned char bytes[WAITIO__FRAME])
{
    waitio__frame_put_as(f, f->seq, f->check, bytes);
}

/* The longest that `length` may say, by kind. */
static const uint64_t longest[WAITIO__KINDS] = {
    [WAITIO__EAGER] = WAITIO__PAYLOAD_MOST,
    [WAITIO__DATA] = WAITIO__PAYLOAD_MOST,
    [WAITIO__RTS] = INT64_MAX,
    [WAITIO__CTS] = INT64_MAX,
    [WAITIO__PULL] = INT64_MAX,
    [WAITIO__PUSHED] = INT64_MAX,
    [WAITIO__ABORT] = WAITIO__TEXT_MOST,
    [WAITIO__LOST] = WAITIO__TEXT_MOST,
    [WAITIO__WELCOME] = WAITIO__TEXT_MOST,
    [WAITIO__REFUSED] = WAITIO__TEXT_MOST,
    [WAITIO__JOIN] = WAITIO__RUN_MOST,
    [WAITIO__RECORDS] = longest_table,
    [WAITIO__TABLE] = longest_table,
};

__attribute__((cold)) static int refuse(const unsigned char bytes[WAITIO__FRAME], uint64_t seq, const waitio__frame *f)
{
    if (h3ou__get32(bytes) != magic)
        return h3ou__fail(H3OU__EPROTO, "bytes that do not begin as WaitIO's do");
    if (h3ou__get16(bytes + 4) != WAITIO__VERSION)
        return h3ou__fail(H3OU__EPROTO, "version %d of the protocol, but this library speaks version %d",
                          h3ou__get16(bytes + 4), WAITIO__VERSION);
    if (f->kind < 1 || f->kind >= WAITIO__KINDS)
        return h3ou__fail(H3OU__EPROTO, "a frame of unknown kind %d", f->kind);
    if (f->seq != seq)
        return h3ou__fail(H3OU__EPROTO, "frame %s has number %" PRIu64 ", expected %" PRIu64,
                          waitio__frame_name(f->kind), f->seq, seq);
    return h3ou__fail(H3OU__EPROTO, "frame %s says %" PRIu64 " bytes, at most %" PRIu64 " are allowed",
                      waitio__frame_name(f->kind), f->length, longest[f->kind]);
}

int waitio__frame_get(const unsigned char bytes[WAITIO__FRAME], uint64_t seq, waitio__frame *f)
{
    uint64_t first = h3ou__get64(bytes), third = h3ou__get64(bytes + 16);
    f->kind = (int)(first >> 48 & 255);
    f->flags = (unsigned)(first >> 56);
    f->seq = h3ou__get64(bytes + 8);
    f->check = (uint32_t)third;
    f->group = (int32_t)(uint32_t)(third >> 32);
    f->tag = (int64_t)h3ou__get64(bytes + 24);
    f->length = h3ou__get64(bytes + 32);
    f->id = h3ou__get64(bytes + 40);
    bool begins_well = (first & 0xffffffffffff) == (magic | (uint64_t)WAITIO__VERSION << 32);
    bool is_known = f->kind >= 1 && f->kind < WAITIO__KINDS;
    if (begins_well && is_known && f->seq == seq && f->length <= longest[f->kind])
        return H3OU__OK;
    return refuse(bytes, seq, f);
}

uint64_t waitio__frame_payload(const waitio__frame *f)
{
    enum { BARE = 1 << WAITIO__RTS | 1 << WAITIO__CTS | 1 << WAITIO__PULL | 1 << WAITIO__PUSHED };
    return BARE >> f->kind & 1 ? 0 : f->length;
}

_Static_assert(sizeof(waitio__check) >= sizeof(XXH64_state_t), "room for the checksum's state");

void waitio__check_begin(waitio__check *c, const waitio__frame *f)
{
    unsigned char bytes[WAITIO__FRAME];
    waitio__frame bare = *f;
    bare.check = 0;
    waitio__frame_put(&bare, bytes);
    XXH64_state_t state;
    XXH64_reset(&state, 0);
    XXH64_update(&state, bytes, sizeof bytes);
    memcpy(c->state, &state, sizeof state);
}

void waitio__check_more(waitio__check *c, const void *bytes, size_t n)
{
    XXH64_state_t state;
    memcpy(&state, c->state, sizeof state);
    XXH64_update(&state, bytes, n);
    memcpy(c->state, &state, sizeof state);
}

uint32_t waitio__check_end(const waitio__check *c)
{
    XXH64_state_t state;
    memcpy(&state, c->state, sizeof state);
    uint32_t sum = (uint32_t)XXH64_digest(&state);
    return sum ? sum : 1;
}
