/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/frame.h"

#include <inttypes.h>

#include "base/bytes.h"
#include "base/error.h"
#include "waitio/conduit.h"

static const uint32_t magic = 0x314f4957; /* "WIO1" */

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
    h3ou__put16(bytes + 6, (uint16_t)f->kind);
    h3ou__put64(bytes + 8, f->seq);
    h3ou__put32(bytes + 16, (uint32_t)f->source);
    h3ou__put32(bytes + 20, (uint32_t)f->group);
    h3ou__put64(bytes + 24, (uint64_t)f->tag);
    h3ou__put64(bytes + 32, f->length);
    h3ou__put64(bytes + 40, f->id);
}

/* The longest that `length` may say, by kind. */
static uint64_t longest(int kind)
{
    switch (kind) {
    case WAITIO__HELLO:
    case WAITIO__HELLO_ACK:
        return WAITIO__NAME_MOST;
    case WAITIO__EAGER:
    case WAITIO__DATA:
        return WAITIO__PAYLOAD_MOST;
    case WAITIO__RTS:
    case WAITIO__CTS:
        return INT64_MAX;
    case WAITIO__ABORT:
    case WAITIO__WELCOME:
    case WAITIO__REFUSED:
        return WAITIO__TEXT_MOST;
    case WAITIO__RECORDS:
        return (uint64_t)WAITIO__PROCESSES_MOST * WAITIO__ADDRESS;
    case WAITIO__TABLE:
        return (uint64_t)WAITIO__PROCESSES_MOST * WAITIO__ADDRESS + (uint64_t)WAITIO__PBS_MOST * 4;
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
    f->kind = h3ou__get16(bytes + 6);
    f->seq = h3ou__get64(bytes + 8);
    f->source = (int32_t)h3ou__get32(bytes + 16);
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
    return f->kind == WAITIO__RTS || f->kind == WAITIO__CTS ? 0 : f->length;
}
