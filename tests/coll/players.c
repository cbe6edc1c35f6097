/* SPDX-License-Identifier: BSD-3-Clause */
#include "players.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENT = 8, UNTOUCHED = 0x55 };

/* The value of element i that a member gives; for alltoall `to` is who gets it. */
static int64_t value_of(int from, int to, int64_t i)
{
    uint64_t x = (uint64_t)from * 0x9E3779B97F4A7C15u + (uint64_t)to * 0xC2B2AE3D27D4EB4Fu +
                 (uint64_t)i * 0x165667B19E3779F9u + 1;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9u;
    return (int64_t)(x ^ x >> 32);
}

/* Sum: commutative and associative. Composition of linear functions, with factor and summand of 32 bits: associative.
 * And 3 x + y, which is neither. */
static int64_t operate(int order, int64_t x, int64_t y)
{
    uint64_t a = (uint64_t)x, b = (uint64_t)y;
    if (order == H3OU__ORDER_ANY)
        return (int64_t)(a + b);
    if (order == H3OU__ORDER_SERIAL)
        return (int64_t)(3 * a + b);
    uint32_t factor = (uint32_t)(a >> 32) * (uint32_t)(b >> 32),
             summand = (uint32_t)(a >> 32) * (uint32_t)b + (uint32_t)a;
    return (int64_t)((uint64_t)factor << 32 | summand);
}

void players_combine(int order, int64_t *to, const int64_t *from, int64_t n, bool is_left)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = is_left ? operate(order, from[i], to[i]) : operate(order, to[i], from[i]);
}

