/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/channel.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { PIECES = 16, READS = 16, DIRECT = 16384, BESIDE = 4096 };

typedef struct piece { /* of a queued item, for one writev */
    waitio__out *item;
    bool is_fresh, is_last; /* not begun before; the item ends with it */
    uint64_t head, data;    /* bytes */
    unsigned char frame[WAITIO__FRAME];
} piece;

static void watch(waitio__channel *ch, bool write)
{
    if (ch->wants_write == write)
        return;
    ch->wants_write = write;
    h3ou__poller_change(&ch->hub->poller, ch->link.fd, &ch->source, write);
}

/* Closes and tells the owner; the sentence is recorded. */
static void collapse(waitio__channel *ch, int code)
{
    if (!ch->is_open)
        return;
    char text[H3OU__ERROR_TEXT];
    memcpy(text, h3ou__fail_text(), sizeof text);
    waitio__channel_close(ch);
    h3ou__fail(code, "%s", text);
    ch->ops->closed(ch->owner, code);
}

static void fill_fresh(piece *p, waitio__out *item, uint64_t offset, uint64_t seq)
{
    uint64_t rest = item->length - offset;
    uint64_t data = item->is_segmented && rest > WAITIO__SEGMENT ? WAITIO__SEGMENT : rest;
    waitio__frame f = item->frame;
    f.seq = seq;
    if (item->is_segmented) {
        f.tag = (int64_t)offset;
        f.length = data;
    }
    *p = (piece){.item = item, .is_fresh = true, .is_last = data == rest, .head = WAITIO__FRAME, .data = data};
    waitio__frame_put(&f, p->frame);
}

/* The next pieces of the queue, and the vectors that send them. */
static int gather(waitio__channel *ch, piece p[PIECES], struct iovec v[2 * PIECES], int *nv)
{
    int n = 0;
    uint64_t seq = ch->seq_out;
    *nv = 0;
    for (waitio__out *item = ch->first; item && n < PIECES; item = item->next) {
        uint64_t offset = item->moved;
        bool more = true;
        while (more && n < PIECES) {
            unsigned char *head = p[n].frame;
            if (item->is_started && offset == item->moved) {
                p[n] = (piece){.item = item, .head = item->head_left, .data = item->data_left};
                p[n].is_last = offset + item->data_left == item->length;
                head = item->head + WAITIO__FRAME - item->head_left;
            } else {
                fill_fresh(&p[n], item, offset, seq++);
            }
            if (p[n].head)
                v[(*nv)++] = (struct iovec){head, p[n].head};
            if (p[n].data)
                v[(*nv)++] = (struct iovec){(void *)(item->data + offset), p[n].data};
            offset += p[n].data;
            more = !p[n++].is_last;
        }
    }
    return n;
}

/* Accounts for the bytes that left. */
static void settle(waitio__channel *ch, const piece p[], int n, uint64_t left)
{
    for (int i = 0; i < n && left; i++) {
        waitio__out *item = p[i].item;
        if (p[i].is_fresh)
            ch->seq_out++;
        if (left < p[i].head + p[i].data) {
            uint64_t head = left < p[i].head ? left : p[i].head;
            if (p[i].is_fresh)
                memcpy(item->head, p[i].frame, WAITIO__FRAME);
            item->is_started = true;
            item->head_left = (unsigned)(p[i].head - head);
            item->data_left = p[i].data - (left - head);
            item->moved += left - head;
            return;
        }
        left -= p[i].head + p[i].data;
        item->moved += p[i].data;
        item->is_started = false;
        if (p[i].is_last) {
            ch->first = item->next;
            if (!ch->first)
                ch->last = NULL;
            item->done(item, H3OU__OK);
        }
    }
}

/* A long message lets others pass between its segments. */
static void rotate(waitio__channel *ch)
{
    waitio__out *o = ch->first;
    if (!o || !o->next || !o->is_segmented || o->is_started)
        return;
    ch->first = o->next;
    o->next = NULL;
    ch->last->next = o;
    ch->last = o;
}

