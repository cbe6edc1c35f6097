/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a stream has still to send, and what it may have to send again. Bytes are counted from the stream's beginning:
 *
 *      acked <= sent <= end        of an outbox that retains: what is behind `acked` has arrived and is forgotten
 *
 * Small frames are copied, side by side, into chunks of the pool, so that many leave in one call; long payloads are
 * borrowed from their owner until they have arrived (or, without retaining, left).
 */
#ifndef WAITIO_STREAM_OUTBOX_H
#define WAITIO_STREAM_OUTBOX_H

#include <stdbool.h>
#include <sys/uio.h>

#include "waitio/stream/frame.h"
#include "waitio/stream/memory.h"

typedef struct waitio__span waitio__span;
struct waitio__span { /* bytes that follow each other in the stream */
    waitio__span *next;
    uint64_t at;  /* position of the first */
    uint64_t n;   /* head and data */
    uint64_t seq; /* of its first frame */
    const unsigned char *data;
    waitio__chunk *chunk; /* where copied bytes are; holds a reference */
    void *owner;          /* of borrowed bytes */
    unsigned head_n;      /* 0 or WAITIO__FRAME: bytes of head that come first */
    unsigned char head[WAITIO__FRAME];
};

typedef struct waitio__outbox {
    waitio__memory *memory;
    bool retains, checks; /* checks: payloads get a checksum */
    uint64_t acked, sent, end;
    uint64_t seq;                      /* of the next frame */
    waitio__span *first, *next, *last; /* next: the first that has not left whole */
    waitio__span *spare;
    waitio__chunk *chunk; /* that is being filled */
    uint64_t resent;
    /* The borrowed bytes of owner are free again: 0, or the error with which the outbox was emptied. */
    void (*done)(void *owner, int code);
} waitio__outbox;

enum { WAITIO__PUT_WHOLE = 32000 }; /* bytes of payload that are kept beside their frame */

void waitio__outbox_init(waitio__outbox *o, waitio__memory *memory, bool retains, void (*done)(void *owner, int code));
void waitio__outbox_free(waitio__outbox *o, int code);
/* A frame and a copy of its payload (at most WAITIO__PAYLOAD_MOST). */
int waitio__outbox_put(waitio__outbox *o, const waitio__frame *f, const void *payload);
/* A frame whose payload is borrowed until done(owner). */
int waitio__outbox_lend(waitio__outbox *o, const waitio__frame *f, const void *payload, void *owner);
static inline uint64_t waitio__outbox_waiting(const waitio__outbox *o)
{
    return o->end - o->sent;
}
/* The bytes to send, if they are few enough to lie side by side in one piece. */
static inline bool waitio__outbox_last(const waitio__outbox *o, struct iovec *piece)
{
    const waitio__span *s = o->next;
    if (!s || s->next || s->head_n)
        return false;
    uint64_t skip = o->sent - s->at;
    *piece = (struct iovec){(void *)(s->data + skip), s->n - skip};
    return true;
}
/* The next bytes to send, at most `most` pieces. Returns the number of pieces; *bytes: their sum. */
int waitio__outbox_gather(const waitio__outbox *o, struct iovec v[], int most, uint64_t *bytes);
/* Nothing has been sent for a while: holds no buffer for the acknowledgement that nobody acknowledges. */
void waitio__outbox_settle(waitio__outbox *o);
/* n of them have left. */
void waitio__outbox_left(waitio__outbox *o, uint64_t n);
/* The peer has received all before `position`. H3OU__EPROTO: it was never sent. */
int waitio__outbox_acked(waitio__outbox *o, uint64_t position);
/* What follows `position` is to be sent again. H3OU__EPROTO: it is forgotten, or was never sent. */
int waitio__outbox_rewind(waitio__outbox *o, uint64_t position);
/* Gives back all that is borrowed (done is not called): what has not begun is dropped, what has is copied, and what has
 * left cannot be sent again any more. Only for streams whose frames are put or lent whole (WAITIO__PUT_WHOLE). */
int waitio__outbox_detach(waitio__outbox *o);

#endif
