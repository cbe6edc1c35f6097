/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/conduit/record.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "base/error.h"

static const uint32_t magic = 0x46344957; /* "WI4F" */

static uint64_t record_hash(const unsigned char bytes[WAITIO__RECORD])
{
    return XXH64(bytes, WAITIO__RECORD - 8, 0);
}

void waitio__record_put(const waitio__record *r, unsigned char bytes[WAITIO__RECORD])
{
    memset(bytes, 0, WAITIO__RECORD);
    h3ou__put32(bytes, magic);
    h3ou__put32(bytes + 4, r->is_closed);
    h3ou__put64(bytes + 8, r->written);
    h3ou__put64(bytes + 16, r->read);
    h3ou__put32(bytes + 24, r->pid);
    h3ou__put32(bytes + 28, r->is_locked);
    h3ou__put64(bytes + 32, r->host);
    h3ou__put64(bytes + 40, r->span);
    h3ou__put64(bytes + 48, r->base);
    h3ou__put64(bytes + WAITIO__RECORD - 8, record_hash(bytes));
}

int waitio__record_get(const unsigned char bytes[WAITIO__RECORD], waitio__record *r)
{
    if (h3ou__get32(bytes) != magic)
        return h3ou__fail(H3OU__EPROTO, "bytes that are no record of a file link");
    if (h3ou__get64(bytes + WAITIO__RECORD - 8) != record_hash(bytes) || h3ou__get32(bytes + 4) > 1)
        return h3ou__fail(H3OU__EPROTO, "a record of a file link that is not whole");
    r->is_closed = h3ou__get32(bytes + 4) == 1;
    r->written = h3ou__get64(bytes + 8);
    r->read = h3ou__get64(bytes + 16);
    r->pid = h3ou__get32(bytes + 24);
    r->is_locked = h3ou__get32(bytes + 28) == 1;
    r->host = h3ou__get64(bytes + 32);
    r->span = h3ou__get64(bytes + 40);
    r->base = h3ou__get64(bytes + 48);
    return H3OU__OK;
}
