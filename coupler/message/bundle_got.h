/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The receiver's end of a bundle (bundle_sent.h). Its fields take their parts when they want them; what was not taken when the next
 * message is awaited is copied aside, so that a field may be ahead of the others by any number of exchanges.
 */
#ifndef H3OU_COUPLER_MESSAGE_BUNDLE_GOT_H
#define H3OU_COUPLER_MESSAGE_BUNDLE_GOT_H

#include "comm/message_ring.h"
#include "coupler/message/bundle_plan.h"

typedef struct h3ou__bundle_got h3ou__bundle_got;

/* Makes the end, for a plan that is borrowed until the call returns. */
int h3ou__bundle_got_create(const h3ou__config *config, const h3ou__bundle_plan *plan, h3ou__bundle_got **out);
/* Allowed when no receive is posted any more, or after the world was closed. NULL allowed. */
void h3ou__bundle_got_free(h3ou__bundle_got *b);

/* Returns whether the next message of a field is there. */
bool h3ou__bundle_got_has(const h3ou__bundle_got *b, int field);
/* Posts the receive of the next message, unless it is posted. */
int h3ou__bundle_got_post(h3ou__bundle_got *b);
/* Copies aside what was not taken, and sets *req to the request that is to be completed before h3ou__bundle_got_arrive. */
int h3ou__bundle_got_expect(h3ou__bundle_got *b, h3ou__req *req);
/* Finds the parts of the message that came with that request, and posts the next receive. H3OU__EPROTO. */
int h3ou__bundle_got_arrive(h3ou__bundle_got *b, const h3ou__req *req);
/* Returns the next message of a field, which is there, and sets *numbers to its length. It stays until h3ou__bundle_got_release of the
 * field, or its next h3ou__bundle_got_take. */
const double *h3ou__bundle_got_take(h3ou__bundle_got *b, int field, int64_t *numbers);
/* Says that the message that a field took is not read any more. */
void h3ou__bundle_got_release(h3ou__bundle_got *b, int field);

#endif
