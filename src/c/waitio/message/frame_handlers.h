/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process does with the frames that arrive on a lane. */
#ifndef WAITIO_MESSAGE_FRAME_HANDLERS_H
#define WAITIO_MESSAGE_FRAME_HANDLERS_H

#include "waitio/message/lane.h"
#include "waitio/stream/inbox.h"

/* The owner of all is a waitio__lane. */
int waitio__incoming_frame(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room);
int waitio__incoming_payload(void *owner, const waitio__frame *f);
/* The usual message: short, and here in one piece. */
bool waitio__incoming_whole(void *owner, const waitio__frame *f, const unsigned char *payload, int *code);

#endif
