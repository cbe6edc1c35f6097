/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which shares leave. Mostly those of a field stay the same, as those of a land mask: then they are sent twice, the second time for the
 * receiver to keep them, and the messages that follow have values only (message_form.h).
 */
#ifndef H3OU_COUPLER_EXCHANGE_SENT_SHARES_H
#define H3OU_COUPLER_EXCHANGE_SENT_SHARES_H

#include "coupler/exchange/interval_statistic.h"

/* Of the messages to one partner. */
typedef struct h3ou__sent_shares {
    int64_t number;       /* of the shares of the message that is made (h3ou__sample); 0: it has none, or nobody knows */
    int64_t last, kept;   /* numbers of those sent last, and of those that the receiver keeps; 0: none */
    bool is_same;         /* the message has no shares: the receiver keeps them */
    int64_t (*gone)[2];   /* [ngone] cells of the message with share 0: the first of those that follow one another, and how many */
    int64_t ngone, room;
    int64_t gone_number;  /* of the shares of that list; 0: there is none */
} h3ou__sent_shares;

/* Allocates o->shares. */
int h3ou__sent_shares_create(h3ou__outgoing *o);
void h3ou__sent_shares_free(h3ou__outgoing *o);
/* Finds for each partner whether the message of this sample needs shares. s: NULL of messages without values; is_now: of what is sent at
 * once, whose shares are not kept. */
void h3ou__sent_shares_choose(h3ou__outgoing *o, const h3ou__sample *s, bool is_now);
/* Says in the head of message k what was chosen, and takes it as sent. */
void h3ou__sent_shares_mark(h3ou__outgoing *o, int k, double *message);
/* Sets the values of cells with share 0 to 0 in message k, which has those of o->layer rows as they were put, with the shares s->share. */
void h3ou__sent_shares_clear(h3ou__outgoing *o, const h3ou__sample *s, int k, double *message);

#endif
