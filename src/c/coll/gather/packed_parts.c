/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/gather/packed_parts.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

int h3ou__packed_open(const h3ou__call *call, int first, h3ou__packed_parts *p)
{
    *p = (h3ou__packed_parts){.call = call, .first = first, .total = call->size * h3ou__call_bytes(call)};
    if (!call->counts)
        return H3OU__OK;
    p->at = malloc(sizeof *p->at * (size_t)(call->size + 1));
    if (!p->at)
        return h3ou__no_memory("a collective's schedule");
    p->at[0] = 0;
    for (int i = 0; i < call->size; i++)
        p->at[i + 1] = p->at[i] + call->counts[(first + i) % call->size] * call->element;
    p->total = p->at[call->size];
    return H3OU__OK;
}

int64_t h3ou__packed_at(const h3ou__packed_parts *p, int i)
{
    return p->at ? p->at[i] : i * h3ou__call_bytes(p->call);
}

void h3ou__packed_unpack(const h3ou__packed_parts *p, h3ou__span from, h3ou__schedule *out)
{
    int n = p->call->size;
    if (!p->call->counts && !p->call->displs) { /* two pieces: up to the last member, and the others */
        int64_t high = h3ou__packed_at(p, n - p->first);
        h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(p->total - high), from, high);
        h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(0), h3ou__span_after(from, high), p->total - high);
        return;
    }
    for (int i = 0; i < n && !out->error; i++) {
        h3ou__part part = h3ou__call_part(p->call, (p->first + i) % n);
        h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(part.at), h3ou__span_after(from, h3ou__packed_at(p, i)),
                             part.bytes);
    }
}

void h3ou__packed_close(h3ou__packed_parts *p)
{
    free(p->at);
    p->at = NULL;
}
