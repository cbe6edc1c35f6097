/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A long message between two processes of a host, copied once, by both at the same time: the receiver reads the first
 * half from the sender's memory, the sender writes the second half to the receiver's.
 *
 *   sender                            receiver
 *   RTS      ----------------------->
 *            <-----------------------  CTS, REACH: it can; where its buffer is
 *   PULL, where the bytes are ------>  copies the first half
 *   copies the second half
 *   PUSHED   ----------------------->
 *            <-----------------------  PULLED
 *   the send is complete
 *   FIN      ----------------------->  the receive is complete: the bytes were not given up meanwhile
 *
 * Of several messages of up to 256 KiB that are under way, one is read whole by the receiver (no PUSHED), the next
 * written whole by the sender (no PULL, no PULLED), and so on.
 *
 * A sender that cannot write lets the receiver read all. When a copy fails, what is missing is sent as DATA. The frames
 * may travel by several connections, when one rests meanwhile: the receiver may find that by the new one the sender's
 * memory is out of reach, for instance since the sender has closed it already, and replies as if the copy had
 * failed. Before a receive fails, the sender's permission to write to its buffer is revoked (conduit.h).
 */
#ifndef WAITIO_MESSAGE_SINGLE_COPY_H
#define WAITIO_MESSAGE_SINGLE_COPY_H

#include "waitio/message/peer.h"

/* True if the receiver may copy n bytes from the memory of p. */
bool waitio__single_copy_applies(waitio__peer *p, uint64_t n);
/* At the sender: replies to a CTS with REACH. */
int waitio__single_copy_offer(waitio__request *send, const waitio__frame *cts);
/* At the sender: all of the message has left, in whatever way. */
void waitio__single_copy_finish(waitio__request *send);
/* Handle the frames PULL, PULLED, PUSHED and FIN. H3OU__EPROTO. */
int waitio__single_copy_pull(waitio__lane *l, const waitio__frame *f);
int waitio__single_copy_pulled(waitio__lane *l, const waitio__frame *f);
int waitio__single_copy_pushed(waitio__lane *l, const waitio__frame *f);
int waitio__single_copy_done(waitio__lane *l, const waitio__frame *f);

#endif
