/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The receiving side of a stream: frames are checked one by one, and payloads are read straight to where the owner
 * wants them. The state survives the connection, so that a stream can continue in the middle of a message.
 */
#ifndef WAITIO_STREAM_INBOX_H
#define WAITIO_STREAM_INBOX_H

#include <stdbool.h>

#include "waitio/stream/frame.h"

typedef struct waitio__inbox_ops {
    /* Called when a frame arrived. For a frame with payload it sets *place and *room: where the first *room bytes of
     * the payload go, borrowed until `payload` is called; the rest is dropped. An error, which is recorded, ends the
     * stream. */
    int (*frame)(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room);
    /* Called when the payload is complete; at once for a frame without one. */
    int (*payload)(void *owner, const waitio__frame *f);
    /* NULL, or: called instead of both for a frame that is here with all of its payload and has no checksum. Returns
     * false if it has done nothing, so that the two above are called. */
    bool (*whole)(void *owner, const waitio__frame *f, const unsigned char *payload, int *code);
} waitio__inbox_ops;

typedef struct waitio__inbox {
    const waitio__inbox_ops *ops;
    void *owner;
    uint64_t seq;              /* number of the next frame */
    uint64_t received;         /* bytes of the stream so far */
    bool is_closed;            /* no further bytes are accepted */
    bool in_payload, is_again; /* is_again: this frame came before, with a payload that was damaged on its way */
    unsigned head_got;
    unsigned char head[WAITIO__FRAME];
    waitio__frame frame;
    uint64_t begun; /* position of the frame */
    unsigned char *place;
    uint64_t payload_left, place_left, room;
    waitio__check *check; /* NULL until a frame has one; the caller frees it (size as its type) */
} waitio__inbox;

void waitio__inbox_init(waitio__inbox *in, const waitio__inbox_ops *ops, void *owner);
/* Takes bytes in the order of the stream. Returns H3OU__EPROTO or the error of an op. */
int waitio__inbox_take(waitio__inbox *in, const unsigned char *bytes, size_t n);
/* Returns how many of the next bytes may be read directly to in->place (0: none). The caller then reports by
 * waitio__inbox_placed how many it has read. */
static inline uint64_t waitio__inbox_direct(const waitio__inbox *in)
{
    return in->in_payload ? in->place_left : 0;
}
int waitio__inbox_placed(waitio__inbox *in, uint64_t n);
/* Drops the rest of the payload that is arriving. */
void waitio__inbox_let_go(waitio__inbox *in);

#endif
