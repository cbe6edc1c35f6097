/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather by recursive doubling: in round k each member exchanges the parts it has with the one whose number differs
 * in bit k. ceil(log2 size) rounds, and two more if size is no power of two. Scratch memory: all parts, if they do not
 * stand packed in the output. */
#include "coll/gather/gather.h"
#include "coll/gather/packed_parts.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/folded_members.h"

static void exchange(const h3ou__fold *fold, const h3ou__packed_parts *p, h3ou__span parts, h3ou__schedule *out)
{
    for (int n = 1; n < fold->n; n *= 2) {
        int mine = fold->me / n * n, theirs = mine ^ n, peer = h3ou__fold_rank(fold, fold->me ^ n);
        int64_t have = h3ou__packed_at(p, h3ou__fold_rank(fold, mine)),
                have_end = h3ou__packed_at(p, h3ou__fold_rank(fold, mine + n));
        int64_t get = h3ou__packed_at(p, h3ou__fold_rank(fold, theirs)),
                get_end = h3ou__packed_at(p, h3ou__fold_rank(fold, theirs + n));
        h3ou__schedule_send(out, peer, h3ou__span_after(parts, have), have_end - have);
        h3ou__schedule_recv(out, peer, h3ou__span_after(parts, get), get_end - get);
        h3ou__schedule_end_round(out);
    }
}

static void build_parts(const h3ou__call *call, const h3ou__packed_parts *p, h3ou__span parts, h3ou__schedule *out)
{
    h3ou__fold fold;
    int64_t at = h3ou__packed_at(p, call->me), end = h3ou__packed_at(p, call->me + 1);
    h3ou__fold_open(call, &fold);
    if (fold.me < 0) {
        h3ou__schedule_send(out, fold.partner, h3ou__input(0), end - at);
        h3ou__schedule_end_round(out);
        h3ou__schedule_recv(out, fold.partner, parts, p->total);
    } else {
        h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__span_after(parts, at), h3ou__input(0), end - at);
        if (fold.partner >= 0)
            h3ou__schedule_recv(out, fold.partner, h3ou__span_after(parts, end),
                                h3ou__packed_at(p, call->me + 2) - end);
        h3ou__schedule_end_round(out);
        exchange(&fold, p, parts, out);
        if (fold.partner >= 0)
            h3ou__schedule_send(out, fold.partner, parts, p->total);
    }
    h3ou__schedule_end_round(out);
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__packed_parts p;
    int err = h3ou__packed_open(call, 0, &p);
    if (err)
        return out->error = err;
    h3ou__span parts = call->displs ? h3ou__schedule_scratch(out, p.total) : h3ou__output(0);
    build_parts(call, &p, parts, out);
    if (call->displs)
        h3ou__packed_unpack(&p, parts, out);
    h3ou__schedule_end_round(out);
    h3ou__packed_close(&p);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    h3ou__fold fold;
    double all = (double)h3ou__cost_all_bytes(call), part = all / call->size;
    (void)ports;
    h3ou__fold_open(call, &fold);
    h3ou__cost_rounds(cost, fold.npair > 0, part);
    h3ou__cost_rounds(cost, fold.npair > 0, all);
    cost->messages += h3ou__cost_log2(fold.n);
    cost->bytes += all * (fold.n - 1) / fold.n;
}

const h3ou__algorithm h3ou__allgather_doubling = {
    .name = "recursive_doubling", .operation = H3OU__COLL_ALLGATHER, .cost = cost_of, .build = build};
