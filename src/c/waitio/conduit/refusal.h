/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A connection was refused: has the process ended, or does something on the way refuse in its place? A firewall that is
 * being reloaded answers with a reset or with ICMP "port unreachable", as the host of a process that has ended does. It
 * cannot end an established connection in order (FIN): only the other end's host does. See docs/adr/0012.
 */
#ifndef WAITIO_CONDUIT_REFUSAL_H
#define WAITIO_CONDUIT_REFUSAL_H

#include <stdbool.h>

#include "waitio/conduit/conduit.h"

/* s: for so long a refusal after a connection that was reset proves nothing, on this host either. */
extern const double waitio__refusal_grace;

/* Has the process that waited at `at` ended? NULL: it refused by a route on which nothing can do so in its place.
 * was_closed: its last connection here ended as a process's end ends it.
 * seconds: since that connection was reset; negative: there was none. */
bool waitio__refusal_proves(const waitio__conduit_settings *set, const waitio__address *at, bool was_closed,
                            double seconds);

#endif
