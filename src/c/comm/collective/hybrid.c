/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast and reductions: a call inside each block, and messages King to King by a schedule of src/c/coll
 * (WaitIO-Socket paper, section 5 and figure 7). The parts of a long message are in different stages at the same time. A block may have
 * several Kings, which take its segments by turns.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/kept_memory.h"
#include "base/log.h"
#include "coll/select.h"
#include "comm/part/awaited_call.h"
#include "comm/part/block_link.h"
#include "comm/collective/collective.h"
#include "comm/part/collective_tag.h"
#include "comm/part/host_agreement.h"
#include "comm/part/spread_call.h"
#include "comm/part/staged_call.h"

/* Memory for the elements of a call, or, if it is a window, for those of the segments that are under way at a time. */
typedef struct buffer {
    const char *base; /* NULL: none */
    bool is_window;
} buffer;

/* One of these calls on one member. */
typedef struct hybrid {
    h3ou__comm *c;
    const char *what;
    int64_t count, each; /* elements of the call, and of a segment */
    int type, op, size;  /* size: bytes of an element */
    int nking;           /* of each block, which take the segments by turns */
    int root_inside;     /* of the block that has the root */
    buffer in;           /* what the first stage takes, and where it leaves its result */
    buffer inside_out;
    buffer kings_in;
    buffer kings_out; /* what the last stage broadcasts, too */
    h3ou__call call; /* among the Kings */
    bool has_result; /* of h3ou__staged_call */
    const h3ou__algorithm *algorithm;
    h3ou__block_link link[H3OU__KINGS_MOST]; /* by King */
} hybrid;

/* Returns which King of each block, from 0, passes segment k to the other blocks. */
static int share_of(const hybrid *h, int64_t k)
{
    return (int)(k % h->nking);
}

/* Returns the rank inside my block of the King that passes segment k on. */
static int king_of(const hybrid *h, int64_t k)
{
    return h3ou__block_king_of_share(h->c, h->c->block, share_of(h, k), h->nking);
}

/* Returns whether this process is a King of its block in this call. */
static bool is_king(const hybrid *h)
{
    bool is = false;
    for (int i = 0; i < h->nking; i++)
        is |= king_of(h, i) == h->c->block_rank;
    return is;
}

static int64_t elements_of(const hybrid *h, int64_t k)
{
    int64_t left = h->count - k * h->each;
    return left < h->each ? left : h->each;
}

/* Returns the elements of segment k, or NULL. */
static char *bytes_at(const hybrid *h, buffer b, int64_t k)
{
    int64_t at = b.is_window ? k % H3OU__STAGED_SEGMENTS : k;
    return b.base ? (char *)(uintptr_t)b.base + at * h->each * h->size : NULL;
}

static int start_reduce_to(const hybrid *h, int64_t k, int root, h3ou__inside_call *call)
{
    return h3ou__inside_reduce(h->c, bytes_at(h, h->in, k), bytes_at(h, h->inside_out, k), elements_of(h, k), h->type, h->op, root, call);
}

static int start_reduce(void *user, int64_t k, h3ou__inside_call *call)
{
    return start_reduce_to(user, k, king_of(user, k), call);
}

static int start_reduce_to_root(void *user, int64_t k, h3ou__inside_call *call)
{
    const hybrid *h = user;
    return start_reduce_to(h, k, h->root_inside, call);
}

static int start_allreduce(void *user, int64_t k, h3ou__inside_call *call)
{
    const hybrid *h = user;
    return h3ou__inside_allreduce(h->c, bytes_at(h, h->in, k), bytes_at(h, h->inside_out, k), elements_of(h, k), h->type,
                                  h->op, call);
}

static int start_bcast(void *user, int64_t k, h3ou__inside_call *call)
{
    const hybrid *h = user;
    return h3ou__inside_bcast(h->c, bytes_at(h, h->kings_out, k), elements_of(h, k), h->type, h->root_inside, call);
}

