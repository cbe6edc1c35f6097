/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/outbox.h"

#include <string.h>

#include "base/error.h"

enum { CHUNK_FIRST = 400, CHUNK_LATER = WAITIO__PUT_WHOLE };

void waitio__outbox_init(waitio__outbox *o, waitio__memory *memory, bool retains, void (*done)(void *owner, int code))
{
    *o = (waitio__outbox){.memory = memory, .retains = retains, .done = done};
}

static waitio__span *span_new(waitio__outbox *o)
{
    waitio__span *s = o->spare;
    if (s) {
        o->spare = s->next;
        s->chunk = NULL;
        s->owner = NULL;
        s->data = NULL;
        s->head_n = 0;
    } else {
        s = waitio__memory_take(o->memory, WAITIO__USE_BUFFERS, sizeof *s);
        if (!s)
            return NULL;
    }
    s->next = NULL;
    s->at = o->end;
    s->seq = o->seq;
    s->n = 0;
    return s;
}

/* Frees a span, or keeps it for reuse while the stream is busy: a stream with nothing to send holds no memory. */
static void span_drop(waitio__outbox *o, waitio__span *s)
{
    waitio__chunk_drop(o->memory, s->chunk);
    if (!o->spare) {
        s->next = NULL;
        o->spare = s;
        return;
    }
    waitio__memory_give(o->memory, WAITIO__USE_BUFFERS, s, sizeof *s);
}

static void span_append(waitio__outbox *o, waitio__span *s)
{
    if (o->last)
        o->last->next = s;
    else
        o->first = s;
    o->last = s;
    if (!o->next)
        o->next = s;
}

static void release_idle(waitio__outbox *o)
{
    if (o->first || !o->chunk)
        return;
    waitio__chunk_drop(o->memory, o->chunk);
    o->chunk = NULL;
}

void waitio__outbox_free(waitio__outbox *o, int code)
{
    while (o->first) {
        waitio__span *s = o->first;
        o->first = s->next;
        if (s->owner)
            o->done(s->owner, code);
        span_drop(o, s);
    }
    o->next = o->last = NULL;
    release_idle(o);
    waitio__memory_give(o->memory, WAITIO__USE_BUFFERS, o->spare, sizeof *o->spare);
    o->spare = NULL;
}

/* Reserves room for n contiguous bytes. After the first, small chunk is full, larger ones are taken. */
static int make_room(waitio__outbox *o, size_t n)
{
    if (o->chunk && o->chunk->size - o->chunk->used >= n)
        return H3OU__OK;
    size_t least = o->chunk ? CHUNK_LATER : CHUNK_FIRST;
    waitio__chunk *c = waitio__chunk_take(o->memory, n > least ? n : least);
    if (!c)
        return H3OU__ENOMEM;
    waitio__chunk_drop(o->memory, o->chunk);
    o->chunk = c;
    return H3OU__OK;
}

/* Returns the span that n more bytes go to: the last one, or a new one. */
static unsigned char *span_reserve(waitio__outbox *o, size_t n)
{
    if (make_room(o, n))
        return NULL;
    waitio__chunk *c = o->chunk;
    unsigned char *at = c->bytes + c->used;
    waitio__span *s = o->last;
    if (!s || s->owner || s->chunk != c || s->data + s->n != at) {
        s = span_new(o);
        if (!s)
            return NULL;
        s->chunk = c;
        c->refs++;
        s->data = at;
        span_append(o, s);
    } else if (!o->next) {
        o->next = s; /* all of it had left, and now it grows */
    }
    c->used += (uint32_t)n;
    s->n += n;
    o->end += n;
    return at;
}

/* A frame without payload uses `check` for something else. */
static void frame_number(waitio__outbox *o, const waitio__frame *f, const void *payload, uint64_t n,
                         unsigned char head[WAITIO__FRAME])
{
    uint32_t sum = n ? 0 : f->check;
    if (o->checks && n) {
        waitio__check check;
        waitio__frame numbered = *f;
        numbered.seq = o->seq;
        waitio__check_begin(&check, &numbered);
        waitio__check_more(&check, payload, n);
        sum = waitio__check_end(&check);
    }
    waitio__frame_put_as(f, o->seq++, sum, head);
}

/* Appends bytes that do not fit into what is left of the chunk (a block of memory), as several spans (pieces of the
 * stream). */
static int put_more(waitio__outbox *o, const unsigned char *bytes, uint64_t n)
{
    while (n) {
        size_t part = n < CHUNK_LATER ? n : CHUNK_LATER;
        unsigned char *at = span_reserve(o, part);
        if (!at)
            return H3OU__ENOMEM;
        memcpy(at, bytes, part);
        bytes += part;
        n -= part;
    }
    return H3OU__OK;
}

int waitio__outbox_put(waitio__outbox *o, const waitio__frame *f, const void *payload)
{
    uint64_t n = waitio__frame_payload(f);
    size_t beside = n <= CHUNK_LATER ? n : 0;
    unsigned char *at = span_reserve(o, WAITIO__FRAME + beside);
    if (!at)
        return H3OU__ENOMEM;
    frame_number(o, f, payload, n, at);
    if (beside)
        memcpy(at + WAITIO__FRAME, payload, beside);
    return n > beside ? put_more(o, payload, n) : H3OU__OK;
}

int waitio__outbox_lend(waitio__outbox *o, const waitio__frame *f, const void *payload, void *owner)
{
    waitio__span *s = span_new(o);
    if (!s)
        return H3OU__ENOMEM;
    uint64_t n = waitio__frame_payload(f);
    frame_number(o, f, payload, n, s->head);
    s->head_n = WAITIO__FRAME;
    s->data = payload;
    s->n = WAITIO__FRAME + n;
    s->owner = owner;
    o->end += s->n;
    span_append(o, s);
    return H3OU__OK;
}

