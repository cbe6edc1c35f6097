/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What arrives on a stream: frames are checked one by one, and payloads go straight where the owner wants them. The
 * state survives the connection, so that a stream goes on in the middle of a message.
 */
#ifndef WAITIO_STREAM_INBOX_H
#define WAITIO_STREAM_INBOX_H

#include <stdbool.h>

#include "waitio/stream/frame.h"

typedef struct waitio__inbox_ops {
    /* A frame arrived. For one with payload: where the first *room bytes of it go (the rest is dropped); borrowed until
     * payload. An error, with its sentence, ends the stream. */
    int (*frame)(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room);
    /* The payload is complete (called at once for a frame without one). */
    int (*payload)(void *owner, const waitio__frame *f);
    /* NULL, or instead of both: a frame that is here with all of its payload (without a checksum). False: tell it as
     * above, nothing has been done. */
    bool (*whole)(void *owner, const waitio__frame *f, const unsigned char *payload, int *code);
} waitio__inbox_ops;

typedef struct waitio__inbox {
    const waitio__inbox_ops *ops;
    void *owner;
    uint64_t seq;              /* of the frame that comes next */
    uint64_t received;         /* bytes of the stream so far */
    bool is_closed;            /* takes nothing more */
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
/* Bytes in the order of the stream. Returns H3OU__EPROTO or what the ops return. */
int waitio__inbox_take(waitio__inbox *in, const unsigned char *bytes, size_t n);
/* Where the next bytes of the stream may be read to directly, then tell how many came. 0: nowhere. */
static inline uint64_t waitio__inbox_direct(const waitio__inbox *in)
{
    return in->in_payload ? in->place_left : 0;
}
int waitio__inbox_placed(waitio__inbox *in, uint64_t n);
/* The rest of the payload that is arriving is dropped. */
void waitio__inbox_let_go(waitio__inbox *in);

#endif
