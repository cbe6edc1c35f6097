/* SPDX-License-Identifier: BSD-3-Clause */
/* The other components that this process opened: what they send when a call of one of them waits. */
#ifndef H3OU_COUPLER_SIBLINGS_H
#define H3OU_COUPLER_SIBLINGS_H

#include "coupler/coupler.h"

/* Lets the others send the exchanges of `in` that a call at `now` awaits, as far as their steps have come: their own next
 * set_time would send them, but cannot be called meanwhile. takes: the call is a get, else set_time, which receives those that
 * are over. */
int h3ou__siblings_send_ahead(const h3ou__coupler *c, const h3ou__incoming *in, h3ou__rational now, bool takes);
/* Lets them send what is complete, too: another process may wait for it before it sends what the call awaits. */
int h3ou__siblings_send_complete(const h3ou__coupler *c, h3ou__rational now, bool takes);
/* Both, of all that my component gets, before set_time. */
int h3ou__siblings_send_all_ahead(const h3ou__coupler *c, h3ou__rational now);
/* Fails because the exchanges were not planned before a step. */
int h3ou__siblings_fail_unplanned(const h3ou__coupler *c, const char *call);

#endif