int waitio__outbox_gather(const waitio__outbox *o, struct iovec v[], int most, uint64_t *bytes)
{
    int n = 0;
    *bytes = 0;
    for (const waitio__span *s = o->next; s && n + 2 <= most; s = s->next) {
        uint64_t skip = o->sent > s->at ? o->sent - s->at : 0;
        if (skip < s->head_n) {
            v[n++] = (struct iovec){(void *)(s->head + skip), s->head_n - skip};
            skip = s->head_n;
        }
        if (s->n > skip)
            v[n++] = (struct iovec){(void *)(s->data + (skip - s->head_n)), s->n - skip};
    }
    for (int i = 0; i < n; i++)
        *bytes += v[i].iov_len;
    return n;
}

static void drop_first(waitio__outbox *o)
{
    waitio__span *s = o->first;
    o->first = s->next;
    if (!o->first)
        o->last = NULL;
    if (o->next == s)
        o->next = s->next;
    void *owner = s->owner;
    span_drop(o, s);
    if (owner)
        o->done(owner, H3OU__OK);
}

/* Frees the spans that lie before position `acked`. A span that can still grow is kept while the stream is busy. */
static void spans_forget(waitio__outbox *o)
{
    while (o->first && o->first->at + o->first->n <= o->acked)
        drop_first(o);
    release_idle(o);
}

void waitio__outbox_left(waitio__outbox *o, uint64_t n)
{
    o->sent += n;
    while (o->next && o->next->at + o->next->n <= o->sent)
        o->next = o->next->next;
    if (!o->retains) {
        o->acked = o->sent;
        spans_forget(o);
    }
}

void waitio__outbox_settle(waitio__outbox *o)
{
    waitio__span *s = o->first;
    uint64_t rest = o->end - o->acked;
    if (o->sent != o->end || (s && (s != o->last || s->owner || rest > WAITIO__FRAME)))
        return;
    waitio__memory_give(o->memory, WAITIO__USE_BUFFERS, s ? o->spare : NULL, sizeof *o->spare);
    o->spare = s ? NULL : o->spare;
    if (!s || !s->chunk)
        return;
    memcpy(s->head, s->data + (s->n - rest), rest);
    s->at = o->acked;
    s->n = s->head_n = (unsigned)rest;
    s->data = NULL;
    waitio__chunk_drop(o->memory, s->chunk);
    s->chunk = NULL;
    waitio__chunk_drop(o->memory, o->chunk);
    o->chunk = NULL;
}

int waitio__outbox_acked(waitio__outbox *o, uint64_t position)
{
    if (position > o->sent)
        return h3ou__fail(H3OU__EPROTO, "bytes acknowledged that were never sent");
    if (position > o->acked) {
        o->acked = position;
        spans_forget(o);
    }
    return H3OU__OK;
}

int waitio__outbox_rewind(waitio__outbox *o, uint64_t position)
{
    if (position < o->acked || position > o->sent)
        return h3ou__fail(H3OU__EPROTO, "the other end has %llu bytes of a stream of which %llu to %llu are kept",
                          (unsigned long long)position, (unsigned long long)o->acked, (unsigned long long)o->sent);
    o->resent += o->sent - position;
    o->sent = position;
    /* With checksums the peer may still ask for the frame that is arriving from its beginning. */
    int code = o->checks ? H3OU__OK : waitio__outbox_acked(o, position);
    o->next = o->first;
    while (o->next && o->next->at + o->next->n <= o->sent)
        o->next = o->next->next;
    return code;
}

/* Copies the rest of a borrowed piece of which a part has left. */
static int keep_rest(waitio__outbox *o, waitio__span *s)
{
    uint64_t skip = o->sent - s->at, rest = s->n - skip, head = skip < s->head_n ? s->head_n - skip : 0;
    waitio__chunk *c = waitio__chunk_take(o->memory, rest);
    if (!c)
        return H3OU__ENOMEM;
    if (c->size < rest) {
        waitio__chunk_drop(o->memory, c);
        return h3ou__fail(H3OU__ENOMEM, "no buffer for the rest of a message");
    }
    if (head)
        memcpy(c->bytes, s->head + skip, head);
    memcpy(c->bytes + head, s->data + (skip + head - s->head_n), rest - head);
    c->used = c->size;
    s->chunk = c;
    s->head_n = 0;
    s->at = o->sent;
    s->n = rest;
    s->data = c->bytes;
    return H3OU__OK;
}

int waitio__outbox_detach(waitio__outbox *o)
{
    int code = H3OU__OK;
    o->acked = o->sent;
    while (o->first && o->first->at + o->first->n <= o->sent) {
        o->first->owner = NULL;
        drop_first(o);
    }
    waitio__span *s = o->first, *rest = s;
    if (s && s->at < o->sent) {
        if (s->owner)
            code = keep_rest(o, s);
        s->owner = NULL;
        rest = s->next;
        s->next = NULL;
    } else {
        o->first = NULL;
    }
    o->last = o->next = o->first;
    o->end = o->last ? o->last->at + o->last->n : o->sent;
    if (rest)
        o->seq = rest->seq;
    while (rest) {
        waitio__span *next = rest->next;
        rest->owner = NULL;
        span_drop(o, rest);
        rest = next;
    }
    /* What is put now begins a chunk of its own: the old one ends with bytes that were dropped. */
    waitio__chunk_drop(o->memory, o->chunk);
    o->chunk = NULL;
    return code;
}
