/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of gather, scatter and allgather. */
#ifndef H3OU_COLL_GATHER_GATHER_H
#define H3OU_COLL_GATHER_GATHER_H

#include "coll/schedule/algorithm.h"

extern const h3ou__algorithm h3ou__gather_linear, h3ou__gather_binomial, h3ou__scatter_linear, h3ou__scatter_binomial,
    h3ou__allgather_linear, h3ou__allgather_ring, h3ou__allgather_doubling, h3ou__allgather_bruck;

#endif
