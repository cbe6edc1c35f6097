/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A piece of a call has a slot. Of a broadcast the root writes it, and the others read it; what is passed on, one process writes, and one
 * reads. Of a short reduction each process that gives something writes a part of the slot, and combines all if it is the last one that is
 * needed. Of a longer one process n - 1 writes the slot, n - 2 combines its own values with it, and so on to 0. The last process that reads
 * the result opens the slot for a later piece.
 */
#include "host/host_call.h"

#include <string.h>

#include "base/error.h"
#include "host/host_memory.h"

static const char *const kind_name[] = {"broadcast", "reduction", "reduction to all", "message"};

static int64_t elements_of(const h3ou__host_call *c, int64_t k)
{
    int64_t left = c->count - k * c->each;
    return left < c->each ? left : c->each;
}

static h3ou__host_slot *slot_of(h3ou__host_block *b, uint64_t piece)
{
    return &b->memory->slot[piece % H3OU__HOST_SLOTS];
}

static unsigned char *data_of(h3ou__host_block *b, uint64_t piece)
{
    return b->memory->data[piece % H3OU__HOST_SLOTS];
}

/* Returns the bytes from one process's part of a slot to that of the next. */
static int64_t stride_of(const h3ou__host_call *c)
{
    return (c->each * c->element + H3OU__HOST_LINE - 1) / H3OU__HOST_LINE * H3OU__HOST_LINE;
}

static const char *input_of(const h3ou__host_call *c, int64_t k)
{
    return (const char *)c->in + k * c->each * c->element;
}

static void copy(void *to, const void *from, int64_t bytes)
{
    if (bytes && to != from)
        memcpy(to, from, (size_t)bytes);
}

/* Returns whether one process writes what others read as it is. */
static bool is_copied(const h3ou__host_call *c)
{
    return c->kind == H3OU__HOST_BCAST || c->kind == H3OU__HOST_PASS;
}

void h3ou__host_call_start(h3ou__host_block *b, h3ou__host_call *c)
{
    bool is_root = b->me == c->root, is_bcast = c->kind == H3OU__HOST_BCAST;
    c->each = c->count ? c->count : 1;
    c->is_together = !is_copied(c) && stride_of(c) <= H3OU__HOST_PIECE / b->n;
    if (!c->is_together && c->each > H3OU__HOST_PIECE / c->element)
        c->each = H3OU__HOST_PIECE / c->element;
    c->npiece = c->count ? (c->count + c->each - 1) / c->each : 1;
    c->first = b->next;
    b->next += (uint64_t)c->npiece;
    c->given = c->taken = 0;
    c->takes = c->kind == H3OU__HOST_ALLREDUCE || is_root != is_bcast;
    c->gives = c->kind == H3OU__HOST_PASS ? b->me == c->giver : !is_bcast || is_root;
    if (c->is_together && c->kind == H3OU__HOST_REDUCE && is_root)
        c->gives = false; /* it combines the parts of the others with its own values */
    c->combines_last = !c->is_together && c->kind == H3OU__HOST_REDUCE && is_root && b->me == 0 && b->n > 1 && c->in != c->out;
    c->takes = c->takes && !c->combines_last;
}

/* Compares the call with that of the process which came first to a slot. */
static int check_call(h3ou__host_slot *s, const h3ou__host_call *c)
{
    uint64_t mine = (uint64_t)(c->count * c->element) << 20 | (uint64_t)c->root << 12 | (uint64_t)c->label << 4 |
                    (uint64_t)c->kind << 1 | 1, first = 0;
    if (atomic_compare_exchange_strong(&s->call, &first, mine) || first == mine)
        return H3OU__OK;
    return h3ou__fail(H3OU__ETRUNC,
                      "this process makes a %s of %lld bytes from or to process %d, another one of its job a %s of %lld bytes from or "
                      "to %d: all must make the same calls, with the same number and type of elements",
                      kind_name[c->kind], (long long)(c->count * c->element), c->root, kind_name[first >> 1 & 7],
                      (long long)(first >> 20), (int)(first >> 12 & 255));
}

