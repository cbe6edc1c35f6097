/* SPDX-License-Identifier: BSD-3-Clause */
/* Rabenseifner's allreduce: in round k each member exchanges half of what it has with the one whose number differs in
 * bit k, and combines the other half, so that the parts are scattered in the end; then the same rounds backwards gather
 * them. A member sends twice the message in all, whatever the number of members. */
#include "coll/reduce/fold_values.h"
#include "coll/reduce/reduce.h"
#include "coll/schedule/cost.h"

/* The bytes of n shares of the message, of as many as there are folded members. */
static h3ou__part find_shares(const h3ou__call *call, const h3ou__fold *fold, int first, int n)
{
    h3ou__part from = h3ou__call_share(call, first, fold->n), last = h3ou__call_share(call, first + n - 1, fold->n);
    return (h3ou__part){from.at, last.at + last.bytes - from.at};
}

static void exchange(int peer, h3ou__part give, h3ou__span to, int64_t bytes, h3ou__schedule *out)
{
    h3ou__schedule_send(out, peer, h3ou__output(give.at), give.bytes);
    h3ou__schedule_recv(out, peer, to, bytes);
    h3ou__schedule_end_round(out);
}

static void exchange_values(const h3ou__call *call, const h3ou__fold *fold, h3ou__span other, h3ou__schedule *out)
{
    int first = 0, n = fold->n; /* the shares that I combine */
    for (int bit = 1; bit < fold->n; bit *= 2) {
        bool is_upper = fold->me & bit;
        n /= 2;
        h3ou__part keep = find_shares(call, fold, first + is_upper * n, n),
                   give = find_shares(call, fold, first + !is_upper * n, n);
        exchange(h3ou__fold_rank(fold, fold->me ^ bit), give, other, keep.bytes, out);
        h3ou__schedule_local(out, is_upper ? H3OU__STEP_COMBINE_LEFT : H3OU__STEP_COMBINE, h3ou__output(keep.at), other,
                             keep.bytes);
        first += is_upper * n;
    }
    for (int bit = fold->n / 2; bit > 0; bit /= 2, n *= 2) {
        bool is_upper = fold->me & bit;
        h3ou__part have = find_shares(call, fold, first, n),
                   need = find_shares(call, fold, is_upper ? first - n : first + n, n);
        exchange(h3ou__fold_rank(fold, fold->me ^ bit), have, h3ou__output(need.at), need.bytes, out);
        first -= is_upper * n;
    }
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__fold fold;
    int64_t bytes = h3ou__call_bytes(call);
    h3ou__span other = h3ou__schedule_scratch(out, bytes);
    h3ou__fold_open(call, &fold);
    if (h3ou__fold_values(&fold, h3ou__output(0), other, bytes, out))
        exchange_values(call, &fold, other, out);
    h3ou__fold_return(&fold, bytes, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__fold fold;
    double bytes = (double)h3ou__call_bytes(call);
    (void)ports;
    h3ou__fold_open(call, &fold);
    h3ou__cost_rounds(cost, fold.npair ? 2 : 0, bytes);
    cost->messages += 2 * h3ou__cost_log2(fold.n);
    cost->bytes += 2 * bytes * (fold.n - 1) / fold.n;
}

const h3ou__algorithm h3ou__allreduce_rabenseifner = {.name = "rabenseifner",
                                                      .operation = H3OU__COLL_ALLREDUCE,
                                                      .order = H3OU__ORDER_RANKS,
                                                      .cost = cost_of,
                                                      .build = build};