static int start_bcast_from_king(void *user, int64_t k, h3ou__inside_call *call)
{
    const hybrid *h = user;
    return h3ou__inside_bcast(h->c, bytes_at(h, h->kings_out, k), elements_of(h, k), h->type, king_of(h, k), call);
}

/* Takes the result from a King to the root. */
static int start_pass(void *user, int64_t k, h3ou__inside_call *call)
{
    const hybrid *h = user;
    return h3ou__inside_pass(h->c, king_of(h, k), h->root_inside, bytes_at(h, h->kings_out, k), elements_of(h, k), h->type,
                             (int)(k % H3OU__STAGED_SEGMENTS), call);
}

static int start_kings(void *user, int64_t k, h3ou__coll_run **run)
{
    hybrid *h = user;
    h3ou__schedule s = {0};
    h3ou__call call = h->call;
    if (king_of(h, k) != h->c->block_rank)
        return H3OU__OK;
    call.count = elements_of(h, k);
    int err = h->algorithm->build(&call, &s);
    if (err) {
        h3ou__schedule_free(&s);
        return err;
    }
    h3ou__coll_data data = {.input = bytes_at(h, h->kings_in, k),
                            .output = bytes_at(h, h->kings_out, k),
                            .element = h->size,
                            .combine = h3ou__coll_combine,
                            .type = h->type,
                            .op = h->op};
    return h3ou__coll_start(&s, &data, &h3ou__block_link_ops, &h->link[share_of(h, k)],
                            H3OU__TAG_SEGMENT + k % H3OU__STAGED_SEGMENTS, run);
}

static h3ou__tuning tuned;
static bool keeps_order;

void h3ou__collectives_keep_order(bool keeps)
{
    keeps_order = keeps;
    h3ou__spread_keep_order(keeps);
}

void h3ou__collectives_tune(const h3ou__tuning *tuning)
{
    tuned = *tuning;
    if (tuning->ports)
        h3ou__coll_set_machine(&(h3ou__machine){
            .latency = tuning->between_latency, .bandwidth = tuning->between_bandwidth, .ports = tuning->ports});
}

static int nking_wanted = 1;

void h3ou__collectives_set_kings(int n)
{
    nking_wanted = n < 1 ? 1 : n < H3OU__KINGS_MOST ? n : H3OU__KINGS_MOST;
}

/* Returns how many Kings of each block pass a call on: no more than the smallest block has members, and segments there are. */
static int count_kings(const hybrid *h)
{
    int64_t n = (h->count + h->each - 1) / h->each < nking_wanted ? (h->count + h->each - 1) / h->each : nking_wanted;
    for (int block = 0; block < h->c->nblock && n > 1; block++)
        n = h3ou__comm_block_size(h->c, block) < n ? h3ou__comm_block_size(h->c, block) : n;
    return n > 1 ? (int)n : 1;
}

/* Returns the bytes of a segment of a long message. Where neither latency nor bandwidth is known their product is that of 20 us and 3.3 GB/s, and segments
 * are not short. */
static int64_t find_segment(int64_t bytes)
{
    const double USUAL = 1 << 16;
    double bandwidth = tuned.inside_bandwidth > 0 ? tuned.inside_bandwidth : tuned.between_bandwidth;
    return h3ou__cost_overlap_segment(bytes, tuned.ports ? tuned.between_latency * bandwidth : USUAL, tuned.ports ? 1 << 16 : 1 << 18);
}

/* Returns the elements of a segment: all of a message that is not long. */
static int64_t choose_segment(const hybrid *h)
{
    int64_t segment = find_segment(h->count * h->size);
    return h->count * h->size >= 2 * segment ? segment / h->size : h->count ? h->count : 1;
}

