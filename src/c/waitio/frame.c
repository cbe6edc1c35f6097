/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/frame.h"

#include <inttypes.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "base/error.h"
#include "waitio/endpoints.h"

static const uint32_t magic = 0x324f4957; /* "WIO2" */

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

void waitio__frame_put(const waitio__frame *f, unsigned char bytes[WAITIO__FRAME])
{
    h3ou__put32(bytes, magic);
    h3ou__put16(bytes + 4, WAITIO__VERSION);
    bytes[6] = (unsigned char)f->kind;
    bytes[7] = (unsigned char)f->flags;
    h3ou__put64(bytes + 8, f->seq);
    h3ou__put32(bytes + 16, f->check);
    h3ou__put32(bytes + 20, (uint32_t)f->group);
    h3ou__put64(bytes + 24, (uint64_t)f->tag);
    h3ou__put64(bytes + 32, f->length);
    h3ou__put64(bytes + 40, f->id);
}

/* The longest that `length` may say, by kind. */
static uint64_t longest(int kind)
{
    switch (kind) {
    case WAITIO__EAGER:
    case WAITIO__DATA:
        return WAITIO__PAYLOAD_MOST;
    case WAITIO__RTS:
    case WAITIO__CTS:
    case WAITIO__PULL:
    case WAITIO__PUSHED:
        return INT64_MAX;
    case WAITIO__ABORT:
    case WAITIO__WELCOME:
    case WAITIO__REFUSED:
        return WAITIO__TEXT_MOST;
    case WAITIO__RECORDS:
    case WAITIO__TABLE:
        return (uint64_t)WAITIO__PROCESSES_MOST * WAITIO__ADDRESS + (uint64_t)WAITIO__PBS_MOST * 4 + 64;
    default:
        return 0;
    }
}

int waitio__frame_get(const unsigned char bytes[WAITIO__FRAME], uint64_t seq, waitio__frame *f)
{
    if (h3ou__get32(bytes) != magic)
        return h3ou__fail(H3OU__EPROTO, "bytes that do not begin as WaitIO's do");
    if (h3ou__get16(bytes + 4) != WAITIO__VERSION)
        return h3ou__fail(H3OU__EPROTO, "version %d of the protocol, but this library speaks version %d",
                          h3ou__get16(bytes + 4), WAITIO__VERSION);
    f->kind = bytes[6];
    f->flags = bytes[7];
    f->seq = h3ou__get64(bytes + 8);
    f->check = h3ou__get32(bytes + 16);
    f->group = (int32_t)h3ou__get32(bytes + 20);
    f->tag = (int64_t)h3ou__get64(bytes + 24);
    f->length = h3ou__get64(bytes + 32);
    f->id = h3ou__get64(bytes + 40);
    if (f->kind < 1 || f->kind >= WAITIO__KINDS)
        return h3ou__fail(H3OU__EPROTO, "a frame of unknown kind %d", f->kind);
    if (f->seq != seq)
        return h3ou__fail(H3OU__EPROTO, "frame %s has number %" PRIu64 ", expected %" PRIu64,
                          waitio__frame_name(f->kind), f->seq, seq);
    if (f->length > longest(f->kind))
        return h3ou__fail(H3OU__EPROTO, "frame %s says %" PRIu64 " bytes, at most %" PRIu64 " are allowed",
                          waitio__frame_name(f->kind), f->length, longest(f->kind));
    return H3OU__OK;
}

uint64_t waitio__frame_payload(const waitio__frame *f)
{
    switch (f->kind) {
    case WAITIO__RTS:
    case WAITIO__CTS:
    case WAITIO__PULL:
    case WAITIO__PUSHED:
        return 0;
    default:
        return f->length;
    }
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
