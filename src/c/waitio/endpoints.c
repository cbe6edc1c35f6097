/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/endpoints.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "waitio/frame.h"

int waitio__endpoints_unpack(waitio__endpoints *e, int npb, const unsigned char *bytes, size_t n)
{
    int64_t sum = 0;
    *e = (waitio__endpoints){.npb = npb};
    if (n < (size_t)npb * 4)
        return h3ou__fail(H3OU__EPROTO, "a table of addresses that is too short for %d jobs", npb);
    e->first = malloc(((size_t)npb + 1) * sizeof *e->first);
    if (!e->first)
        return h3ou__fail(H3OU__ENOMEM, "no memory for %d jobs", npb);
    for (int pb = 0; pb <= npb; pb++) {
        e->first[pb] = (int)sum;
        uint32_t size = pb < npb ? h3ou__get32(bytes + 4 * (size_t)pb) : 0;
        sum += size;
        if ((pb < npb && !size) || sum > WAITIO__PROCESSES_MOST) {
            waitio__endpoints_free(e);
            return h3ou__fail(H3OU__EPROTO, "a table of addresses in which PB %d has %u processes", pb, size);
        }
    }
    if (n - (size_t)npb * 4 != (size_t)sum * WAITIO__ADDRESS) {
        waitio__endpoints_free(e);
        return h3ou__fail(H3OU__EPROTO, "a table of addresses of %zu bytes for %d processes", n, (int)sum);
    }
    e->address = malloc((size_t)sum * sizeof *e->address);
    if (!e->address) {
        waitio__endpoints_free(e);
        return h3ou__fail(H3OU__ENOMEM, "no memory for %d addresses", (int)sum);
    }
    memcpy(e->address, bytes + (size_t)npb * 4, (size_t)sum * sizeof *e->address);
    return H3OU__OK;
}

void waitio__endpoints_free(waitio__endpoints *e)
{
    free(e->first);
    free(e->address);
    *e = (waitio__endpoints){0};
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

const waitio__address *waitio__endpoints_address(const waitio__endpoints *e, int global)
{
    return &e->address[global];
}
