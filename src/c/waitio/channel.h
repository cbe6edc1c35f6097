/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A link that carries frames: what is to be sent waits in a queue and leaves as the link takes it, many pieces in a
 * call; what arrives is checked frame by frame, and payloads go straight where the owner wants them.
 */
#ifndef WAITIO_CHANNEL_H
#define WAITIO_CHANNEL_H

#include "waitio/frame.h"
#include "waitio/hub.h"

enum { WAITIO__SEGMENT = 256 * 1024 };

typedef struct waitio__out waitio__out;
struct waitio__out { /* something to be sent: a frame and its payload, or a long payload in segments */
    waitio__out *next;
    waitio__frame frame;           /* of a segmented one: kind DATA and id; tag and length are made for each segment */
    const unsigned char *data;     /* borrowed until done */
    uint64_t length, moved;        /* bytes of payload in all; of them handed to the link */
    bool is_segmented, is_started; /* is_started: a piece left in part; the rest must follow before anything else */
    unsigned head_left;            /* of the piece that left in part */
    uint64_t data_left;
    unsigned char head[WAITIO__FRAME];
    /* Called once, when all was handed to the link (0) or never will be (error). The channel has forgotten o then. */
    void (*done)(waitio__out *o, int code);
};

typedef struct waitio__channel_ops {
    /* A frame arrived. For one with payload: where the first *room bytes of it go (the rest is dropped); borrowed until
     * payload. An error, with its sentence, closes the channel. */
    int (*frame)(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room);
    /* The payload is complete (called at once for a frame without one). May close the channel. */
    int (*payload)(void *owner, const waitio__frame *f);
    /* The channel has just closed by itself: H3OU__EREFUSED, H3OU__EPEER (also: the other end closed), H3OU__EPROTO or
     * the error of frame or payload; the sentence is recorded. Not called by waitio__channel_close. */
    void (*closed)(void *owner, int code);
} waitio__channel_ops;

typedef struct waitio__channel {
    waitio__source source;
    waitio__hub *hub;
    waitio__link link;
    const waitio__channel_ops *ops;
    void *owner;
    bool is_open, is_connecting, is_deaf, wants_write; /* is_deaf: the other end takes nothing more */
    uint64_t seq_in, seq_out;
    waitio__out *first, *last;
    /* What is arriving. */
    unsigned char head[WAITIO__FRAME];
    unsigned head_got;
    bool in_payload;
    waitio__frame frame;
    uint64_t payload_left, place_left;
    unsigned char *place;
} waitio__channel;

/* Takes link. connecting: it was made by open. ops and owner are borrowed until the channel is closed; the memory of ch
 * must live until the hub's turn ends. */
int waitio__channel_open(waitio__channel *ch, waitio__hub *hub, waitio__link *link, bool connecting,
                         const waitio__channel_ops *ops, void *owner);
/* Drops what is queued (done with an error). */
void waitio__channel_close(waitio__channel *ch);
/* Takes o until its done. Sends at once what the link takes. */
void waitio__channel_send(waitio__channel *ch, waitio__out *o);
/* Sends a frame, and a copy of the payload (f->length bytes; NULL with 0). */
int waitio__channel_send_copy(waitio__channel *ch, const waitio__frame *f, const void *payload);
/* Forgets o, whose memory and payload are about to go: without a trace when no byte of it left, else a copy of the
 * begun piece follows in its place, so that the stream stays whole. Its done is not called. */
int waitio__channel_forget(waitio__channel *ch, waitio__out *o);

#endif
