/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <string.h>

#include "../waitio/run.h"

enum { TAGS = 6, TAG_CUT = 1000, HEAD = 16 };

uint64_t plan_dice(uint64_t *state, uint64_t sides)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x ^ x >> 31) % sides;
}

/* Many short ones, some around the limits at which the protocol changes, a few long ones. */
static size_t choose_length(uint64_t *dice, bool is_long, size_t most)
{
    static const size_t edges[] = {1024, 16384, 32768, 65536, 262144, 524288, 1 << 20};
    size_t n;
    switch (is_long ? 5 + plan_dice(dice, 3) : plan_dice(dice, 8)) {
    case 0:
        n = 0;
        break;
    case 1:
    case 2:
        n = plan_dice(dice, 64);
        break;
    case 3:
        n = plan_dice(dice, 5000);
        break;
    case 4:
        n = edges[plan_dice(dice, sizeof edges / sizeof *edges)] + plan_dice(dice, 3) - 1;
        break;
    case 5:
    case 6:
        n = plan_dice(dice, 300000);
        break;
    default:
        n = plan_dice(dice, PLAN_LONGEST + 1);
    }
    return n < most ? n : most;
}

static void choose_members(plan *p, uint64_t *dice)
{
    bool is_in[PLAN_PROCESSES];
    int n = 0;
    bool all = plan_dice(dice, 3) == 0;
    for (int i = 0; i < p->nprocess; i++)
        n += is_in[i] = all || plan_dice(dice, 3) > 0;
    for (int i = 0; i < 2 && n < 2; i++) {
        n += !is_in[i];
        is_in[i] = true;
    }
    for (int i = 0; i < p->npb; i++)
        p->pb_order[i] = i;
    for (int i = p->npb - 1; i > 0; i--) {
        int k = (int)plan_dice(dice, (uint64_t)i + 1), other = p->pb_order[k];
        p->pb_order[k] = p->pb_order[i];
        p->pb_order[i] = other;
    }
    p->members = 0;
    for (int place = 0; place < p->npb; place++)
        for (int pb = 0; pb < p->npb; pb++)
            for (int i = 0; p->pb_order[pb] == place && i < p->size[pb]; i++) {
                int who = p->first[pb] + i;
                p->rank[who] = is_in[who] ? p->members : -1;
                if (is_in[who])
                    p->member[p->members++] = who;
            }
}

void plan_round(plan *p, int round, int thread, size_t most)
{
    uint64_t dice = p->seed ^ ((uint64_t)round << 32 | (uint64_t)thread << 16);
    plan_dice(&dice, 2);
    p->gid = round * 16 + thread;
    choose_members(p, &dice);
    for (int i = 0; i < p->nprocess; i++)
        p->way[i] = (enum way)plan_dice(&dice, WAYS);
    p->n = 1 + (int)plan_dice(&dice, (uint64_t)(p->members * 6 < PLAN_MESSAGES ? p->members * 6 : PLAN_MESSAGES));
    /* In some rounds two processes have most to do with each other, in others everybody with everybody. */
    int hot[2] = {(int)plan_dice(&dice, (uint64_t)p->members), (int)plan_dice(&dice, (uint64_t)p->members)};
    bool is_hot = plan_dice(&dice, 3) == 0, is_long = plan_dice(&dice, 2) == 0;
    for (int i = 0; i < p->n; i++) {
        message *m = &p->message[i];
        uint64_t way = plan_dice(&dice, 4);
        m->from = p->member[is_hot && way ? hot[i % 2] : (int)plan_dice(&dice, (uint64_t)p->members)];
        m->to = p->member[is_hot && way ? hot[(i + 1) % 2] : (int)plan_dice(&dice, (uint64_t)p->members)];
        m->tag = (waitio_tag_t)plan_dice(&dice, TAGS);
        m->length = choose_length(&dice, is_long, most);
        m->is_cut = plan_dice(&dice, 12) == 0 && p->way[m->to] == WAY_BY_TAG && m->length > 2 * HEAD;
        if (m->is_cut)
            m->tag = TAG_CUT + 2 * i + 1;
    }
}

waitio_group_t plan_group(const plan *p)
{
    int list[PLAN_PBS][PLAN_PROCESSES + 1], *ranks[PLAN_PBS], order[PLAN_PBS];
    for (int pb = 0; pb < p->npb; pb++) {
        int n = 0;
        for (int i = 0; i < p->size[pb]; i++)
            if (p->rank[p->first[pb] + i] >= 0)
                list[pb][n++] = i;
        list[pb][n] = -1;
        ranks[pb] = n ? list[pb] : NULL;
        order[pb] = p->pb_order[pb];
    }
    return waitio_create_group(p->gid, ranks, order);
}

static uint64_t seed_of(const plan *p, const message *m, int i)
{
    uint64_t x = p->seed * 31 + (uint64_t)p->gid * 1000003 + (uint64_t)(m->from * 16 + m->to) * 7919;
    return x + (m->length < HEAD ? (uint64_t)m->tag * 104729 + m->length : (uint64_t)i * 15485863);
}

void plan_fill(const plan *p, int i, uint32_t order, char *bytes)
{
    const message *m = &p->message[i];
    fill_pattern(bytes, m->length, seed_of(p, m, i));
    if (m->length >= HEAD) {
        uint32_t head[HEAD / 4] = {(uint32_t)i, order, (uint32_t)p->gid, (uint32_t)m->length};
        memcpy(bytes, head, sizeof head);
    }
}

static bool is_it(const plan *p, int i, const char *bytes, size_t here, uint32_t *order)
{
    const message *m = &p->message[i];
    *order = 0;
    if (m->length < HEAD)
        return is_pattern(bytes, here, seed_of(p, m, i));
    uint32_t head[HEAD / 4];
    memcpy(head, bytes, sizeof head);
    *order = head[1];
    return head[0] == (uint32_t)i && head[2] == (uint32_t)p->gid && head[3] == (uint32_t)m->length &&
           is_pattern(bytes + HEAD, here - HEAD, seed_of(p, m, i) + HEAD);
}

int plan_find(const plan *p, int from, int to, waitio_tag_t tag, size_t length, const char *bytes, size_t here,
              const bool had[], uint32_t *order)
{
    for (int i = 0; i < p->n; i++) {
        const message *m = &p->message[i];
        if (!had[i] && m->from == from && m->to == to && m->tag == tag && m->length == length &&
            is_it(p, i, bytes, here, order))
            return i;
    }
    return -1;
}
