/* SPDX-License-Identifier: BSD-3-Clause */
/* What a connection does with the frames that arrive on it. */
#ifndef WAITIO_INCOMING_H
#define WAITIO_INCOMING_H

#include "waitio/channel.h"
#include "waitio/connection.h"

extern const waitio__channel_ops waitio__incoming; /* owner: a waitio__conn */
/* r will not take the payload that is arriving for it: the rest is dropped. */
void waitio__incoming_let_go(waitio__conn *c, waitio__request *r);

#endif
