/* SPDX-License-Identifier: BSD-3-Clause */
/* What the other end of a file link has published. */
#include <string.h>

#include "must.h"
#include "waitio/conduit/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    unsigned char again[WAITIO__RECORD];
    waitio__record r;
    if (n < WAITIO__RECORD)
        return 0;
    if (!waitio__record_get(bytes, &r)) {
        waitio__record_put(&r, again);
        MUST(!memcmp(again, bytes, WAITIO__RECORD));
    }
    /* Any one is put and got; half of it and half of the one before is none, unless they are the same. */
    waitio__record s, t;
    memset(&s, 0, sizeof s);
    memcpy(&s.written, bytes, 8);
    memcpy(&s.read, bytes + 8, 8);
    memcpy(&s.pid, bytes + 16, 4);
    memcpy(&s.host, bytes + 24, 8);
    memcpy(&s.span, bytes + 40, 8);
    s.is_closed = bytes[32] & 1;
    waitio__record_put(&s, again);
    MUST(!waitio__record_get(again, &t));
    MUST(t.written == s.written && t.read == s.read && t.pid == s.pid && t.host == s.host && t.span == s.span &&
         t.is_closed == s.is_closed);
    unsigned char torn[WAITIO__RECORD];
    s.written++;
    waitio__record_put(&s, torn);
    size_t half = 8 + 8 * (bytes[33] % 7);
    memcpy(torn, again, half);
    if (memcmp(torn, again, WAITIO__RECORD) != 0 && half > 8) {
        int code = waitio__record_get(torn, &t);
        MUST(code);
    }
    return 0;
}
