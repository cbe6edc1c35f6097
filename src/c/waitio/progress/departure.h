/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Departure: what the completion of a request promises. The message's bytes are with the kernel or in the other
 * process's memory, and so are the acknowledgements and permissions to send that the other end of the request waits
 * for. No other process depends on a further call of this one.
 *
 * A send that was copied has its end in the stream to the receiver; a frame that a peer waits for moves the lane's
 * `promised` behind it. While a link takes everything at once, in->hub.is_behind is false and nothing is looked up.
 */
#ifndef WAITIO_PROGRESS_DEPARTURE_H
#define WAITIO_PROGRESS_DEPARTURE_H

#include "waitio/message/peer.h"

/* Sends the frames that were gathered, and the acknowledgements that peers wait for. Does not block. */
void waitio__departure_begin(waitio__instance *in);
static inline void waitio__departure_deliver(waitio__instance *in)
{
    if (in->waiting.dirty || in->waiting.owing)
        waitio__departure_begin(in);
}

enum waitio__departure { WAITIO__LEFT, WAITIO__LEAVING, WAITIO__STRANDED /* the peer has gone: it will never leave */ };
/* Returns whether the bytes before position `end` of the stream to p have left. p NULL: there are none, so they have.
 */
enum waitio__departure waitio__departure_of(const waitio__peer *p, uint64_t end);
/* Returns whether a complete request may be reported: what its completion promises is true, or will never be. */
bool waitio__departure_is_over(const waitio__request *r);
/* Makes a complete send an error if its bytes can never leave (WAITIO__STRANDED). */
void waitio__departure_judge(waitio__request *r);
/* The same as waitio__departure_deliver for the current instance, if there is one: for a caller whose model computes
 * next. */
#pragma GCC visibility push(default)
void waitio__departure_of_current(void);
#pragma GCC visibility pop
/* Computes in->hub.is_behind from the state of every lane. */
void waitio__departure_review(waitio__instance *in);

#endif
