/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/frame.h"

#include <inttypes.h>

#include "base/bytes.h"
#include "base/error.h"

void waitio__frame_write(const waitio__frame *f, unsigned char bytes[WAITIO__FRAME])
{
    h3ou__put32(bytes, WAITIO__MAGIC);
    h3ou__put16(bytes + 4, WAITIO__VERSION);
    h3ou__put16(bytes + 6, (uint16_t)f->kind);
    h3ou__put64(bytes + 8, f->seq);
    h3ou__put32(bytes + 16, f->source);
    h3ou__put32(bytes + 20, f->group);
    h3ou__put64(bytes + 24, (uint64_t)f->tag);
    h3ou__put64(bytes + 32, f->length);
    h3ou__put64(bytes + 40, f->id);
}

/* What a payload may have at most; UINT64_MAX for an announced length that is no payload. */
static uint64_t most(int kind, uint64_t eager_limit)
{
    switch (kind) {
    case WAITIO__JOIN:
        return (uint64_t)WAITIO__MOST_PROCS * 20;
    case WAITIO__TABLE:
        return (uint64_t)WAITIO__MOST_PROCS * 24;
    case WAITIO__REFUSE:
    case WAITIO__HELLO:
    case WAITIO__HELLO_ACK:
    case WAITIO__ABORT:
        return WAITIO__TEXT;
    case WAITIO__EAGER:
        return eager_limit;
    case WAITIO__RTS:
    case WAITIO__DATA:
        return INT64_MAX;
    }
    return 0;
}

int waitio__frame_read(const unsigned char bytes[WAITIO__FRAME], uint64_t seq, uint64_t eager_limit, waitio__frame *f)
{
    uint32_t magic = h3ou__get32(bytes);
    int version = h3ou__get16(bytes + 4);
    if (magic != WAITIO__MAGIC)
        return h3ou__fail(H3OU__EPROTO, "these are not the bytes of a WaitIO process");
    if (version != WAITIO__VERSION)
        return h3ou__fail(H3OU__EPROTO, "the other end speaks WaitIO's protocol version %d, this one %d: use one version of the "
                          "library in all jobs", version, WAITIO__VERSION);
    f->kind = h3ou__get16(bytes + 6);
    f->seq = h3ou__get64(bytes + 8);
    f->source = h3ou__get32(bytes + 16);
    f->group = h3ou__get32(bytes + 20);
    f->tag = (int64_t)h3ou__get64(bytes + 24);
    f->length = h3ou__get64(bytes + 32);
    f->id = h3ou__get64(bytes + 40);
    if (f->kind < 1 || f->kind >= WAITIO__KINDS)
        return h3ou__fail(H3OU__EPROTO, "frame of unknown kind %d", f->kind);
    if (f->seq != seq)
        return h3ou__fail(H3OU__EPROTO, "frame %" PRIu64 " where %" PRIu64 " was due", f->seq, seq);
    if (f->length > most(f->kind, eager_limit))
        return h3ou__fail(H3OU__EPROTO, "frame of kind %d with an impossible length of %" PRIu64, f->kind, f->length);
    return H3OU__OK;
}

uint64_t waitio__frame_payload(const waitio__frame *f)
{
    return f->kind == WAITIO__RTS ? 0 : f->length;
}
