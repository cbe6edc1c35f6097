/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process does with the frames that arrive on a lane. */
#ifndef WAITIO_INCOMING_H
#define WAITIO_INCOMING_H

#include "waitio/inbox.h"
#include "waitio/lane.h"

/* The owner of both is a waitio__lane. */
int waitio__incoming_frame(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room);
int waitio__incoming_payload(void *owner, const waitio__frame *f);

#endif
