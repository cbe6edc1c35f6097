/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/world/topology.h"

#include <stdlib.h>
#include <string.h>

/* A topology and its arrays are one piece of memory; `used` numbers have been given out. */
typedef struct block {
    universe_topology topology;
    int64_t used;
    int numbers[];
} block;

universe_topology *universe_topology_new(int kind, int64_t numbers)
{
    block *b = calloc(1, sizeof *b + (size_t)numbers * sizeof(int));
    if (!b)
        return NULL;
    b->topology.kind = kind;
    b->topology.refs = 1;
    return &b->topology;
}

int *universe_topology_array(universe_topology *t, int count, const int *from)
{
    block *b = (block *)t;
    int *array = b->numbers + b->used;
    b->used += count;
    if (from && count > 0)
        memcpy(array, from, (size_t)count * sizeof *array);
    return array;
}

void universe_topology_hold(universe_topology *t)
{
    if (t)
        __atomic_add_fetch(&t->refs, 1, __ATOMIC_RELAXED);
}

void universe_topology_drop(universe_topology *t)
{
    if (t && __atomic_sub_fetch(&t->refs, 1, __ATOMIC_RELAXED) == 0)
        free(t);
}
