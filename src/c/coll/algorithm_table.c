/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/algorithm_table.h"

#include <stddef.h>

#include "coll/alltoall/alltoall.h"
#include "coll/bcast/bcast.h"
#include "coll/gather/gather.h"
#include "coll/reduce/reduce.h"

const h3ou__algorithm *const h3ou__algorithm_table[] = {
    &h3ou__bcast_binomial,
    &h3ou__bcast_linear,
    &h3ou__bcast_chain,
    &h3ou__bcast_pipeline,
    &h3ou__bcast_binary,
    &h3ou__bcast_split_binary,
    &h3ou__bcast_trinary_x3,
    &h3ou__bcast_trinary_x6,
    &h3ou__bcast_bintree_3d,
    &h3ou__bcast_bintree_6d,
    &h3ou__bcast_scatter_allgather,
    &h3ou__reduce_binomial,
    &h3ou__reduce_binary,
    &h3ou__reduce_pipeline,
    &h3ou__reduce_linear,
    &h3ou__allreduce_reduce_bcast,
    &h3ou__allreduce_doubling,
    &h3ou__allreduce_rabenseifner,
    &h3ou__allreduce_ring,
    &h3ou__allreduce_linear,
    &h3ou__reduce_scatter_halving,
    &h3ou__reduce_scatter_ring,
    &h3ou__reduce_scatter_linear,
    &h3ou__scan_doubling,
    &h3ou__scan_pipeline,
    &h3ou__gather_linear,
    &h3ou__gather_binomial,
    &h3ou__scatter_linear,
    &h3ou__scatter_binomial,
    &h3ou__allgather_bruck,
    &h3ou__allgather_doubling,
    &h3ou__allgather_ring,
    &h3ou__allgather_linear,
    &h3ou__alltoall_double_spread,
    &h3ou__alltoall_simple_spread,
    &h3ou__alltoall_pairwise,
    &h3ou__alltoall_linear,
    &h3ou__barrier_dissemination,
    NULL,
};
