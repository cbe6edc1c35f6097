/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/model/stage.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

/* The members of a stage as a member sees them: member i of the stage is base + i * stride of all. */
typedef struct numbering {
    int base, stride, size, me; /* me: -1 if it takes no part */
} numbering;

static numbering find_numbering(const stage *s, int members, int member)
{
    int block = member / s->block, base = block * s->block,
        size = members - base < s->block ? members - base : s->block;
    numbering inside = {base, 1, size, member - base}, none = {.me = -1};
    switch (s->members) {
    case ALL_MEMBERS:
        return (numbering){0, 1, members, member};
    case EACH_BLOCK:
        return inside;
    case FIRST_BLOCK:
        return block ? none : inside;
    case OTHER_BLOCKS:
        return block ? inside : none;
    case KINGS:
        break;
    }
    return member == base ? (numbering){0, s->block, (members + s->block - 1) / s->block, block} : none;
}

static int build_schedule(const stage *s, const numbering *who, int member, h3ou__schedule *out)
{
    h3ou__call call = s->call;
    if (!s->algorithm)
        return s->pattern(s->user, member, out);
    call.size = who->size;
    call.me = who->me;
    return s->algorithm->build(&call, out);
}

/* Returns the first step of a round that is counted from a schedule's beginning. */
static int64_t find_round(const h3ou__schedule *s, int64_t round)
{
    int64_t at = 0;
    for (; round > 0 && at < s->n; round--)
        at = h3ou__schedule_round_end(s, at);
    return at;
}

static int count_messages(const h3ou__schedule *s, int64_t begin, int64_t end)
{
    int n = 0;
    for (int64_t i = begin; i < end; i++)
        n += h3ou__step_is_message(&s->step[i]);
    return n;
}

/* Keeps the messages of the steps begin to end-1. */
static int keep_messages(const h3ou__schedule *s, int64_t begin, int64_t end, const numbering *who, stage_part *out)
{
    int n = count_messages(s, begin, end);
    if (n && !(out->step = malloc(sizeof *out->step * (size_t)n)))
        return h3ou__no_memory("the schedules of a simulation");
    for (int64_t i = begin; i < end; i++) {
        const h3ou__step *from = &s->step[i];
        if (h3ou__step_is_message(from))
            out->step[out->n++] = (stage_step){.bytes = from->bytes,
                                               .peer = who->base + from->peer * who->stride,
                                               .is_send = from->kind == H3OU__STEP_SEND,
                                               .is_last = from->is_last};
    }
    if (out->n)
        out->step[out->n - 1].is_last = true;
    return H3OU__OK;
}

int stage_take(const stage *s, int members, int member, int most, int64_t *first, stage_part *out)
{
    numbering who = find_numbering(s, members, member);
    h3ou__schedule all = {0};
    *out = (stage_part){.is_end = true};
    if (who.me < 0)
        return H3OU__OK;
    int code = build_schedule(s, &who, member, &all);
    int64_t begin = find_round(&all, *first), end = begin;
    int has = 0;
    while (!code && end < all.n) {
        int64_t next = h3ou__schedule_round_end(&all, end);
        int more = count_messages(&all, end, next);
        if (has && has + more > most)
            break;
        has += more;
        end = next;
        ++*first;
    }
    if (!code)
        code = keep_messages(&all, begin, end, &who, out);
    out->is_end = end >= all.n;
    out->schedule_bytes = all.n * (int64_t)sizeof *all.step + all.scratch;
    h3ou__schedule_free(&all);
    return code;
}