static void *reserve(int64_t n, size_t size)
{
    void *memory = calloc((size_t)n + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* Parts that lie in descending order, with a gap of one element between two. */
static void make_parts(players *p, int64_t count)
{
    int n = p->call.size;
    int64_t at = 0;
    p->counts = reserve(n, sizeof *p->counts);
    p->displs = reserve(n, sizeof *p->displs);
    for (int i = n - 1; i >= 0; i--) {
        p->counts[i] = count ? (i * 7 + 3) % (2 * count + 1) : 0;
        p->displs[i] = at;
        at += p->counts[i] + 1;
    }
}

static void make_pairs(players *p, int64_t count)
{
    int n = p->call.size;
    p->pair_counts = reserve((int64_t)n * n, sizeof *p->pair_counts);
    p->pair_displs = reserve((int64_t)n * n, sizeof *p->pair_displs);
    for (int from = 0; from < n; from++)
        for (int to = 0, at = 0; to < n; to++) {
            p->pair_counts[from * n + to] = count ? (from * 5 + to * 3) % (2 * count + 1) : 0;
            p->pair_displs[from * n + to] = at;
            at += (int)p->pair_counts[from * n + to];
        }
}

h3ou__call players_call(const players *p, int me)
{
    h3ou__call call = p->call;
    call.me = me;
    int operation = call.operation, n = call.size;
    if (!call.is_vector)
        return call;
    if (operation == H3OU__COLL_ALLTOALL) {
        /* What member i sends to me is given by a column: the tests keep it as a row of its own. */
        call.send_counts = p->pair_counts + (int64_t)me * n;
        call.send_displs = p->pair_displs + (int64_t)me * n;
        call.counts = p->counts + (int64_t)me * n;
        call.displs = p->displs + (int64_t)me * n;
        return call;
    }
    bool is_rooted = operation == H3OU__COLL_GATHER || operation == H3OU__COLL_SCATTER;
    call.count = p->counts[me];
    call.counts = !is_rooted || me == call.root ? p->counts : NULL;
    call.displs = call.counts && operation != H3OU__COLL_REDUCE_SCATTER ? p->displs : NULL;
    return call;
}

/* Turns the pairs into what each member receives: counts[me * n + i] from member i. */
static void make_columns(players *p)
{
    int n = p->call.size;
    p->counts = reserve((int64_t)n * n, sizeof *p->counts);
    p->displs = reserve((int64_t)n * n, sizeof *p->displs);
    for (int me = 0; me < n; me++)
        for (int from = 0, at = 0; from < n; from++) {
            p->counts[me * n + from] = p->pair_counts[from * n + me];
            p->displs[me * n + from] = at;
            at += (int)p->counts[me * n + from] + 1;
        }
}

/* The bytes up to the end of the last part. */
static int64_t extent_of(const h3ou__call *call, h3ou__part (*part)(const h3ou__call *call, int rank))
{
    int64_t end = 0;
    for (int i = 0; i < call->size; i++) {
        h3ou__part q = part(call, i);
        end = q.at + q.bytes > end ? q.at + q.bytes : end;
    }
    return end;
}

static int64_t own_bytes(const players *p, int me)
{
    return (p->call.is_vector ? p->counts[me] : p->call.count) * ELEMENT;
}

static void find_sizes(const players *p, int me, int64_t bytes[2])
{
    h3ou__call call = players_call(p, me);
    bool is_root = me == call.root;
    int64_t message = p->call.count * ELEMENT,
            all = call.counts || !call.is_vector ? extent_of(&call, h3ou__call_part) : 0;
    bytes[0] = bytes[1] = 0;
    switch (call.operation) {
    case H3OU__COLL_BCAST:
        bytes[1] = message;
        break;
    case H3OU__COLL_REDUCE:
        bytes[0] = message;
        bytes[1] = is_root ? message : 0;
        break;
    case H3OU__COLL_ALLREDUCE:
    case H3OU__COLL_SCAN:
        bytes[0] = bytes[1] = message;
        break;
    case H3OU__COLL_REDUCE_SCATTER:
        bytes[0] = all;
        bytes[1] = own_bytes(p, me);
        break;
    case H3OU__COLL_GATHER:
        bytes[0] = own_bytes(p, me);
        bytes[1] = is_root ? all : 0;
        break;
    case H3OU__COLL_SCATTER:
        bytes[0] = is_root ? all : 0;
        bytes[1] = own_bytes(p, me);
        break;
    case H3OU__COLL_ALLGATHER:
        bytes[0] = own_bytes(p, me);
        bytes[1] = all;
        break;
    case H3OU__COLL_ALLTOALL:
        bytes[0] = extent_of(&call, h3ou__call_send_part);
        bytes[1] = all;
        break;
    }
}

static void fill_parts(const h3ou__call *call, h3ou__part (*part)(const h3ou__call *call, int rank), int from,
                       bool is_pair, char *buf)
{
    for (int to = 0; to < call->size; to++) {
        h3ou__part q = part(call, to);
        for (int64_t i = 0; i < q.bytes / ELEMENT; i++)
            ((int64_t *)(buf + q.at))[i] = value_of(is_pair ? from : to, is_pair ? to : 0, i);
    }
}

static void fill_values(players *p, int me)
{
    h3ou__call call = players_call(p, me);
    memset(p->output[me], UNTOUCHED, (size_t)p->bytes[me][1] + ELEMENT);
    if (call.operation == H3OU__COLL_ALLTOALL)
        fill_parts(&call, h3ou__call_send_part, me, true, p->input[me]);
    else if (call.operation == H3OU__COLL_SCATTER && me == call.root)
        fill_parts(&call, h3ou__call_part, me, false, p->input[me]);
    else if (call.operation == H3OU__COLL_BCAST)
        for (int64_t i = 0; i < p->bytes[me][1] / ELEMENT && me == call.root; i++)
            ((int64_t *)p->output[me])[i] = value_of(me, 0, i);
    else
        for (int64_t i = 0; i < p->bytes[me][0] / ELEMENT; i++)
            ((int64_t *)p->input[me])[i] = value_of(me, 0, i);
}

void players_open(players *p, const h3ou__algorithm *a, int size, int root, int64_t count, int64_t segment,
                  bool is_vector)
{
    *p = (players){.algorithm = a,
                   .call = {.operation = a->operation,
                            .size = size,
                            .root = root,
                            .element = ELEMENT,
                            .count = count,
                            .segment = segment,
                            .is_vector = is_vector}};
    if (is_vector && a->operation == H3OU__COLL_ALLTOALL) {
        make_pairs(p, count);
        make_columns(p);
    } else if (is_vector) {
        make_parts(p, count);
    }
    p->input = reserve(size, sizeof *p->input);
    p->output = reserve(size, sizeof *p->output);
    p->scratch = reserve(size, sizeof *p->scratch);
    p->bytes = reserve(size, sizeof *p->bytes);
    p->s = reserve(size, sizeof *p->s);
    for (int me = 0; me < size; me++) {
        h3ou__call call = players_call(p, me);
        find_sizes(p, me, p->bytes[me]);
        p->input[me] = reserve(p->bytes[me][0] / ELEMENT, ELEMENT);
        p->output[me] = reserve(p->bytes[me][1] / ELEMENT, ELEMENT);
        fill_values(p, me);
        if (a->build(&call, &p->s[me]))
            abort();
        p->scratch[me] = reserve(p->s[me].scratch, 1);
    }
}

/* Element i of the members' values, combined in the order of ranks up to member `last`. */
static int64_t combined(const players *p, int last, int64_t i)
{
    int64_t sum = value_of(0, 0, i);
    for (int rank = 1; rank <= last; rank++)
        sum = operate(p->algorithm->order, sum, value_of(rank, 0, i));
    return sum;
}

/* Returns the index of the first wrong element of a part that comes from a member, or -1. */
static int64_t find_wrong(const players *p, int me, h3ou__part part, int from, int to)
{
    const int64_t *is = (const int64_t *)(const void *)(p->output[me] + part.at);
    for (int64_t i = 0; i < part.bytes / ELEMENT; i++)
        if (is[i] != value_of(from, to, i))
            return i;
    return -1;
}

/* The same of a result that combines the values of members 0..last, whose first element is `first` of the message. */
static int64_t find_wrong_sum(const players *p, int me, int last, int64_t first)
{
    const int64_t *is = (const int64_t *)(const void *)p->output[me];
    for (int64_t i = 0; i < p->bytes[me][1] / ELEMENT; i++)
        if (is[i] != combined(p, last, first + i))
            return i;
    return -1;
}

static int64_t find_wrong_part(const players *p, const h3ou__call *call, int me)
{
    int64_t wrong = -1;
    for (int from = 0; from < call->size && wrong < 0; from++)
        wrong = find_wrong(p, me, h3ou__call_part(call, from), from, call->operation == H3OU__COLL_ALLTOALL ? me : 0);
    return wrong;
}

static int64_t find_wrong_element(const players *p, int me)
{
    h3ou__call call = players_call(p, me);
    h3ou__part own = {0, p->bytes[me][1]};
    switch (call.operation) {
    case H3OU__COLL_BCAST:
        return find_wrong(p, me, own, call.root, 0);
    case H3OU__COLL_SCATTER:
        return find_wrong(p, me, own, me, 0);
    case H3OU__COLL_REDUCE:
    case H3OU__COLL_ALLREDUCE:
        return find_wrong_sum(p, me, call.size - 1, 0);
    case H3OU__COLL_REDUCE_SCATTER:
        return find_wrong_sum(p, me, call.size - 1, h3ou__call_part(&call, me).at / ELEMENT);
    case H3OU__COLL_SCAN:
        return find_wrong_sum(p, me, me, 0);
    case H3OU__COLL_GATHER:
        return me == call.root ? find_wrong_part(p, &call, me) : -1;
    case H3OU__COLL_ALLGATHER:
    case H3OU__COLL_ALLTOALL:
        return find_wrong_part(p, &call, me);
    }
    return -1;
}

bool players_compare(const players *p, int me, char *text, size_t size)
{
    const char *end = p->output[me] + p->bytes[me][1];
    int64_t wrong = find_wrong_element(p, me);
    for (int i = 0; i < ELEMENT && wrong < 0; i++)
        if (end[i] != UNTOUCHED)
            wrong = p->bytes[me][1] / ELEMENT;
    snprintf(text, size, "%s %s: %d members, root %d, count %lld, segment %lld: member %d has a wrong element %lld",
             h3ou__operation_name[p->call.operation], p->algorithm->name, p->call.size, p->call.root,
             (long long)p->call.count, (long long)p->call.segment, me, (long long)wrong);
    return wrong < 0;
}

void players_close(players *p)
{
    for (int me = 0; me < p->call.size; me++) {
        free(p->input[me]);
        free(p->output[me]);
        free(p->scratch[me]);
        h3ou__schedule_free(&p->s[me]);
    }
    free(p->input);
    free(p->output);
    free(p->scratch);
    free(p->bytes);
    free(p->s);
    free(p->counts);
    free(p->displs);
    free(p->pair_counts);
    free(p->pair_displs);
}
