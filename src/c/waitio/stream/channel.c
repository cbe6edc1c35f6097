/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/channel.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Beside a long payload only a little is read ahead, since what is read ahead is copied once more. */
enum { PIECES = 64, READS = 16, DIRECT = 16384, LONG = 65536, BESIDE = 32768, BESIDE_LONG = 16384 };
static const uint64_t gulp = 4 << 20; /* bytes that one flush moves at most, so that other links are not delayed */

static void channel_break(waitio__channel *ch, int code)
{
    if (!ch->has_link)
        return;
    char text[H3OU__ERROR_TEXT];
    memcpy(text, h3ou__fail_text(), sizeof text);
    waitio__channel_detach(ch);
    h3ou__fail(code, "%s", text);
    ch->ops->broken(ch->owner, code);
}

/* Returns how many bytes may leave by this link. */
static uint64_t bytes_leavable(const waitio__channel *ch)
{
    return ch->is_last ? ch->last - ch->out.sent : waitio__outbox_waiting(&ch->out);
}

/* Returns how many bytes the link has taken but still holds in this process. */
static size_t link_held(const waitio__channel *ch)
{
    return ch->has_link && ch->link.conduit->held ? ch->link.conduit->held(&ch->link) : 0;
}

static bool outbox_refill(waitio__channel *ch)
{
    bool has_more = ch->ops->more != NULL && !ch->is_last;
    while (has_more && waitio__outbox_waiting(&ch->out) < 4 * WAITIO__SEGMENT)
        has_more = ch->ops->more(ch->owner);
    return bytes_leavable(ch) > 0;
}

/* Cuts the pieces to the first `most` bytes. Returns how many pieces remain. */
static int iov_trim(struct iovec v[], int n, uint64_t most, uint64_t *all)
{
    for (; *all > most; n--) {
        uint64_t excess = *all - most, cut = v[n - 1].iov_len < excess ? v[n - 1].iov_len : excess;
        v[n - 1].iov_len -= cut;
        *all -= cut;
        if (v[n - 1].iov_len)
            break;
    }
    return n;
}

/* The most frequent case: the bytes to send lie in one piece, and the link takes them all. */
static bool channel_flush_last(waitio__channel *ch)
{
    struct iovec piece;
    size_t moved = 0;
    if (ch->is_last || ch->source.wants_write || ch->link.conduit->held || !waitio__outbox_last(&ch->out, &piece))
        return false;
    if (ch->ops->more && ch->ops->more(ch->owner))
        return false;
    if (ch->link.conduit->writev(&ch->link, &piece, 1, &moved) < 0)
        ch->is_deaf = true; /* as below */
    waitio__outbox_left(&ch->out, moved);
    ch->hub->is_behind |= ch->is_deaf;
    return moved == piece.iov_len || ch->is_deaf;
}

void waitio__channel_flush(waitio__channel *ch)
{
    if (!ch->has_link || ch->is_deaf) {
        ch->hub->is_behind |= waitio__outbox_waiting(&ch->out) > 0;
        return;
    }
    if (ch->is_flushing || channel_flush_last(ch))
        return;
    ch->is_flushing = true;
    uint64_t moved_all = 0;
    bool blocked = false;
    while (ch->has_link && !blocked && moved_all < gulp && (outbox_refill(ch) || link_held(ch))) {
        struct iovec v[PIECES];
        uint64_t all;
        size_t moved = 0;
        int n = waitio__outbox_gather(&ch->out, v, PIECES, &all);
        n = iov_trim(v, n, bytes_leavable(ch), &all);
        int code = ch->link.conduit->writev(&ch->link, v, n, &moved);
        if (code < 0) {
            /* What the other end wrote before it ended may tell the reason: it is read before the channel breaks. */
            ch->is_deaf = true;
            break;
        }
        waitio__outbox_left(&ch->out, moved);
        moved_all += moved;
        blocked = code == WAITIO__AGAIN || (moved < all && !ch->link.conduit->held);
    }
    ch->is_flushing = false;
    bool is_held = link_held(ch);
    ch->hub->is_behind |= is_held || waitio__outbox_waiting(&ch->out) > 0;
    bool is_left = bytes_leavable(ch) > 0 || is_held || moved_all >= gulp;
    if (ch->has_link)
        waitio__hub_want(ch->hub, &ch->source, is_left && !ch->is_deaf);
}

/* Handles the bytes that a link shows in place, without copying them. */
static int channel_read_in_place(waitio__channel *ch, bool *more)
{
    const unsigned char *bytes;
    size_t n;
    *more = false;
    ch->link.conduit->peek(&ch->link, &bytes, &n);
    if (!n)
        return WAITIO__AGAIN;
    int code = waitio__inbox_take(&ch->in, bytes, n);
    if (ch->has_link) {
        ch->link.conduit->taken(&ch->link, n);
        *more = true;
    }
    return code;
}

