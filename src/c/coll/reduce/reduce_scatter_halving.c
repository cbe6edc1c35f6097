/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce_scatter by recursive halving: each member exchanges half of the parts it has with the one that is half of the
 * members away, combines the other half, and so on. ceil(log2 size) rounds, and two more if size is no power of two. */
#include "coll/reduce/fold_values.h"
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

/* The bytes of the parts of n folded members, packed. */
static h3ou__part find_range(const h3ou__call *call, const h3ou__fold *fold, int first, int n)
{
    h3ou__part from = h3ou__call_part(call, h3ou__fold_rank(fold, first));
    h3ou__part last = h3ou__call_part(call, h3ou__fold_rank(fold, first + n) - 1);
    return (h3ou__part){from.at, last.at + last.bytes - from.at};
}

static void halve(const h3ou__call *call, const h3ou__fold *fold, h3ou__span value, h3ou__span other,
                  h3ou__schedule *out)
{
    for (int n = fold->n / 2, first = 0; n > 0; n /= 2) {
        bool is_upper = fold->me & n;
        int peer = h3ou__fold_rank(fold, fold->me ^ n);
        h3ou__part keep = find_range(call, fold, first + is_upper * n, n),
                   give = find_range(call, fold, first + !is_upper * n, n);
        h3ou__schedule_send(out, peer, h3ou__span_after(value, give.at), give.bytes);
        h3ou__schedule_recv(out, peer, other, keep.bytes);
        h3ou__schedule_end_round(out);
        h3ou__schedule_local(out, H3OU__STEP_COMBINE, h3ou__span_after(value, keep.at), other, keep.bytes);
        first += is_upper * n;
    }
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__fold fold;
    h3ou__part mine = h3ou__call_part(call, call->me), last = h3ou__call_part(call, call->size - 1);
    int64_t bytes = last.at + last.bytes;
    h3ou__span value = h3ou__schedule_scratch(out, bytes), other = h3ou__schedule_scratch(out, bytes);
    h3ou__fold_open(call, &fold);
    if (!h3ou__fold_values(&fold, value, other, bytes, out)) {
        h3ou__schedule_recv(out, fold.partner, h3ou__output(0), mine.bytes);
    } else {
        halve(call, &fold, value, other, out);
        h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(0), h3ou__span_after(value, mine.at), mine.bytes);
        if (fold.partner >= 0) {
            h3ou__part theirs = h3ou__call_part(call, fold.partner);
            h3ou__schedule_send(out, fold.partner, h3ou__span_after(value, theirs.at), theirs.bytes);
        }
    }
    h3ou__schedule_end_round(out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__fold fold;
    double bytes = (double)h3ou__cost_all_bytes(call);
    (void)ports;
    h3ou__fold_open(call, &fold);
    h3ou__cost_rounds(cost, fold.npair > 0, bytes);
    h3ou__cost_rounds(cost, fold.npair > 0, bytes / call->size);
    cost->messages += h3ou__cost_log2(fold.n);
    cost->bytes += bytes * (fold.n - 1) / fold.n;
}

const h3ou__algorithm h3ou__reduce_scatter_halving = {.name = "recursive_halving",
                                                      .operation = H3OU__COLL_REDUCE_SCATTER,
                                                      .order = H3OU__ORDER_ANY,
                                                      .cost = cost_of,
                                                      .build = build};
