/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes that a stream has still to send, and those that it may have to send again. Bytes are counted from the
 * stream's beginning:
 *
 *      acked <= sent <= end        in an outbox that retains: bytes before `acked` have arrived and are forgotten
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
    uint64_t at;  /* position of the first byte */
    uint64_t n;   /* bytes of head and data */
    uint64_t seq; /* number of its first frame */
    const unsigned char *data;
    waitio__chunk *chunk; /* that contains the copied bytes; holds a reference */
    void *owner;          /* of borrowed bytes */
    unsigned head_n;      /* 0 or WAITIO__FRAME: bytes of head that come first */
    unsigned char head[WAITIO__FRAME];
};

typedef struct waitio__outbox {
    waitio__memory *memory;
    bool retains, checks; /* checks: payloads get a checksum */
    uint64_t acked, sent, end;
    uint64_t seq;                      /* number of the next frame */
    waitio__span *first, *next, *last; /* next: the first of which bytes have not left */
    waitio__span *spare;
    waitio__chunk *chunk; /* the one that is being filled */
    uint64_t resent;
    /* Called when the borrowed bytes of owner are free again. code: 0, or the error with which the outbox was emptied.
     */
    void (*done)(void *owner, int code);
} waitio__outbox;

enum { WAITIO__PUT_WHOLE = 32000 }; /* bytes of payload that are kept beside their frame */

void waitio__outbox_init(waitio__outbox *o, waitio__memory *memory, bool retains, void (*done)(void *owner, int code));
void waitio__outbox_free(waitio__outbox *o, int code);
/* Appends a frame and a copy of its payload (at most WAITIO__PAYLOAD_MOST). */
int waitio__outbox_put(waitio__outbox *o, const waitio__frame *f, const void *payload);
/* Appends a frame whose payload is borrowed until done(owner). */
int waitio__outbox_lend(waitio__outbox *o, const waitio__frame *f, const void *payload, void *owner);
static inline uint64_t waitio__outbox_waiting(const waitio__outbox *o)
{
    return o->end - o->sent;
}
/* Sets *piece to the bytes to send and returns true if they all lie in one piece. */
static inline bool waitio__outbox_last(const waitio__outbox *o, struct iovec *piece)
{
    const waitio__span *s = o->next;
    if (!s || s->next || s->head_n)
        return false;
    uint64_t skip = o->sent - s->at;
    *piece = (struct iovec){(void *)(s->data + skip), s->n - skip};
    return true;
}
/* Lists the next bytes to send, at most `most` pieces. Returns the number of pieces; *bytes: their sum. */
int waitio__outbox_gather(const waitio__outbox *o, struct iovec v[], int most, uint64_t *bytes);
/* Called when nothing has been sent for a while: frees the buffer of a last ACK, which the peer does not acknowledge.
 */
void waitio__outbox_settle(waitio__outbox *o);
/* Called when n of these bytes have left. */
void waitio__outbox_left(waitio__outbox *o, uint64_t n);
/* Called when the peer has received all bytes before `position`. Returns H3OU__EPROTO if they were never sent. */
int waitio__outbox_acked(waitio__outbox *o, uint64_t position);
/* Prepares to send the bytes from `position` on again. Returns H3OU__EPROTO if they are forgotten or were never sent.
 */
int waitio__outbox_rewind(waitio__outbox *o, uint64_t position);
/* Gives back all that is borrowed (done is not called): what has not begun is dropped, what has is copied, and what has
 * left cannot be sent again any more. Only for streams whose frames are put or lent whole (WAITIO__PUT_WHOLE). */
int waitio__outbox_detach(waitio__outbox *o);

#endif
