/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/identity/endpoints.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/grow.h"
#include "waitio/identity/secret.h"

void waitio__endpoint_put(const waitio__address *a, unsigned char bytes[WAITIO__ADDRESS])
{
    memcpy(bytes, a->ip, 16);
    h3ou__put16(bytes + 16, a->port);
    h3ou__put16(bytes + 18, (uint16_t)a->scope);
}

uint64_t waitio__endpoint_local(uint64_t salt, const waitio__address *a)
{
    waitio__key key = {{0}};
    unsigned char bytes[WAITIO__ADDRESS], mac[WAITIO__KEY];
    h3ou__put64(key.byte, salt);
    waitio__endpoint_put(a, bytes);
    waitio__key_mac(&key, bytes, sizeof bytes, NULL, 0, NULL, 0, mac);
    return h3ou__get64(mac);
}

typedef struct hosts { /* each host once, in the order of the first process on it */
    unsigned char (*host)[18];
    uint32_t n, room, *slot; /* slot: hash table of 2^bits entries: number of a host + 1, or 0 */
    uint32_t mask;
} hosts;

static uint32_t host_hash(const unsigned char host[18])
{
    return (uint32_t)XXH64(host, 18, 0);
}

static int hosts_grow(hosts *h)
{
    uint32_t room = h->room ? 2 * h->room : 64;
    uint32_t *slot = calloc((size_t)room * 2, sizeof *slot);
    if (!slot || !h3ou__resize(&h->host, sizeof *h->host, room)) {
        free(slot);
        return H3OU__ENOMEM;
    }
    free(h->slot);
    h->slot = slot;
    h->room = room;
    h->mask = 2 * room - 1;
    for (uint32_t i = 0; i < h->n; i++) {
        uint32_t at = host_hash(h->host[i]);
        while (slot[at & h->mask])
            at++;
        slot[at & h->mask] = i + 1;
    }
    return H3OU__OK;
}

static int number_of(hosts *h, const unsigned char record[WAITIO__ADDRESS], uint32_t *number)
{
    unsigned char host[18];
    memcpy(host, record, 16);
    memcpy(host + 16, record + 18, 2);
    /* The processes of a host usually follow each other. */
    if (h->n && !memcmp(h->host[h->n - 1], host, 18)) {
        *number = h->n - 1;
        return H3OU__OK;
    }
    if (h->n == h->room && hosts_grow(h))
        return H3OU__ENOMEM;
    uint32_t at = host_hash(host);
    while (h->slot[at & h->mask] && memcmp(h->host[h->slot[at & h->mask] - 1], host, 18))
        at++;
    if (!h->slot[at & h->mask]) {
        memcpy(h->host[h->n], host, 18);
        h->slot[at & h->mask] = ++h->n;
    }
    *number = h->slot[at & h->mask] - 1;
    return H3OU__OK;
}

static int number_all(hosts *h, int npb, const unsigned char *const records[], const int size[], uint32_t *host)
{
    int code = H3OU__OK;
    for (int pb = 0; pb < npb; pb++)
        for (int rank = 0; rank < size[pb] && !code; rank++)
            code = number_of(h, records[pb] + WAITIO__SALT + (size_t)rank * WAITIO__ADDRESS, host++);
    return code;
}

unsigned char *waitio__endpoints_pack(int npb, const unsigned char *const records[], const int size[], uint64_t *n)
{
    size_t processes = 0;
    for (int pb = 0; pb < npb; pb++)
        processes += (size_t)size[pb];
    hosts h = {0};
    unsigned char *bytes = NULL, *at;
    uint32_t *host = malloc((processes + 1) * sizeof *host);
    if (!host || number_all(&h, npb, records, size, host))
        goto done;
    *n = WAITIO__TABLE_HEAD + (4 + WAITIO__SALT) * (uint64_t)npb + 18 * (uint64_t)h.n + 6 * (uint64_t)processes;
    at = bytes = malloc(*n);
    if (!bytes)
        goto done;
    h3ou__put32(at, (uint32_t)npb);
    h3ou__put32(at + 4, h.n);
    h3ou__put64(at + 8, processes);
    at += WAITIO__TABLE_HEAD;
    for (int pb = 0; pb < npb; pb++, at += 4 + WAITIO__SALT) {
        h3ou__put32(at, (uint32_t)size[pb]);
        memcpy(at + 4, records[pb], WAITIO__SALT);
    }
    memcpy(at, h.host, (size_t)h.n * 18);
    at += (size_t)h.n * 18;
    for (size_t pb = 0, i = 0; pb < (size_t)npb; pb++)
        for (size_t rank = 0; rank < (size_t)size[pb]; rank++, i++, at += 6) {
            h3ou__put32(at, host[i]);
            memcpy(at + 4, records[pb] + WAITIO__SALT + rank * WAITIO__ADDRESS + 16, 2);
        }
done:
    if (!bytes)
        h3ou__fail(H3OU__ENOMEM, "no memory for a table of %zu addresses", processes);
    free(host);
    free(h.host);
    free(h.slot);
    return bytes;
}

int waitio__endpoints_count(const waitio__endpoints *e)
{
    return e->first ? e->first[e->npb] : 0;
}

int waitio__endpoints_size(const waitio__endpoints *e, int pb)
{
    return e->first[pb + 1] - e->first[pb];
}

int waitio__endpoints_global(const waitio__endpoints *e, int pb, int rank)
{
    return e->first[pb] + rank;
}

void waitio__endpoints_find(const waitio__endpoints *e, int global, int *pb, int *rank)
{
    int low = 0, high = e->npb;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (e->first[middle] <= global)
            low = middle;
        else
            high = middle;
    }
    *pb = low;
    *rank = global - e->first[low];
}

void waitio__endpoints_address(const waitio__endpoints *e, int global, waitio__address *out)
{
    uint32_t host = e->host[global];
    int pb, rank;
    memset(out, 0, sizeof *out);
    memcpy(out->ip, e->ip + 16 * (size_t)host, 16);
    out->scope = e->scope[host];
    out->port = e->port[global];
    waitio__endpoints_find(e, global, &pb, &rank);
    out->local = waitio__endpoint_local(e->salt[pb], out);
}
