/* SPDX-License-Identifier: BSD-3-Clause */
/* Which algorithm a call takes. */
#ifndef H3OU_COLL_SELECT_H
#define H3OU_COLL_SELECT_H

#include "coll/schedule/cost.h"

#pragma GCC visibility push(default)
/* Sets the machine of predictions, copied, for calls of this process from now on, unless the environment describes one. All
 * members set the same one between the same two collective calls. */
void h3ou__coll_set_machine(const h3ou__machine *machine);
/* Sets *out to the algorithm that the environment names for the operation (H3OU_COLL_BCAST and so on, "NAME" or
 * "NAME:BYTES" with the bytes of a segment, which are set in call->segment), if it can do the call. Else to the one of
 * the least predicted time, and call->segment to its best, on the machine that the environment describes
 * (H3OU_COLL_MODEL) or h3ou__coll_set_machine was given, or to the usual one for so many members and bytes, else the first in the table; of those that can and keep the order that is needed, which the
 * environment's need not unless call->must_keep. The first choice in this process for an operation and a class of sizes (a power of 4 of
 * bytes) is logged. H3OU__EENV when a variable is wrong. */
int h3ou__coll_select(h3ou__call *call, const h3ou__algorithm **out);
/* Selects, and builds the schedule. *out is empty after an error. name: the algorithm's, may be NULL. */
int h3ou__coll_build(h3ou__call *call, h3ou__schedule *out, const char **name);
#pragma GCC visibility pop

#endif
