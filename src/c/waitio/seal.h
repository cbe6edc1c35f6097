/* SPDX-License-Identifier: BSD-3-Clause */
/* A link over which everything is encrypted (libsodium, XChaCha20-Poly1305 in a secret stream's manner): records of a
 * length, the sealed bytes and their tag, numbered on both sides, so that none is lost, doubled, reordered or changed.
 */
#ifndef WAITIO_SEAL_H
#define WAITIO_SEAL_H

#include "waitio/conduit.h"
#include "waitio/memory.h"
#include "waitio/secret.h"

/* Replaces *link by the sealed one, which owns it from then on. Borrows memory. On an error *link is as before. */
int waitio__seal(waitio__link *link, const waitio__key *out, const waitio__key *in, waitio__memory *memory);

#endif
