/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of the reductions, and of the barrier, which is one without data. */
#ifndef H3OU_COLL_REDUCE_REDUCE_H
#define H3OU_COLL_REDUCE_REDUCE_H

#include "coll/schedule/algorithm.h"

extern const h3ou__algorithm h3ou__reduce_linear, h3ou__reduce_pipeline, h3ou__reduce_binary, h3ou__reduce_binomial,
    h3ou__allreduce_reduce_bcast, h3ou__barrier_dissemination, h3ou__allreduce_doubling, h3ou__allreduce_rabenseifner,
    h3ou__allreduce_ring, h3ou__allreduce_linear, h3ou__reduce_scatter_linear, h3ou__reduce_scatter_ring,
    h3ou__reduce_scatter_halving, h3ou__scan_pipeline, h3ou__scan_doubling;

#endif
