/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a value that is added to the sums of its interval is kept by itself, too, in o->newest. A mean needs that
 * only where the last value is sent alone: in an interval in which no step of the sender begins, and at once by
 * h3ou_send_now before the next put. Of a field whose intervals end with a put in their last step, that one is kept,
 * and those before it are not: many layers take a third of a put to write. Each value is kept in the first interval,
 * after one that did not end so, in steps of another length, and for good once an interval did not end so after one
 * that did: then only its own values may be missing.
 */
#ifndef H3OU_COUPLER_EXCHANGE_KEPT_VALUE_H
#define H3OU_COUPLER_EXCHANGE_KEPT_VALUE_H

#include "coupler/exchange/interval_statistic.h"

/* Returns whether what is put now is to be kept. */
bool h3ou__kept_value_is_needed(const h3ou__outgoing *o, const h3ou__clock *clock);
/* Takes note of a put whose value is kept, or only in the sums. */
void h3ou__kept_value_put(h3ou__outgoing *o, const h3ou__clock *clock, bool is_kept);
/* Takes note of the end of an interval. */
void h3ou__kept_value_end(h3ou__outgoing *o);
/* Fails with H3OU__ESTATE where s, which is to be sent, is the value that was put last, and that was not kept. */
int h3ou__kept_value_check(const h3ou__outgoing *o, const h3ou__sample *s);

#endif
