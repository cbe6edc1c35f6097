/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the messages of an exchange (message_form.h) from what is put. */
#ifndef H3OU_COUPLER_EXCHANGE_PACK_MESSAGE_H
#define H3OU_COUPLER_EXCHANGE_PACK_MESSAGE_H

#include "coupler/exchange/interval_statistic.h"
#include "coupler/message/message_form.h"

/* Returns whether each partner gets the slice of its member. Then all components of a slice follow one another in a sample. */
static inline bool h3ou__message_is_slice(const h3ou__outgoing *o)
{
    return o->plan->place && o->var->members.is_own;
}

/* Returns how many rows the messages have for each component. */
static inline int h3ou__message_rows(const h3ou__outgoing *o)
{
    return h3ou__message_is_slice(o) ? o->var->layer : o->layer * o->slices;
}

/* Says which shares the messages that are made next have; is_now: those of what is sent at once, which are not kept. */
void h3ou__choose_shares(const h3ou__outgoing *o, const h3ou__sample *s, bool is_now);
/* Writes the message of partner k, whose head has the mark and the state already. */
void h3ou__pack_message(const h3ou__outgoing *o, const h3ou__sample *s, int k, double *message);
/* Returns whether h3ou__pack_message sets the values of cells with share 0 to 0: in rows of double that are sent as
 * they are, with shares that its receiver does not keep. */
bool h3ou__message_is_cleared(const h3ou__outgoing *o, const h3ou__sample *s, int k);
/* Returns whether the values of a sample are sent as they are. */
bool h3ou__sample_is_plain(const h3ou__sample *s);
/* Returns one value of a sample: of the cell of the row that begins at `start` (h3ou__sample_row). */
double h3ou__sample_value(const h3ou__sample *s, int64_t start, int64_t cell);
/* Returns where a row of one component begins in a sample: its rows are the layers of the first slice, then those of
 * the next. */
int64_t h3ou__sample_row(const h3ou__outgoing *o, int component, int row);

#endif