static void flush(waitio__channel *ch)
{
    if (!ch->is_open || ch->is_connecting || ch->is_deaf)
        return;
    while (ch->first) {
        piece p[PIECES];
        struct iovec v[2 * PIECES];
        int nv;
        int n = gather(ch, p, v, &nv);
        uint64_t all = 0;
        for (int i = 0; i < nv; i++)
            all += v[i].iov_len;
        size_t moved;
        int code = ch->link.conduit->writev(&ch->link, v, nv, &moved);
        if (code < 0) {
            /* What the other end wrote before it went may say why: it is read before the channel closes. */
            ch->is_deaf = true;
            break;
        }
        settle(ch, p, n, moved);
        if (code == WAITIO__AGAIN || moved < all)
            break;
        rotate(ch);
    }
    watch(ch, ch->first && !ch->is_deaf);
}

/* A whole frame is in ch->head. */
static int begin(waitio__channel *ch)
{
    int code = waitio__frame_get(ch->head, ch->seq_in, &ch->frame);
    if (code)
        return code;
    ch->seq_in++;
    ch->head_got = 0;
    ch->payload_left = waitio__frame_payload(&ch->frame);
    ch->place = NULL;
    ch->place_left = 0;
    code = ch->ops->frame(ch->owner, &ch->frame, &ch->place, &ch->place_left);
    if (code || !ch->is_open)
        return code;
    if (ch->place_left > ch->payload_left)
        ch->place_left = ch->payload_left;
    ch->in_payload = ch->payload_left > 0;
    return ch->in_payload ? H3OU__OK : ch->ops->payload(ch->owner, &ch->frame);
}

static int advance(waitio__channel *ch, uint64_t n, uint64_t placed)
{
    ch->payload_left -= n;
    ch->place += placed;
    ch->place_left -= placed;
    if (ch->payload_left)
        return H3OU__OK;
    ch->in_payload = false;
    return ch->ops->payload(ch->owner, &ch->frame);
}

static int digest(waitio__channel *ch, const unsigned char *bytes, size_t n)
{
    int code = H3OU__OK;
    while (n && !code && ch->is_open) {
        if (ch->in_payload) {
            uint64_t take = n < ch->payload_left ? n : ch->payload_left;
            uint64_t placed = take < ch->place_left ? take : ch->place_left;
            if (placed)
                memcpy(ch->place, bytes, placed);
            bytes += take;
            n -= take;
            code = advance(ch, take, placed);
            continue;
        }
        size_t take = WAITIO__FRAME - ch->head_got;
        take = n < take ? n : take;
        memcpy(ch->head + ch->head_got, bytes, take);
        ch->head_got += (unsigned)take;
        bytes += take;
        n -= take;
        if (ch->head_got == WAITIO__FRAME)
            code = begin(ch);
    }
    return code;
}

/* One read; *more: perhaps there is more. */
static int take_in(waitio__channel *ch, bool *more)
{
    struct iovec v[2];
    int n = 0;
    uint64_t direct = ch->in_payload ? ch->place_left : 0;
    *more = false;
    if (direct)
        v[n++] = (struct iovec){ch->place, direct};
    /* Beside a long payload only a little is read ahead: what is read ahead is copied once more. */
    size_t beside = direct >= DIRECT ? BESIDE : ch->hub->staging_size;
    v[n++] = (struct iovec){ch->hub->staging, beside};
    size_t moved;
    int code = ch->link.conduit->readv(&ch->link, v, n, &moved);
    if (code == WAITIO__AGAIN)
        return H3OU__OK;
    if (code == WAITIO__EOF)
        return h3ou__fail(H3OU__EPEER, "the other end closed the connection");
    if (code)
        return code;
    *more = moved == direct + beside;
    uint64_t placed = moved < direct ? moved : direct;
    if (placed)
        code = advance(ch, placed, placed);
    if (!code && ch->is_open && moved > placed)
        code = digest(ch, ch->hub->staging, moved - placed);
    return code;
}