/* Rings for processes by their bits, but not for this one. */
static void ring(h3ou__host_block *b, uint64_t processes)
{
    processes &= ~(UINT64_C(1) << b->me);
    if (processes)
        h3ou__group_bell_ring(&b->memory->bell, processes);
}

/* Tells those that take the result that it is there. */
static void announce(h3ou__host_block *b, const h3ou__host_call *c, h3ou__host_slot *s, uint64_t piece)
{
    atomic_store(&s->ready, piece + 1);
    ring(b, c->kind == H3OU__HOST_REDUCE || c->kind == H3OU__HOST_PASS ? UINT64_C(1) << c->root : UINT64_MAX);
}

/* Combines the parts of all into that of process n - 1, and returns it. own: of the root of a reduction. */
static void *combine_parts(h3ou__host_block *b, const h3ou__host_call *c, int64_t k, const char *own)
{
    unsigned char *parts = data_of(b, c->first + (uint64_t)k);
    int64_t stride = stride_of(c), n = elements_of(c, k);
    unsigned char *all = parts + (b->n - 1) * stride;
    if (own && b->me == b->n - 1)
        copy(all, own, n * c->element);
    for (int i = b->n - 2; i >= 0; i--)
        c->combine(c->user, all, own && i == b->me ? (const void *)own : parts + i * stride, n);
    return all;
}

static void give_together(h3ou__host_block *b, const h3ou__host_call *c, h3ou__host_slot *s, int64_t k)
{
    uint64_t piece = c->first + (uint64_t)k;
    uint32_t needed = (uint32_t)(c->kind == H3OU__HOST_REDUCE ? b->n - 1 : b->n);
    copy(data_of(b, piece) + b->me * stride_of(c), input_of(c, k), elements_of(c, k) * c->element);
    if (atomic_fetch_add(&s->given, 1) + 1 < needed)
        return;
    if (c->kind == H3OU__HOST_ALLREDUCE)
        combine_parts(b, c, k, NULL);
    announce(b, c, s, piece);
}

/* Returns whether the slot of a piece is open for it. */
static bool is_open(h3ou__host_block *b, uint64_t piece)
{
    return atomic_load(&slot_of(b, piece)->open) == piece;
}

/* Rings for those that await a slot, once half of the slots from it on have been opened: woken for each slot, a process that sends many
 * short messages would sleep after each. */
static void ring_for_room(h3ou__host_block *b)
{
    enum { HALF = H3OU__HOST_SLOTS / 2 };
    uint64_t waiting = atomic_load(&b->memory->wants_room), served = 0;
    for (int i = 0; i < b->n && waiting >> i; i++) {
        uint64_t piece = atomic_load(&b->memory->of[i].awaited);
        if ((waiting >> i & 1) && is_open(b, piece) && atomic_load(&slot_of(b, piece + HALF - 1)->open) >= piece + HALF - 1)
            served |= UINT64_C(1) << i;
    }
    if (!served)
        return;
    atomic_fetch_and(&b->memory->wants_room, ~served);
    ring(b, served);
}

/* Opens a slot for a later piece, if this process is the last that has taken what is in it. */
static void leave_slot(h3ou__host_block *b, const h3ou__host_call *c, h3ou__host_slot *s, uint64_t piece)
{
    int takers = c->kind == H3OU__HOST_ALLREDUCE ? b->n : c->kind == H3OU__HOST_BCAST ? b->n - 1 : 1;
    if ((int)atomic_fetch_add(&s->taken, 1) + 1 < takers)
        return;
    atomic_store(&s->taken, 0);
    atomic_store(&s->given, 0);
    atomic_store(&s->call, 0);
    atomic_store(&s->open, piece + H3OU__HOST_SLOTS);
    ring_for_room(b);
}

/* Leaves the result of a longer reduction in the buffer of process 0, where that is the root: in parts that stay in the cache. */
static void combine_last(h3ou__host_block *b, const h3ou__host_call *c, int64_t k)
{
    enum { PART = 1 << 13 };
    const char *partial = (const char *)data_of(b, c->first + (uint64_t)k), *own = input_of(c, k);
    char *out = (char *)c->out + k * c->each * c->element;
    int64_t n = elements_of(c, k), part = PART / c->element > 0 ? PART / c->element : 1;
    for (int64_t i = 0; i < n; i += part) {
        int64_t at = i * c->element, some = n - i < part ? n - i : part;
        copy(out + at, partial + at, some * c->element);
        c->combine(c->user, out + at, own + at, some);
    }
}

