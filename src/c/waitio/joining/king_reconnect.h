/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link between a King and the master has broken. Has the job died, or only the link? It has died when its refusal
 * of a connection proves that (refusal.h); who can be reached, or cannot be reached at all for the moment, is given as
 * long as patience lasts. The King makes the link again; the master knocks at the King's ear meanwhile. A master that
 * leaves has closed its gate, so that the next run can have the port: the King calls at its ear, too.
 */
#ifndef WAITIO_JOINING_KING_RECONNECT_H
#define WAITIO_JOINING_KING_RECONNECT_H

#include "waitio/joining/king_link.h"

void waitio__king_reconnect_begin(waitio__king_link *k);
void waitio__king_reconnect_tick(waitio__king_link *k, double now);
/* No longer lost, or about to be freed. */
void waitio__king_reconnect_end(waitio__king_link *k);

/* Takes link: a King has called at the master's gate or ear, and greeted by g. */
void waitio__king_reconnect_arrived(waitio__instance *in, const waitio__greeting *g, const waitio__greet *king,
                                    waitio__link *link);

#endif
