/* SPDX-License-Identifier: BSD-3-Clause */
#include "phrase.h"

#include <string.h>

#include "alone.h"
#include "waitio/identity/endpoints.h"

enum { COST = 128 }; /* of credit, beside the length */

uint64_t phrase_edge(void)
{
    static const uint64_t largest[] = {UINT64_MAX, INT64_MAX, (uint64_t)1 << 63, UINT32_MAX, INT32_MAX, 1u << 31};
    switch (dice(6)) {
    case 0:
        return dice(3);
    case 1:
        return largest[dice(sizeof largest / sizeof largest[0])];
    case 2:
        return ((uint64_t)1 << dice(64)) + dice(3) - 1;
    case 3:
        return dice(UINT64_MAX);
    case 4:
        return WAITIO__PAYLOAD_MOST + dice(3) - 1;
    default:
        return dice(5000);
    }
}

/* Often the latest, so that the streams speak of the same. */
static known *one_of(known k[], unsigned n)
{
    unsigned most = n < SPEAKER_KNOWN ? n : SPEAKER_KNOWN;
    if (!most)
        return NULL;
    return dice(2) ? &k[dice(most)] : &k[(n - 1) % SPEAKER_KNOWN];
}

static waitio__frame announce(speaker *s)
{
    known *k = &s->to[s->nto++ % SPEAKER_KNOWN];
    *k = (known){.send = dice(UINT64_MAX), .length = dice(10) ? dice(PHRASE_LONG) : dice(3)};
    return (waitio__frame){.kind = WAITIO__RTS,
                           .group = (int32_t)dice(PHRASE_GROUPS),
                           .tag = (int64_t)dice(PHRASE_TAGS),
                           .length = k->length,
                           .id = k->send};
}

/* The next segment of a message that the other end takes. */
static waitio__frame segment(known *k)
{
    uint64_t rest = k->length - k->moved, most = rest < 9000 ? rest : 9000;
    waitio__frame f = {.kind = WAITIO__DATA, .tag = (int64_t)k->moved, .id = k->receive};
    f.length = most && dice(3) ? 1 + dice(most) : most;
    k->moved += f.length;
    return f;
}

/* The other end may take a message that it announced. */
static waitio__frame clear(known *k)
{
    waitio__frame f = {.kind = WAITIO__CTS, .tag = (int64_t)dice(UINT64_MAX), .id = k->send};
    f.length = dice(3) ? k->length : dice(k->length + 1);
    k->receive = (uint64_t)f.tag;
    return f;
}

/* Of copies from memory to memory. */
static waitio__frame copy(const known *to, const known *from)
{
    static unsigned char memory[PHRASE_LONG];
    uint64_t address = (uint64_t)(uintptr_t)memory;
    waitio__frame f = {.kind = WAITIO__FIN, .id = to ? to->receive : 0};
    switch (dice(5)) {
    case 0:
        f.kind = WAITIO__PULL;
        f.tag = dice(2) ? (int64_t)address : (int64_t)phrase_edge();
        f.length = to ? dice(to->length + 1) : 0;
        break;
    case 1:
        f.kind = WAITIO__PUSHED;
        f.length = to ? dice(to->length + 1) : 0;
        break;
    case 2:
        f.kind = WAITIO__PULLED;
        f.id = from ? from->send : 0;
        f.tag = (int64_t)dice(2);
        break;
    case 3: /* the other end is to write to this process: to where that does no harm, or to where there is nothing */
        f = (waitio__frame){.kind = WAITIO__CTS, .flags = WAITIO__REACH, .id = from ? from->send : 0};
        f.length = from && from->length < sizeof memory ? from->length : dice(sizeof memory);
        address = dice(3) ? address : dice(4096);
        f.check = (uint32_t)address;
        f.group = (int32_t)(uint32_t)(address >> 32);
        break;
    }
    return f;
}

/* The stream on which long messages are announced: the others carry parts of them. */
static speaker *main_of(speaker *s)
{
    for (speaker *m = s->all->first; m; m = m->next)
        if (!m->is_control && !m->hello.lane && m->hello.source == s->hello.source &&
            m->hello.target == s->hello.target)
            return m;
    return s;
}

/* Of a known message, what is to be said next; or, rarely, what was to be said before. False: nothing. */
static bool go_on(const speaker *s, known *to, known *from, waitio__frame *f)
{
    bool is_late = dice(1 + s->all->bends_one_in / 4) == 0;
    if (to && to->receive && (to->moved < to->length || is_late)) {
        if (is_late)
            to->moved = 0; /* once more, while another stream perhaps still brings it */
        *f = segment(to);
        return true;
    }
    if (from && (!from->receive || is_late)) {
        *f = clear(from);
        return true;
    }
    return false;
}

static bool can_copy(const speaker *s)
{
    const waitio__conduit *c = s->channel.link.conduit;
    return (c && c->reach) || dice(4 * s->all->bends_one_in) == 0;
}

static waitio__frame acknowledge(const speaker *s)
{
    return (waitio__frame){.kind = WAITIO__ACK, .tag = (int64_t)s->channel.in.received, .id = dice(1 << 22)};
}

