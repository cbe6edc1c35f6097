/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of all addresses, in pieces of any size. First byte: the size of the pieces. */
#include <string.h>

#include "must.h"
#include "waitio/identity/endpoints.h"
#include "waitio/stream/frame.h"

static int read_table(const uint8_t *bytes, size_t n, size_t piece, waitio__endpoints *e, waitio__memory *memory)
{
    waitio__endpoint_table_reader *r;
    int code = waitio__endpoint_table_begin(&r, e, 0, memory);
    if (code)
        return code;
    while (n && !code) {
        size_t part = piece < n ? piece : n;
        code = waitio__endpoint_table_take(r, bytes, part);
        bytes += part;
        n -= part;
    }
    return waitio__endpoint_table_end(r, code, 0);
}

static void check_table(const waitio__endpoints *e, const uint8_t *bytes, size_t n)
{
    int all = waitio__endpoints_count(e), pb, rank;
    MUST(e->npb >= 1 && e->npb <= WAITIO__PBS_MOST && all >= e->npb && e->nhost >= 1 && e->nhost <= all);
    MUST(n == WAITIO__TABLE_HEAD + 12 * (size_t)e->npb + 18 * (size_t)e->nhost + 6 * (size_t)all);
    const uint8_t *hosts = bytes + WAITIO__TABLE_HEAD + 12 * (size_t)e->npb, *processes = hosts + 18 * (size_t)e->nhost;
    for (int i = 0; i < e->npb; i++)
        MUST(waitio__endpoints_size(e, i) >= 1);
    for (int i = 0; i < all; i++) {
        const uint8_t *p = processes + 6 * (size_t)i;
        uint32_t host = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        waitio__address a;
        waitio__endpoints_find(e, i, &pb, &rank);
        MUST(pb >= 0 && pb < e->npb && rank >= 0 && rank < waitio__endpoints_size(e, pb));
        MUST(waitio__endpoints_global(e, pb, rank) == i);
        MUST(host < (uint32_t)e->nhost);
        waitio__endpoints_address(e, i, &a);
        MUST(!memcmp(a.ip, hosts + 18 * (size_t)host, 16) && a.port == (p[4] | p[5] << 8));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    waitio__memory memory = {.spared = 0};
    waitio__endpoints e[2];
    if (n < 1 + WAITIO__TABLE_HEAD)
        return 0;
    size_t piece = 1 + bytes[0] % 64;
    /* As many as the head says are taken at once; whoever may say so has proven who he is. Here that is too slow. */
    if (bytes[1 + 10] || bytes[1 + 9] > 16)
        return 0;
    int whole = read_table(bytes + 1, n - 1, n, &e[0], &memory);
    int cut = read_table(bytes + 1, n - 1, piece, &e[1], &memory);
    MUST(whole == cut);
    for (int i = 0; i < 2; i++) {
        if (!whole)
            check_table(&e[i], bytes + 1, n - 1);
        MUST(!whole || !e[i].base);
        waitio__endpoints_free(&e[i]);
    }
    MUST(waitio__memory_held(&memory) == 0);
    waitio__memory_free(&memory);
    return 0;
}
