/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan along the chain of members, in segments: each combines its value with what the one before sends, and passes the
 * result on. */
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

static h3ou__part find_segment(const h3ou__call *call, int64_t k)
{
    int64_t bytes = h3ou__call_bytes(call), segment = h3ou__call_segment(call, bytes), left = bytes - k * segment;
    return (h3ou__part){k * segment, left < segment ? left : segment};
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    int64_t bytes = h3ou__call_bytes(call), segment = h3ou__call_segment(call, bytes);
    int64_t nsegment = bytes ? (bytes + segment - 1) / segment : 1;
    for (int64_t k = 0; k <= nsegment && !out->error; k++) {
        if (k) { /* the segment of the round before */
            h3ou__part s = find_segment(call, k - 1);
            h3ou__schedule_local(out, call->me ? H3OU__STEP_COMBINE : H3OU__STEP_COPY, h3ou__output(s.at),
                                 h3ou__input(s.at), s.bytes);
            if (call->me + 1 < call->size)
                h3ou__schedule_send(out, call->me + 1, h3ou__output(s.at), s.bytes);
        }
        if (k < nsegment && call->me) {
            h3ou__part s = find_segment(call, k);
            h3ou__schedule_recv(out, call->me - 1, h3ou__output(s.at), s.bytes);
        }
        h3ou__schedule_end_round(out);
    }
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    (void)ports;
    h3ou__cost_pipeline(cost, 1, call->size - 1, 1);
}

const h3ou__algorithm h3ou__scan_pipeline = {.name = "pipeline",
                                             .operation = H3OU__COLL_SCAN,
                                             .order = H3OU__ORDER_SERIAL,
                                             .has_segments = true,
                                             .cost = cost_of,
                                             .build = build};
