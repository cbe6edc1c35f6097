/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream of frames in both directions, over one link after another: the outbox, the inbox and the present link.
 * Frames leave as the link takes them, many in one system call.
 */
#ifndef WAITIO_STREAM_CHANNEL_H
#define WAITIO_STREAM_CHANNEL_H

#include "waitio/stream/event_hub.h"
#include "waitio/stream/inbox.h"
#include "waitio/stream/outbox.h"

enum { WAITIO__SEGMENT = 256 * 1024 };

typedef struct waitio__channel_ops {
    waitio__inbox_ops in;
    /* Called when the link has broken or the stream is wrong, after the channel has detached it: H3OU__EPEER (also: the
     * other end closed), H3OU__EPROTO or the error of an op; the sentence is recorded. Not called by _detach and _free.
     */
    void (*broken)(void *owner, int code);
    /* NULL, or: called when the outbox has room; puts or lends the next frame, or returns false if there is none. */
    bool (*more)(void *owner);
    void (*done)(void *item, int code); /* called when a payload that was lent is free again */
} waitio__channel_ops;

typedef struct waitio__channel {
    waitio__source source;
    waitio__hub *hub;
    const waitio__channel_ops *ops;
    void *owner;
    waitio__link link;
    waitio__outbox out;
    waitio__inbox in;
    bool has_link, is_deaf, is_flushing; /* is_deaf: writing failed, the peer reads nothing more */
    bool is_freed, is_last;              /* is_last: bytes behind position `last` do not leave by this link */
    bool saw_end; /* the last link was closed in order, as the end of a process does it, not by an error on the way */
    uint64_t last;
} waitio__channel;

/* ops and owner are borrowed until free; the memory of ch must live until the hub's turn ends. */
void waitio__channel_init(waitio__channel *ch, waitio__hub *hub, const waitio__channel_ops *ops, void *owner,
                          bool retains);
/* Takes link, which is established. Bytes in the outbox begin to leave. */
int waitio__channel_attach(waitio__channel *ch, waitio__link *link);
/* Closes the link; the stream can continue over another one. */
void waitio__channel_detach(waitio__channel *ch);
void waitio__channel_free(waitio__channel *ch, int code);
/* Bytes that are put from now on wait for the next link. */
void waitio__channel_conclude(waitio__channel *ch);
/* Copies a frame with its payload to the outbox, and sends at once as much as the link takes. */
int waitio__channel_send(waitio__channel *ch, const waitio__frame *f, const void *payload);
/* Copies a frame to the outbox; it leaves with the next flush. */
int waitio__channel_put(waitio__channel *ch, const waitio__frame *f, const void *payload);
int waitio__channel_lend(waitio__channel *ch, const waitio__frame *f, const void *payload, void *item);
void waitio__channel_flush(waitio__channel *ch);
/* Reads what has arrived, without asking the poller. Returns whether something had. */
bool waitio__channel_poll(waitio__channel *ch);
/* Blocks for a millisecond or two in reading from the link, if its conduit can. Returns whether something arrived. */
bool waitio__channel_read_blocking(waitio__channel *ch);
/* Returns how many bytes have not left this process, whether the link has taken them or not. */
uint64_t waitio__channel_waiting(const waitio__channel *ch);
/* Returns whether no byte waits to leave or, if the outbox retains, to be acknowledged. */
bool waitio__channel_is_empty(const waitio__channel *ch);

#endif
