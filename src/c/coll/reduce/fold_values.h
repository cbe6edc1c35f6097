/* SPDX-License-Identifier: BSD-3-Clause */
/* The first and the last step of reductions over folded members. */
#ifndef H3OU_COLL_REDUCE_FOLD_VALUES_H
#define H3OU_COLL_REDUCE_FOLD_VALUES_H

#include "coll/schedule/folded_members.h"

/* Copies the input to `value`, of `bytes`, and combines there the values of my pair. temporary: as long, for a member
 * that acts. Returns false if another one acts for me, which has my value now. */
bool h3ou__fold_values(const h3ou__fold *fold, h3ou__span value, h3ou__span temporary, int64_t bytes,
                       h3ou__schedule *out);
/* Gives the result, in the output, to the other one of my pair, or receives it. */
void h3ou__fold_return(const h3ou__fold *fold, int64_t bytes, h3ou__schedule *out);

#endif
