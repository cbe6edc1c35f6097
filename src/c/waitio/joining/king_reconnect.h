/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link between a King and the master has broken. Has the job died, or only the link? The job has died when its
 * refusal of a connection proves that (refusal.h). While a King can be reached, or cannot be reached at all for
 * the moment, the link is tried again until patience ends. The King makes the link again; meanwhile the master probes
 * whether the King's socket for messages accepts connections. A master that is leaving has closed its sockets for
 * Kings, so that the next run can have the port; a King therefore tries the master's socket for messages, too.
 */
#ifndef WAITIO_JOINING_KING_RECONNECT_H
#define WAITIO_JOINING_KING_RECONNECT_H

#include "waitio/joining/king_link.h"

void waitio__king_reconnect_begin(waitio__king_link *k);
void waitio__king_reconnect_tick(waitio__king_link *k, double now);
/* Stops trying: the link works again, or is about to be freed. */
void waitio__king_reconnect_end(waitio__king_link *k);

/* Called at the master when a King has connected again, after the greeting g. Takes link. */
void waitio__king_reconnect_arrived(waitio__instance *in, const waitio__greeting *g, const waitio__greet *king,
                                    waitio__link *link);

#endif
