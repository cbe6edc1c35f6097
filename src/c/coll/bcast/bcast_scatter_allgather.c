/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast in two halves: the message is scattered, one part to each member, down a binomial tree, and then the parts
 * go round the ring of members. The ring has size - 1 rounds, and so many steps. */
#include "coll/bcast/bcast.h"
#include "coll/schedule/cost.h"

/* The parts of the members at places first..first+n-1, counted from the root; places at or after size are none. */
static h3ou__part find_range(const h3ou__call *call, int64_t first, int64_t n)
{
    int end = first + n < call->size ? (int)(first + n) : call->size;
    h3ou__part from = h3ou__call_share(call, (int)first, call->size),
               last = h3ou__call_share(call, end - 1, call->size);
    return (h3ou__part){from.at, last.at + last.bytes - from.at};
}

static void scatter(const h3ou__call *call, h3ou__schedule *out)
{
    int place = h3ou__call_place(call);
    int64_t bit = 1;
    while (bit < call->size && !(place & bit))
        bit <<= 1;
    if (place) {
        h3ou__part mine = find_range(call, place, bit);
        h3ou__schedule_recv(out, h3ou__call_member(call, place - (int)bit), h3ou__output(mine.at), mine.bytes);
        h3ou__schedule_end_round(out);
    }
    for (bit >>= 1; bit > 0; bit >>= 1)
        if (place + bit < call->size) {
            h3ou__part theirs = find_range(call, place + bit, bit);
            h3ou__schedule_send(out, h3ou__call_member(call, place + (int)bit), h3ou__output(theirs.at), theirs.bytes);
        }
    h3ou__schedule_end_round(out);
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    int place = h3ou__call_place(call), next = h3ou__call_member(call, (int)(((int64_t)place + 1) % call->size)),
        before = h3ou__call_member(call, place ? place - 1 : call->size - 1);
    scatter(call, out);
    for (int i = 0; i < call->size - 1 && !out->error; i++) {
        h3ou__part have = h3ou__call_share(call, (place - i + call->size) % call->size, call->size);
        h3ou__part need = h3ou__call_share(call, (place - i - 1 + call->size) % call->size, call->size);
        h3ou__schedule_send(out, next, h3ou__output(have.at), have.bytes);
        h3ou__schedule_recv(out, before, h3ou__output(need.at), need.bytes);
        h3ou__schedule_end_round(out);
    }
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    double share = (double)h3ou__call_bytes(call) / call->size;
    int rounds = h3ou__cost_log2(call->size);
    (void)ports;
    cost->messages += rounds;
    cost->bytes += share * (call->size - 1);
    h3ou__cost_rounds(cost, call->size - 1, share);
}

const h3ou__algorithm h3ou__bcast_scatter_allgather = {
    .name = "scatter_allgather", .operation = H3OU__COLL_BCAST, .cost = cost_of, .build = build};
