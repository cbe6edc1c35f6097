/* SPDX-License-Identifier: BSD-3-Clause */
/* The first bytes of a stranger. */
#include <string.h>

#include "must.h"
#include "waitio/identity/greeting.h"

static size_t used(const uint8_t *bytes)
{
    size_t n = strnlen((const char *)bytes, WAITIO__GREET_NAME);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    unsigned char again[WAITIO__GREET], twice[WAITIO__GREET];
    waitio__greet g, h;
    enum { NAME_AT = 104 };
    if (n < WAITIO__GREET)
        return 0;
    int taken = 0;
    for (int kind = WAITIO__HELLO; kind <= WAITIO__VERDICT; kind++) {
        if (waitio__greet_get(bytes, kind, &g))
            continue;
        taken++;
        MUST(g.kind == kind);
        MUST(g.purpose >= WAITIO__FOR_JOIN && g.purpose <= WAITIO__FOR_KING);
        MUST(g.verdict >= WAITIO__TAKEN && g.verdict <= WAITIO__UNFIT);
        size_t length = strnlen(g.name, sizeof g.name);
        MUST(length <= WAITIO__GREET_NAME && length == used(bytes + NAME_AT));
        for (size_t i = 0; i < length; i++)
            MUST((unsigned char)g.name[i] >= 32 && g.name[i] != 127);
        waitio__greet_put(&g, again);
        MUST(!memcmp(again, bytes, NAME_AT));
        MUST(!waitio__greet_get(again, kind, &h));
        waitio__greet_put(&h, twice);
        MUST(!memcmp(again, twice, WAITIO__GREET));
    }
    MUST(taken <= 1);
    return 0;
}