/* Records what was chosen first for a length of messages, in a label of the time line that no activity has. */
static void note_choice(const hybrid *h)
{
    h3ou__comm *c = h->c;
    int length = 0; /* bytes up to 4^length */
    for (int64_t bytes = h3ou__call_bytes(&h->call); bytes > 1; bytes /= 4)
        length++;
    static_assert((int)H3OU__COLL_OPERATIONS <= (int)H3OU__NOTED, "a place for each call");
    uint32_t bit = UINT32_C(1) << (length < 31 ? length : 31);
    char text[160], name[H3OU__COMM_NAME];
    if (!c->world->timeline || (c->noted[h->call.operation] & bit))
        return;
    c->noted[h->call.operation] |= bit;
    snprintf(text, sizeof text, "collective call=%s algorithm=%s members=%d bytes=%" PRId64 " blocks=%d", h3ou__operation_name[h->call.operation],
             h->algorithm->name, c->size, h3ou__call_bytes(&h->call), c->nblock);
    h3ou__timeline_label(c->world->timeline, text, h3ou__comm_name(c, name, sizeof name));
}

/* Chooses the algorithm among the Kings, and the segments of the call, which all members choose alike. A call of the
 * Kings alone is one segment, which its algorithm may divide further. */
static int choose(hybrid *h, int operation, int root_block)
{
    const h3ou__comm *c = h->c;
    int64_t segment = choose_segment(h);
    bool is_long = segment < h->count && c->size > c->nblock;
    h->each = h->count ? h->count : 1;
    if (c->nblock == 1 || (c->block_rank != 0 && !is_long))
        return H3OU__OK;
    h->call = (h3ou__call){.operation = operation,
                           .size = c->nblock,
                           .me = c->block,
                           .root = root_block,
                           .element = h->size,
                           .count = h->count,
                           /* Of two operands every order gives the same bits, since the operations commute. */
                           .order = keeps_order && operation != H3OU__COLL_BCAST && c->nblock > 2 ? H3OU__ORDER_SERIAL
                                                                                                  : H3OU__ORDER_ANY};
    int err = h3ou__coll_select(&h->call, &h->algorithm);
    if (err)
        return err;
    note_choice(h);
    if (is_long)
        h->each = segment;
    h->nking = count_kings(h);
    for (int i = 0; i < h->nking; i++)
        h->link[i] = (h3ou__block_link){
            .comm = h->c, .type = h->type, .what = h->what, .among = H3OU__AMONG_KINGS, .share = i, .nshare = h->nking};
    if (c->block_rank == 0)
        h3ou__log(H3OU__LOG_LOUD, "collective", "call=%s algorithm=%s jobs=%d kings=%d", h->what, h->algorithm->name, c->nblock, h->nking);
    return H3OU__OK;
}

typedef int starter(void *user, int64_t k, h3ou__inside_call *call);

/* before, after: NULL where the call has no such stage; blocks of one process have none. */
static int run_stages(hybrid *h, starter *before, starter *after)
{
    const h3ou__comm *c = h->c;
    int err = h3ou__host_begin(h->c, h->what);
    if (err)
        return err;
    if (c->nblock == 1 && h3ou__inside_is_spread(c)) /* inside hosts and between them, at the same time */
        h->each = choose_segment(h);
    h3ou__staged_call call = {.comm = h->c,
                              .what = h->what,
                              .user = h,
                              .nsegment = h->count ? (h->count + h->each - 1) / h->each : 1,
                              .bytes = h->count * h->size,
                              .has_result = h->has_result,
                              .before = c->inside ? before : NULL,
                              .kings = c->nblock > 1 && is_king(h) ? start_kings : NULL,
                              .after = c->inside ? after : NULL};
    return h3ou__staged_call_run(&call);
}

static hybrid open_call(h3ou__comm *c, const char *what, int64_t count, int type, int op)
{
    return (hybrid){.c = c, .what = what, .count = count, .type = type, .op = op, .size = h3ou__type_size(type), .nking = 1};
}

