/* SPDX-License-Identifier: BSD-3-Clause */
/* A link over which everything is encrypted (libsodium, XChaCha20-Poly1305 as in its secret streams): records of a
 * length, the encrypted bytes and their tag, numbered on both sides, so that none is lost, doubled, reordered or
 * changed unnoticed.
 */
#ifndef WAITIO_IDENTITY_ENCRYPTED_LINK_H
#define WAITIO_IDENTITY_ENCRYPTED_LINK_H

#include "waitio/conduit/conduit.h"
#include "waitio/identity/secret.h"
#include "waitio/stream/memory.h"

/* Most bytes that one record carries; both ends of a link use the same. A link of short records needs 13 KB of memory
 * instead of 99 KB, and never holds decrypted bytes back, so that the poller suffices and the hub need not poll the
 * link in each turn. */
enum { WAITIO__ENCRYPTED_LONG = 32768, WAITIO__ENCRYPTED_SHORT = 4096 };

/* Replaces *link by an encrypted one, which owns the given one from then on. Borrows memory. On an error *link is as
 * before. */
int waitio__encrypted_link_wrap(waitio__link *link, size_t most, const waitio__key *out, const waitio__key *in,
                                waitio__memory *memory);

#endif
