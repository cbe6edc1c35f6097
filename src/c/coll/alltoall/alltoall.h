/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of alltoall. All have two steps for each member. */
#ifndef H3OU_COLL_ALLTOALL_ALLTOALL_H
#define H3OU_COLL_ALLTOALL_ALLTOALL_H

#include "coll/schedule/algorithm.h"

extern const h3ou__algorithm h3ou__alltoall_linear, h3ou__alltoall_pairwise, h3ou__alltoall_simple_spread,
    h3ou__alltoall_double_spread;

/* Add the copy of my own part; the messages to the member `distance` ranks after me, and from the one as far before me.
 */
void h3ou__alltoall_own(const h3ou__call *call, h3ou__schedule *out);
void h3ou__alltoall_exchange(const h3ou__call *call, int distance, h3ou__schedule *out);

#endif
