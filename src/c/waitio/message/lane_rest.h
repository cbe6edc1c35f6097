/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resting: the two ends of a lane agree to close its connection, and connect again for the next message. So a process
 * can exchange messages with more peers than it may have connections.
 */
#ifndef WAITIO_MESSAGE_LANE_REST_H
#define WAITIO_MESSAGE_LANE_REST_H

#include "waitio/message/lane.h"

/* Handles a REST frame of the peer. H3OU__EPROTO. */
int waitio__lane_heard_rest(waitio__lane *l, const waitio__frame *f);
/* Asks the least recently used lane to rest while there are more connections than WAITIO_MAX_CONNECTIONS. */
void waitio__lanes_rest_excess(waitio__instance *in);
/* The connection has been closed by agreement. Connects again if something waits to leave. */
void waitio__lane_rested(waitio__lane *l);
/* The peer was asked to rest and does not: sends what has waited for its answer, also data of messages that the peer
 * took meanwhile. */
void waitio__lane_stay_awake(waitio__lane *l);

#endif
