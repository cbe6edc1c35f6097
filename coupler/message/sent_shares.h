/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which shares the messages of a field to one partner have. Mostly those of a field stay the same, as those of a land
 * mask: then they are sent twice, the second time for the receiver to keep them, and the messages that follow have
 * values only (message_form.h). Where they were others each time, as those of sea ice, the messages that follow have
 * them beside the values, until they stay again, or a value that counts is NaN: a receiver may have to look for that.
 */
#ifndef H3OU_COUPLER_MESSAGE_SENT_SHARES_H
#define H3OU_COUPLER_MESSAGE_SENT_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/cells/pack_cells.h"

typedef struct h3ou__sent_shares {
    int64_t number;     /* of the shares of the message that is made, one for equal ones; 0: unknown, or none */
    bool are_kept;      /* the receiver keeps these, and the message has none */
    bool are_paired;    /* the message has these beside the values */
    int others;         /* messages in turn with other shares than the one before, and no NaN that counts; counted to
                           the number from which shares are paired */
    int64_t last, kept; /* numbers of those sent last, and of those that the receiver keeps; 0: none */
    int64_t (*gone)[2]; /* [ngone] cells of the message with share 0: the first of those that follow one another, and
                           how many */
    int64_t ngone, room;
    int64_t gone_number; /* of the shares of that list; 0: there is none */
} h3ou__sent_shares;

/* How the values of a message stand. */
typedef struct h3ou__value_form {
    bool is_single, is_turned; /* h3ou__message_has_singles, h3ou__message_is_turned */
    int64_t rows;
} h3ou__value_form;

void h3ou__sent_shares_free(h3ou__sent_shares *shares); /* frees the list, not shares */
/* Begins a message: finds whether it needs its shares, and whether they stand beside the values, if these can be
 * paired. */
void h3ou__sent_shares_begin(h3ou__sent_shares *shares, int64_t number, bool can_pair);
/* Says in the head of the message, if it has state H3OU__SHARED, what the receiver does about shares, and takes it as
 * sent. Not called for what is sent at once. */
void h3ou__sent_shares_mark(h3ou__sent_shares *shares, double *message);
/* Sets the values of cells with share 0 to 0 in a message that has them as they were put. share: of the sender's cells,
 * by places of `cells`. */
void h3ou__sent_shares_clear(h3ou__sent_shares *shares, const h3ou__picked *cells, const h3ou__value_form *form,
                             const double *share, double *message);

#endif
