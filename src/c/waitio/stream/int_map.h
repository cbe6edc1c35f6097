/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse table from an int >= 0 to a pointer: as large as what is in it, whatever the numbers. */
#ifndef WAITIO_STREAM_INT_MAP_H
#define WAITIO_STREAM_INT_MAP_H

#include "waitio/stream/memory.h"

typedef struct waitio__int_map {
    int used, room; /* room: 0 or a power of two */
    struct waitio__int_map_slot {
        int key; /* -1: free */
        void *value;
    } * slot;
} waitio__int_map;

void *waitio__int_map_get(const waitio__int_map *m, int key); /* NULL: not there */
int waitio__int_map_put(waitio__int_map *m, int key, void *value, waitio__memory *memory);
void waitio__int_map_free(waitio__int_map *m, waitio__memory *memory);

#endif
