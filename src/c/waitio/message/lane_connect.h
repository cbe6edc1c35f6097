/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a lane gets its connection: attempts over one route after another, the greeting at both ends, and what becomes of
 * an attempt that fails or is not answered. A circle with lane.c, which begins a new attempt when a connection breaks.
 */
#ifndef WAITIO_MESSAGE_LANE_CONNECT_H
#define WAITIO_MESSAGE_LANE_CONNECT_H

#include "waitio/message/lane.h"

extern const double waitio__lane_first_pause; /* s, between the first two attempts; it grows */

/* Begins to connect the lane unless it has a connection or an attempt is under way. */
void waitio__lane_connect(waitio__lane *l);
/* Begins an attempt with the first route. */
void waitio__lane_attempt(waitio__lane *l);
/* Drops the attempt under way if the peer has not answered it in time, unless the peer may take it yet. */
void waitio__lane_check_attempt(waitio__lane *l, double now);
/* Callback of the listening sockets for messages: takes ownership of an accepted link. */
void waitio__lane_accept(void *instance, waitio__link *link);

#endif
