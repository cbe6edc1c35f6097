/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How values travel between jobs. Predefined types, and contiguous types and duplicates of them, are bytes as they stand; others are packed by the
 * job's MPI, to the same bytes without gaps. A job with the other byte order is unlike: values travel with the most significant byte first
 * (value_order.h), in the sizes that they have in memory.
 */
#ifndef H3OU_UNIVERSE_PACKING_PACKING_H
#define H3OU_UNIVERSE_PACKING_PACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "universe/world/hub.h"

#pragma GCC visibility push(hidden)
/* Returns whether the values of consecutive elements stand one behind the other, in the order in which they travel. size: out, bytes of one
 * element in memory without gaps, for every type; negative: there is no such type. */
bool universe_type_is_bytes(abi_Datatype type, abi_Count *size);

/* These return 0 or an error of the hub, without calling an error handler. */

int universe_type_extent(abi_Datatype type, abi_Aint *extent);
/* bytes: out, how many `count` elements take when they travel. */
int universe_packed_size(abi_Count count, abi_Datatype type, bool is_unlike, int64_t *bytes);
/* Packs to `bytes` bytes, which is what universe_packed_size said. */
int universe_pack(const void *buf, abi_Count count, abi_Datatype type, bool is_unlike, void *to, int64_t bytes);
/* Unpacks `bytes` bytes, which may be fewer than `count` elements take: the rest of buf stays as it is. */
int universe_unpack(const void *from, int64_t bytes, void *buf, abi_Count count, abi_Datatype type, bool is_unlike);
#pragma GCC visibility pop

#endif