/* Reads once. *more: there may be more to read. Returns WAITIO__AGAIN if there was nothing. */
static int channel_read_once(waitio__channel *ch, bool *more, bool may_block)
{
    struct iovec v[2];
    int n = 0, code;
    if (ch->link.conduit->peek) {
        code = channel_read_in_place(ch, more);
        /* readv asks the kernel whether the other process has ended: needed only when the descriptor became readable.
         */
        if (code != WAITIO__AGAIN || ch->hub->is_asking)
            return code;
    }
    uint64_t direct = waitio__inbox_direct(&ch->in);
    *more = false;
    if (direct)
        v[n++] = (struct iovec){ch->in.place, direct};
    /* After a long payload, another one is likely. */
    bool is_long = direct >= DIRECT || ch->in.room >= DIRECT;
    size_t beside = !is_long ? ch->hub->staging_size : ch->in.room <= LONG ? BESIDE : BESIDE_LONG, moved;
    v[n++] = (struct iovec){ch->hub->staging, beside};
    code = (may_block ? ch->link.conduit->read_blocking : ch->link.conduit->readv)(&ch->link, v, n, &moved);
    /* After a write that failed, reading a connection that was reset says no more than that it has ended. */
    ch->saw_end = code == WAITIO__EOF && !ch->is_deaf;
    if (code == WAITIO__EOF)
        return h3ou__fail(H3OU__EPEER, "the other end closed the connection");
    if (code)
        return code;
    *more = moved == direct + beside;
    uint64_t placed = moved < direct ? moved : direct;
    if (placed)
        code = waitio__inbox_placed(&ch->in, placed);
    if (!code && ch->has_link && moved > placed)
        code = waitio__inbox_take(&ch->in, ch->hub->staging, moved - placed);
    return code;
}

static bool channel_read_all(waitio__channel *ch)
{
    bool more = true, any = false;
    for (int i = 0; i < READS && more && ch->has_link; i++) {
        int code = channel_read_once(ch, &more, false);
        if (code == WAITIO__AGAIN)
            break;
        any = true;
        if (code)
            channel_break(ch, code);
    }
    return any;
}

bool waitio__channel_read_blocking(waitio__channel *ch)
{
    bool more;
    if (!ch->has_link || !ch->link.conduit->read_blocking || ch->source.wants_write)
        return false;
    int code = channel_read_once(ch, &more, true);
    if (code > 0)
        return false;
    if (code)
        channel_break(ch, code);
    return true;
}

bool waitio__channel_poll(waitio__channel *ch)
{
    if (!ch->has_link)
        return false;
    if (ch->link.conduit->ready && !ch->link.conduit->ready(&ch->link, ch->source.wants_write))
        return false;
    if (ch->source.wants_write && ch->source.round >= 0)
        waitio__channel_flush(ch);
    return channel_read_all(ch);
}

static void channel_ready(waitio__source *source, bool readable, bool writable)
{
    waitio__channel *ch = (waitio__channel *)source;
    if (ch->has_link && writable)
        waitio__channel_flush(ch);
    if (ch->has_link && readable)
        channel_read_all(ch);
}

void waitio__channel_init(waitio__channel *ch, waitio__hub *hub, const waitio__channel_ops *ops, void *owner,
                          bool retains)
{
    *ch = (waitio__channel){.source = {.ready = channel_ready, .round = -1}, .hub = hub, .ops = ops, .owner = owner};
    waitio__outbox_init(&ch->out, hub->memory, retains, ops->done);
    waitio__inbox_init(&ch->in, &ops->in, owner);
}

int waitio__channel_attach(waitio__channel *ch, waitio__link *link)
{
    waitio__channel_detach(ch);
    ch->link = *link;
    ch->is_deaf = ch->is_last = false;
    ch->in.is_closed = ch->is_freed;
    int code = waitio__hub_add(ch->hub, &ch->source, &ch->link, false);
    if (code) {
        ch->link.conduit->close(&ch->link);
        return code;
    }
    ch->has_link = true;
    if (ch->link.conduit->memory)
        waitio__memory_count(ch->hub->memory, WAITIO__USE_RINGS, (int64_t)ch->link.conduit->memory(&ch->link));
    waitio__channel_flush(ch);
    return H3OU__OK;
}

void waitio__channel_detach(waitio__channel *ch)
{
    if (!ch->has_link)
        return;
    ch->has_link = false;
    ch->in.is_closed =
        true; /* so that bytes that are being handled, which may lie in the link's memory, are not used any more */
    waitio__hub_remove(ch->hub, &ch->source);
    if (ch->link.conduit->memory)
        waitio__memory_count(ch->hub->memory, WAITIO__USE_RINGS, -(int64_t)ch->link.conduit->memory(&ch->link));
    ch->link.conduit->close(&ch->link);
}

void waitio__channel_conclude(waitio__channel *ch)
{
    ch->is_last = true;
    ch->last = ch->out.end;
}

void waitio__channel_free(waitio__channel *ch, int code)
{
    if (ch->is_freed)
        return;
    ch->is_freed = true;
    waitio__channel_detach(ch);
    ch->in.is_closed = true;
    waitio__outbox_free(&ch->out, code);
    free(ch->in.check);
    ch->in.check = NULL;
}

int waitio__channel_put(waitio__channel *ch, const waitio__frame *f, const void *payload)
{
    return waitio__outbox_put(&ch->out, f, payload);
}

int waitio__channel_send(waitio__channel *ch, const waitio__frame *f, const void *payload)
{
    int code = waitio__outbox_put(&ch->out, f, payload);
    if (!code)
        waitio__channel_flush(ch);
    return code;
}

int waitio__channel_lend(waitio__channel *ch, const waitio__frame *f, const void *payload, void *item)
{
    return waitio__outbox_lend(&ch->out, f, payload, item);
}

uint64_t waitio__channel_waiting(const waitio__channel *ch)
{
    return waitio__outbox_waiting(&ch->out) + link_held(ch);
}

bool waitio__channel_is_empty(const waitio__channel *ch)
{
    return ch->out.acked == ch->out.end;
}