static void channel_ready(waitio__source *source, bool readable, bool writable)
{
    waitio__channel *ch = (waitio__channel *)source;
    if (!ch->is_open)
        return;
    if (ch->is_connecting) {
        if (!writable)
            return;
        int code = ch->link.conduit->opened(&ch->link);
        if (code < 0)
            collapse(ch, code);
        if (code)
            return;
        ch->is_connecting = false;
    }
    if (writable)
        flush(ch);
    bool more = readable;
    for (int i = 0; i < READS && more && ch->is_open; i++) {
        int code = take_in(ch, &more);
        if (code)
            collapse(ch, code);
    }
}

int waitio__channel_open(waitio__channel *ch, waitio__hub *hub, waitio__link *link, bool connecting,
                         const waitio__channel_ops *ops, void *owner)
{
    *ch = (waitio__channel){.source.ready = channel_ready, .hub = hub, .link = *link, .ops = ops, .owner = owner};
    ch->is_open = true;
    ch->is_connecting = ch->wants_write = connecting;
    int code = h3ou__poller_add(&hub->poller, link->fd, &ch->source, connecting);
    if (code) {
        ch->is_open = false;
        link->conduit->close(link);
    }
    return code;
}

void waitio__channel_close(waitio__channel *ch)
{
    if (!ch->is_open)
        return;
    ch->is_open = false;
    h3ou__poller_remove(&ch->hub->poller, ch->link.fd);
    ch->link.conduit->close(&ch->link);
    while (ch->first) {
        waitio__out *o = ch->first;
        ch->first = o->next;
        o->done(o, H3OU__EPEER);
    }
    ch->last = NULL;
}

void waitio__channel_send(waitio__channel *ch, waitio__out *o)
{
    if (!ch->is_open) {
        o->done(o, H3OU__EPEER);
        return;
    }
    bool was_idle = !ch->first;
    o->next = NULL;
    o->moved = 0;
    o->is_started = false;
    if (ch->last)
        ch->last->next = o;
    else
        ch->first = o;
    ch->last = o;
    if (was_idle)
        flush(ch);
}

static void free_copy(waitio__out *o, int code)
{
    (void)code;
    free(o);
}

int waitio__channel_send_copy(waitio__channel *ch, const waitio__frame *f, const void *payload)
{
    uint64_t length = waitio__frame_payload(f);
    waitio__out *o = calloc(1, sizeof *o + length);
    if (!o)
        return h3ou__fail(H3OU__ENOMEM, "no memory for a frame");
    o->frame = *f;
    o->length = length;
    o->data = (unsigned char *)(o + 1);
    if (length)
        memcpy(o + 1, payload, length);
    o->done = free_copy;
    waitio__channel_send(ch, o);
    return H3OU__OK;
}

int waitio__channel_forget(waitio__channel *ch, waitio__out *o)
{
    waitio__out **place = &ch->first, *before = NULL;
    while (*place && *place != o) {
        before = *place;
        place = &(*place)->next;
    }
    if (!*place)
        return H3OU__OK;
    waitio__out *copy = NULL;
    if (o->is_started) {
        copy = calloc(1, sizeof *copy + o->data_left);
        if (!copy)
            return h3ou__fail(H3OU__ENOMEM, "no memory for %zu bytes", (size_t)o->data_left);
        *copy = *o;
        memcpy(copy + 1, o->data + o->moved, o->data_left);
        copy->data = (unsigned char *)(copy + 1);
        copy->length = o->data_left;
        copy->moved = 0;
        copy->is_segmented = false;
        copy->done = free_copy;
    }
    *place = copy ? copy : o->next;
    if (ch->last == o)
        ch->last = copy ? copy : before;
    return H3OU__OK;
}
