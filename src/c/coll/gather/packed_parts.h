/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an allgather in one piece, from a member's on and round to the one before it. */
#ifndef H3OU_COLL_GATHER_PACKED_PARTS_H
#define H3OU_COLL_GATHER_PACKED_PARTS_H

#include "coll/schedule/algorithm.h"

typedef struct h3ou__packed_parts {
    const h3ou__call *call;
    int first;     /* the member whose part comes first */
    int64_t *at;   /* [size + 1] where each part begins, in bytes; NULL: parts of equal size */
    int64_t total; /* bytes */
} h3ou__packed_parts;

/* Memory grows with the number of members if the parts have different sizes. Returns an error of memory. */
int h3ou__packed_open(const h3ou__call *call, int first, h3ou__packed_parts *p);
/* Returns where the i-th part begins, counted from the first; of i = size, where the last one ends. */
int64_t h3ou__packed_at(const h3ou__packed_parts *p, int i);
/* Copies all parts to their places in the output. */
void h3ou__packed_unpack(const h3ou__packed_parts *p, h3ou__span from, h3ou__schedule *out);
void h3ou__packed_close(h3ou__packed_parts *p);

#endif