/* A root that is not the only King broadcasts inside its block, whose Kings go on from there. */
int h3ou__bcast(h3ou__comm *c, void *buf, int64_t count, int type, int root)
{
    int err = h3ou__check_root(c, "bcast", root);
    if (err)
        return err;
    hybrid h = open_call(c, "broadcast", count, type, 0);
    int root_block = h3ou__comm_block_of(c, root, &h.root_inside);
    h.kings_out.base = buf;
    h.has_result = c->block == root_block;
    if ((err = choose(&h, H3OU__COLL_BCAST, root_block)) != H3OU__OK)
        return err;
    bool is_from_king = c->block != root_block || (h.root_inside == 0 && h.nking == 1);
    return run_stages(&h, is_from_king ? NULL : start_bcast, is_from_king ? start_bcast_from_king : NULL);
}

/* Sets what the stages of a reduction over several blocks work on. *memory: of a King, given back by the caller. result: where
 * the root, or of an allreduce each, takes the result; NULL: it passes through memory. */
static int place_partial(hybrid *h, const void *send, char *result, char **memory)
{
    int64_t nsegment = h->count ? (h->count + h->each - 1) / h->each : 1, bytes = h->count * h->size;
    int64_t window = (nsegment < H3OU__STAGED_SEGMENTS ? nsegment : H3OU__STAGED_SEGMENTS) * h->each * h->size;
    bool is_alone = !h->c->inside, copies = is_alone && send == result;
    *memory = NULL;
    h->in.base = send;
    h->kings_out.base = result;
    if (!is_king(h))
        return H3OU__OK;
    int64_t partial = copies ? bytes : is_alone ? 0 : window;
    *memory = h3ou__kept_memory_take((size_t)(partial + (result ? 0 : window)) + 1);
    if (!*memory)
        return h3ou__no_memory("a collective");
    h->inside_out = (buffer){*memory, true};
    h->kings_in = copies ? (buffer){*memory, false} : is_alone ? h->in : h->inside_out;
    if (!result)
        h->kings_out = (buffer){*memory + partial, true};
    if (copies && bytes)
        memcpy(*memory, send, (size_t)bytes);
    return H3OU__OK;
}

/* A reduction inside one block. */
static int reduce_inside(hybrid *h, const void *send, void *recv, starter *reduction)
{
    h->in.base = send;
    h->inside_out.base = recv;
    h->each = h->count ? h->count : 1;
    if (!h->c->inside && h->count && send != recv)
        memcpy(recv, send, (size_t)(h->count * h->size));
    return run_stages(h, reduction, NULL);
}

/* Between blocks the root takes the result from the Kings of its block. */
int h3ou__reduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op, int root)
{
    char *memory;
    int err = h3ou__check_root(c, "reduce", root);
    if (err)
        return err;
    hybrid h = open_call(c, "reduction", count, type, op);
    int root_block = h3ou__comm_block_of(c, root, &h.root_inside);
    if (c->nblock == 1)
        return reduce_inside(&h, send, recv, start_reduce_to_root);
    if ((err = choose(&h, H3OU__COLL_REDUCE, root_block)) != H3OU__OK)
        return err;
    bool is_passed = c->block == root_block && (h.root_inside != 0 || h.nking > 1);
    err = place_partial(&h, send, c->rank == root ? recv : NULL, &memory);
    if (!err)
        err = run_stages(&h, start_reduce, is_passed ? start_pass : NULL);
    h3ou__kept_memory_give(memory);
    return err;
}

int h3ou__allreduce(h3ou__comm *c, const void *send, void *recv, int64_t count, int type, int op)
{
    char *memory;
    hybrid h = open_call(c, "reduction", count, type, op);
    if (c->nblock == 1)
        return reduce_inside(&h, send, recv, start_allreduce);
    int err = choose(&h, H3OU__COLL_ALLREDUCE, 0);
    if (err)
        return err;
    err = place_partial(&h, send, recv, &memory);
    if (!err)
        err = run_stages(&h, start_reduce, start_bcast_from_king);
    h3ou__kept_memory_give(memory);
    return err;
}
