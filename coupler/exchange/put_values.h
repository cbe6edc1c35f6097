/* SPDX-License-Identifier: BSD-3-Clause */
/* The values and the shares that put copies from the model's arrays. */
#ifndef H3OU_COUPLER_EXCHANGE_PUT_VALUES_H
#define H3OU_COUPLER_EXCHANGE_PUT_VALUES_H

#include "coupler/exchange/outgoing.h"

/* Returns whether values may be added to the sums while they are copied: put does nothing later that could refuse or
 * change them. */
bool h3ou__put_values_add_at_once(const h3ou__outgoing *o);
/* Sets o->newest, o->share and what says which of both there are. step: seconds of the step with whose weight the
 * values are added to the sums, too; 0: they are not. Where *is_kept is false they are added only; it is
 * set where they are in newest all the same, since the field's first NaN is looked for there. H3OU__ESIZE when the
 * arrays do not fit the grid and the layers, H3OU__EARG for a share outside 0 to 1; then nothing has been added. */
int h3ou__put_values_copy(h3ou__outgoing *o, const h3ou__arrays *given, double step, bool *is_kept);
/* Sets o->share and o->has_share only. */
int h3ou__put_values_copy_share(h3ou__outgoing *o, const h3ou__arrays *given);
/* Returns the value of such arrays that is taken as NaN; NaN: none is. */
double h3ou__put_values_missing(const h3ou__outgoing *o, const h3ou__arrays *given);
/* Sets o->newest to 0 where the share is 0, in all rows, and o->has_nan. */
void h3ou__put_values_clear(h3ou__outgoing *o);

#endif
