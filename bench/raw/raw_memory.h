/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that two processes of one machine share: what a message costs at least, one copy by the sender. */
#ifndef H3OU_BENCH_RAW_MEMORY_H
#define H3OU_BENCH_RAW_MEMORY_H

#include <stddef.h>

#include "h3ou.h"

typedef struct raw_memory raw_memory;

/* Both call it; `first` of one of them only. most: the bytes of the longer message. Ends the program when it fails. */
raw_memory *raw_memory_open(h3ou_ctx *ctx, const char *other, int first, size_t most);
/* Finds out, by measuring both, whether messages are copied through the caches or past them. Both call it, for the
 * messages that they will swap. */
void raw_memory_tune(raw_memory *m, const void *out, size_t nout);
/* Copies my message to where the other process reads it, and returns its message, which stays until the next call but
 * one. */
const void *raw_memory_swap(raw_memory *m, const void *out, size_t nout);
/* The same in two parts: where my next message is written; and its passing, once it is there. */
void *raw_memory_room(const raw_memory *m);
const void *raw_memory_pass(raw_memory *m);
void raw_memory_close(raw_memory *m);

#endif
