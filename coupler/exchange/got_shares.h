/* SPDX-License-Identifier: BSD-3-Clause */
/* The shares of source cells that came in messages: those that a sender says to keep stand for those of messages without (message_form.h). */
#ifndef H3OU_COUPLER_EXCHANGE_GOT_SHARES_H
#define H3OU_COUPLER_EXCHANGE_GOT_SHARES_H

#include "coupler/exchange/incoming.h"

typedef struct h3ou__got_shares {
    double *share;  /* [slot] of the last message that said to keep them */
    bool *has;      /* [partners] there was one */
    int64_t number; /* counts these messages */
} h3ou__got_shares;

/* Returns whether the shares of partner k are kept. */
bool h3ou__got_shares_has(const h3ou__incoming *in, int k);
/* Keeps the shares of the messages that arrived and say so; H3OU__ENOMEM. */
int h3ou__got_shares_keep(h3ou__incoming *in);
/* Returns whether the shares of all messages that arrived are those that are kept. */
bool h3ou__got_shares_are_all(const h3ou__incoming *in);
/* Returns the shares of the cells of message k, or NULL: all count fully. */
const double *h3ou__got_shares_of(const h3ou__incoming *in, int k);
void h3ou__got_shares_free(h3ou__got_shares *got);

#endif
