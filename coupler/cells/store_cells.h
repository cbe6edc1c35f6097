/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a message some values at a time, which were made in the first cache, for another process. */
#ifndef H3OU_COUPLER_CELLS_STORE_CELLS_H
#define H3OU_COUPLER_CELLS_STORE_CELLS_H

#include <stddef.h>

#include "coupler/cells/store_way.h"

typedef struct h3ou__cell_store {
    h3ou__store_way *way; /* of messages that are made alike; NULL: this one is not measured */
    int64_t bytes;        /* of the whole message */
    double begin; /* h3ou__now */
    bool is_past; /* the values go past the caches */
} h3ou__cell_store;

/* Begins a message of so many bytes. A long one stays in no cache until its receiver reads it; of one that fits there
 * the way is measured; a short one goes through the caches. way: borrowed. */
void h3ou__cell_store_begin(h3ou__cell_store *s, h3ou__store_way *way, int64_t bytes);
/* Copies values, of double or float, to their place. */
void h3ou__cell_store_copy(const h3ou__cell_store *s, size_t bytes, const void *from, void *to);
/* What is written after this is seen after the message. */
void h3ou__cell_store_end(h3ou__cell_store *s);

/* So many values are made in room of their own, in the first cache, before they are stored past the caches. */
enum { H3OU__STORED = 512 };
/* Stores values past the caches, as far as they fill lines of memory; the caller ends it by end_lines (line_values.h).
 */
void h3ou__store_past(size_t bytes, const void *from, void *to);

#endif
