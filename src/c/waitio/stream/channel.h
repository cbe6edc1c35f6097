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
    /* The link has just broken, or the stream is wrong, and the channel has detached it: H3OU__EPEER (also: the other
     * end closed), H3OU__EPROTO or the error of an op; the sentence is recorded. Not called by _detach and _free. */
    void (*broken)(void *owner, int code);
    /* NULL, or: the outbox has room for more; puts or lends the next frame. False: there is none. */
    bool (*more)(void *owner);
    void (*done)(void *item, int code); /* of what was lent */
} waitio__channel_ops;

typedef struct waitio__channel {
    waitio__source source;
    waitio__hub *hub;
    const waitio__channel_ops *ops;
    void *owner;
    waitio__link link;
    waitio__outbox out;
    waitio__inbox in;
    bool has_link, is_deaf, is_flushing; /* is_deaf: writing failed, the peer takes nothing more */
    bool is_freed, is_last;              /* is_last: what lies behind `last` does not leave by this link */
    bool saw_end; /* the last link ended as a process's end ends it, not by an error on the way */
    uint64_t last;
} waitio__channel;

/* ops and owner are borrowed until free; the memory of ch must live until the hub's turn ends. */
void waitio__channel_init(waitio__channel *ch, waitio__hub *hub, const waitio__channel_ops *ops, void *owner,
                          bool retains);
/* Takes link, which stands. What is in the outbox leaves. */
int waitio__channel_attach(waitio__channel *ch, waitio__link *link);
/* Closes the link; the stream can go on over another. */
void waitio__channel_detach(waitio__channel *ch);
void waitio__channel_free(waitio__channel *ch, int code);
/* What is put from now on waits for the next link. */
void waitio__channel_conclude(waitio__channel *ch);
/* Copies a frame with its payload, and sends at once what the link takes. */
int waitio__channel_send(waitio__channel *ch, const waitio__frame *f, const void *payload);
/* Puts it beside what leaves with the next flush. */
int waitio__channel_put(waitio__channel *ch, const waitio__frame *f, const void *payload);
int waitio__channel_lend(waitio__channel *ch, const waitio__frame *f, const void *payload, void *item);
void waitio__channel_flush(waitio__channel *ch);
/* Reads what has arrived, without asking the poller. True: something had. */
bool waitio__channel_poll(waitio__channel *ch);
/* Blocks for a millisecond or two in reading from the link, if its conduit can. True: something arrived. */
bool waitio__channel_read_blocking(waitio__channel *ch);
/* Bytes that have not left this process, whether the link has taken them or not. */
uint64_t waitio__channel_waiting(const waitio__channel *ch);
/* Nothing waits to leave (or, of one that retains, to be acknowledged). */
bool waitio__channel_is_empty(const waitio__channel *ch);

#endif
