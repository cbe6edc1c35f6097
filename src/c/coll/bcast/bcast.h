/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of the broadcast. */
#ifndef H3OU_COLL_BCAST_BCAST_H
#define H3OU_COLL_BCAST_BCAST_H

#include "coll/schedule/algorithm.h"

extern const h3ou__algorithm h3ou__bcast_linear, h3ou__bcast_chain, h3ou__bcast_pipeline, h3ou__bcast_binary,
    h3ou__bcast_split_binary, h3ou__bcast_binomial, h3ou__bcast_trinary_x3, h3ou__bcast_trinary_x6,
    h3ou__bcast_bintree_3d, h3ou__bcast_bintree_6d, h3ou__bcast_scatter_allgather;

#endif
