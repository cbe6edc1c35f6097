/* SPDX-License-Identifier: BSD-3-Clause */
/* The shares that senders of a field said to keep: they stand for those of later messages without shares
 * (message_form.h). */
#ifndef H3OU_COUPLER_MESSAGE_GOT_SHARES_H
#define H3OU_COUPLER_MESSAGE_GOT_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/plan/plan.h"

typedef struct h3ou__got_shares {
    double *share;  /* [slot] of the last messages that said to keep them; NULL: there was none */
    bool *has;      /* [partners] */
    int64_t number; /* counts these messages */
} h3ou__got_shares;

void h3ou__got_shares_free(h3ou__got_shares *got); /* frees the arrays, not got */
/* Returns whether the shares of partner k are kept. */
bool h3ou__got_shares_has(const h3ou__got_shares *got, int k);
/* Returns whether a message has shares that are to be kept. */
bool h3ou__got_shares_are_new(const double *message);
/* Keeps the shares of the message of partner k, which stand at `share`; H3OU__ENOMEM. */
int h3ou__got_shares_keep(h3ou__got_shares *got, const h3ou__plan *plan, int k, const double *share);
/* Returns whether the messages of all partners say to keep their shares, or have those that are kept. */
bool h3ou__got_shares_are_all(const h3ou__got_shares *got, int npartner, const double *const message[]);
/* Returns the shares of the cells of partner k, or NULL: all count fully. inside: where they stand in a message that
 * has some. */
const double *h3ou__got_shares_of(const h3ou__got_shares *got, const h3ou__plan *plan, int k, const double *message,
                                  const double *inside);

#endif