static void give_in_turn(h3ou__host_block *b, const h3ou__host_call *c, h3ou__host_slot *s, int64_t k)
{
    uint64_t piece = c->first + (uint64_t)k;
    int64_t n = elements_of(c, k);
    if (b->me == 0 && c->combines_last) {
        combine_last(b, c, k);
        leave_slot(b, c, s, piece);
        return;
    }
    if (b->me == b->n - 1 || is_copied(c))
        copy(data_of(b, piece), input_of(c, k), n * c->element);
    else
        c->combine(c->user, data_of(b, piece), input_of(c, k), n);
    atomic_fetch_add(&s->given, 1);
    if (b->me == 0 || is_copied(c))
        announce(b, c, s, piece);
    else
        ring(b, UINT64_C(1) << (b->me - 1));
}

/* Returns whether the slot of a piece is open for it; else this process is rung for when it and some of the next ones are. Of several
 * pieces the first one is awaited: the slots of later ones may be opened only after this process has given that. */
static bool has_room(h3ou__host_block *b, uint64_t piece)
{
    const uint64_t BIT = UINT64_C(1) << b->me;
    _Atomic uint64_t *awaited = &b->memory->of[b->me].awaited;
    if (!is_open(b, piece) && (!b->awaits_room || piece <= atomic_load(awaited))) {
        atomic_store(awaited, piece);
        atomic_fetch_or(&b->memory->wants_room, BIT);
        b->awaits_room = true;
    }
    if (!is_open(b, piece))
        return false;
    if (b->awaits_room && piece == atomic_load(awaited)) {
        atomic_fetch_and(&b->memory->wants_room, ~BIT);
        b->awaits_room = false;
    }
    return true;
}

static int give_pieces(h3ou__host_block *b, h3ou__host_call *c, bool *moved)
{
    while (c->gives && c->given < c->npiece) {
        uint64_t piece = c->first + (uint64_t)c->given;
        h3ou__host_slot *s = slot_of(b, piece);
        bool is_in_turn = !c->is_together && !is_copied(c);
        if (!has_room(b, piece))
            return H3OU__OK;
        int err = check_call(s, c);
        if (err)
            return err;
        if (is_in_turn && atomic_load(&s->given) != (uint32_t)(b->n - 1 - b->me))
            return H3OU__OK;
        if (c->is_together)
            give_together(b, c, s, c->given);
        else
            give_in_turn(b, c, s, c->given);
        c->given++;
        *moved = true;
    }
    return H3OU__OK;
}

static int take_pieces(h3ou__host_block *b, h3ou__host_call *c, bool *moved)
{
    while (c->takes && c->taken < c->npiece) {
        uint64_t piece = c->first + (uint64_t)c->taken;
        h3ou__host_slot *s = slot_of(b, piece);
        bool combines = c->is_together && c->kind == H3OU__HOST_REDUCE;
        if (atomic_load(&s->ready) != piece + 1)
            return H3OU__OK;
        int err = check_call(s, c);
        if (err)
            return err;
        const void *result = combines         ? combine_parts(b, c, c->taken, input_of(c, c->taken))
                             : c->is_together ? data_of(b, piece) + (b->n - 1) * stride_of(c)
                                              : data_of(b, piece);
        copy((char *)c->out + c->taken * c->each * c->element, result, elements_of(c, c->taken) * c->element);
        leave_slot(b, c, s, piece);
        c->taken++;
        *moved = true;
    }
    return H3OU__OK;
}

int h3ou__host_call_test(h3ou__host_block *b, h3ou__host_call *c, bool *done, bool *moved)
{
    int err = give_pieces(b, c, moved);
    if (!err)
        err = take_pieces(b, c, moved);
    *done = !err && (!c->gives || c->given == c->npiece) && (!c->takes || c->taken == c->npiece);
    return err;
}
