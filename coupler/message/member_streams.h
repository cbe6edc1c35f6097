/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the members of a group send to a component that is coupled with each of them itself (member_plans.h): some
 * members at a time, by ascending number, are received and put together to the statistic (member_statistic.h), on the
 * source cells that this process needs, in the order and with the bits of the tree over the members (family.h). So a
 * process holds the values of some members and a few sums, however many members there are; those of all only for a
 * quantile, and when all are stacked.
 *
 * All processes of the component must agree on whose values count, since a member may be lost after it sent to some of
 * them: a member whose values are missing on one process counts on none, and never again.
 */
#ifndef H3OU_COUPLER_MESSAGE_MEMBER_STREAMS_H
#define H3OU_COUPLER_MESSAGE_MEMBER_STREAMS_H

#include "coupler/config/config.h"
#include "coupler/plan/plan.h"

typedef struct h3ou__member_streams h3ou__member_streams;

/* Borrows all arguments. tag, what: of the messages. H3OU__EUNSUPPORTED for a statistic that would have to be made of a
 * vector's two components, which come as three. */
int h3ou__member_streams_create(h3ou__world *world, const h3ou__config *config, const h3ou__config_var *var,
                                const h3ou__plan *plan, int tag, const char *what, h3ou__member_streams **out);
/* Allowed when no receive is posted any more, or after the world was closed. NULL allowed. */
void h3ou__member_streams_free(h3ou__member_streams *s);
/* Posts the receives of the first members' next exchange, unless they are posted. */
int h3ou__member_streams_post(h3ou__member_streams *s);
/* Waits for the exchange with that mark, and writes to `message` what one process that had all source cells would send
 * (message_form.h). Collective over my component. H3OU__EPEER when too few members are left. */
int h3ou__member_streams_receive(h3ou__member_streams *s, double mark, double *message);
/* Returns the name of the first member that is lost, as all processes of my component agree, or NULL. */
const char *h3ou__member_streams_lost(const h3ou__member_streams *s);
/* Returns how many members took part in the exchange that was received last. */
int h3ou__member_streams_members(const h3ou__member_streams *s);

#endif