static waitio__frame eager(speaker *s)
{
    waitio__frame f = {.kind = WAITIO__EAGER,
                       .group = (int32_t)dice(PHRASE_GROUPS),
                       .tag = (int64_t)dice(PHRASE_TAGS),
                       .length = dice(PHRASE_SHORT)};
    s->spent += COST + f.length;
    return s->spent > s->credit && dice(s->all->bends_one_in) ? acknowledge(s) : f;
}

static waitio__frame of_lane(speaker *s)
{
    speaker *m = main_of(s);
    known *to = one_of(m->to, m->nto), *from = one_of(m->from, m->nfrom);
    waitio__frame f;
    switch (dice(20)) {
    case 0:
        return acknowledge(s);
    case 1:
        return (waitio__frame){
            .kind = WAITIO__REST, .group = (int32_t)s->epoch, .tag = (int64_t)s->channel.in.received, .id = dice(3)};
    case 2:
        if (!s->hello.lane && dice(10) == 0)
            return (waitio__frame){.kind = WAITIO__BYE};
        break;
    case 3:
        if (!s->hello.lane && dice(30) == 0)
            return (waitio__frame){.kind = WAITIO__ABORT, .tag = -11, .length = dice(WAITIO__TEXT_MOST + 1)};
        break;
    case 4:
    case 5:
    case 6:
        if (can_copy(s))
            return copy(to, from);
        break;
    case 7:
    case 8:
    case 9:
        if (!s->hello.lane)
            return announce(s);
        break;
    case 10:
    case 11:
        if (!s->hello.lane)
            return eager(s);
        break;
    }
    return go_on(s, to, s->hello.lane ? NULL : from, &f) ? f : s->hello.lane ? acknowledge(s) : eager(s);
}

/* What Kings and masters say: as they join, or in any order. */
static waitio__frame of_control(speaker *s)
{
    static const int kinds[] = {WAITIO__JOIN,    WAITIO__RECORDS, WAITIO__WELCOME, WAITIO__TABLE,
                                WAITIO__REFUSED, WAITIO__BYE,     WAITIO__ABORT};
    bool is_in_order = s->steps < 2 && dice(8);
    waitio__frame f = {.kind = is_in_order ? kinds[s->steps++] : kinds[dice(7)], .tag = s->hello.source};
    f.group = s->all ? s->all->npb : 2;
    switch (f.kind) {
    case WAITIO__RECORDS:
        f.length = WAITIO__SALT + WAITIO__ADDRESS * (1 + dice(dice(2) ? 2 : 190));
        break;
    case WAITIO__TABLE:
        f.length = dice(3000);
        f.id = dice(UINT64_MAX);
        break;
    case WAITIO__WELCOME:
    case WAITIO__REFUSED:
    case WAITIO__ABORT:
        f.tag = -(int64_t)dice(40);
        f.length = dice(WAITIO__TEXT_MOST + 1);
        break;
    }
    return f;
}

static uint64_t bent(uint64_t value, const speaker *s)
{
    const known *k = dice(2) ? &s->to[dice(SPEAKER_KNOWN)] : &s->from[dice(SPEAKER_KNOWN)];
    switch (dice(5)) {
    case 0:
        return value + dice(9) - 4;
    case 1:
        return k->send;
    case 2:
        return k->receive;
    default:
        return phrase_edge();
    }
}

static void bend(const speaker *s, waitio__frame *f)
{
    switch (dice(7)) {
    case 0:
        f->kind = 1 + (int)dice(WAITIO__KINDS);
        f->length = dice(2) ? 0 : f->length;
        break;
    case 1:
        f->flags = (unsigned)dice(256);
        break;
    case 2:
        f->group = (int32_t)bent((uint64_t)f->group, s);
        break;
    case 3:
        f->tag = (int64_t)bent((uint64_t)f->tag, s);
        break;
    case 4:
        f->length = bent(f->length, s);
        break;
    case 5:
        f->id = bent(f->id, s);
        break;
    case 6: /* twice */
        *f = s->heard;
        break;
    }
}

bool phrase_next(speaker *s, waitio__frame *f)
{
    *f = s->is_control ? of_control(s) : of_lane(s);
    if (dice(s->all->bends_one_in))
        return false;
    bend(s, f);
    return true;
}

void phrase_bend_greeting(waitio__greet *g)
{
    switch (dice(8)) {
    case 0:
        g->received = phrase_edge();
        break;
    case 1:
        g->credit = phrase_edge();
        break;
    case 2:
        g->epoch = (uint32_t)phrase_edge();
        break;
    case 3:
        g->flags = (unsigned)phrase_edge();
        break;
    case 4:
        for (int i = 0; i < WAITIO__GREET_NAME; i++)
            g->name[i] = (char)(1 + dice(255));
        break;
    }
}

void phrase_bend_hello(waitio__greet *g, int honest)
{
    switch (dice(8)) {
    case 0:
        g->lane = (int)dice(dice(2) ? 256 : 12);
        break;
    case 1:
        g->source = (int32_t)phrase_edge();
        g->source = g->source >= 0 && g->source < honest ? -1 : g->source;
        break;
    case 2:
        g->target = (int32_t)phrase_edge();
        break;
    case 3:
        g->epoch = (uint32_t)phrase_edge();
        break;
    case 4:
        g->purpose = (int)dice(6);
        break;
    }
}
