/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what libraries of h3ou take from the heap of a program, and give back, in all threads. */
#ifndef TESTS_COUPLER_COUNTED_HEAP_H
#define TESTS_COUPLER_COUNTED_HEAP_H

#include <stdbool.h>

/* Begins to count, from 0, the calls of libraries whose names begin with libh3ou, or, of_waitio, with libwaitio, which
 * have been loaded. */
void heap_count_begin(bool of_waitio);
/* Ends it, and returns the number of calls of malloc, free and their like; -1: there is no such library. */
int heap_count_end(void);
/* Prints where the first of these calls stand, as LIBRARY+OFFSET, for addr2line. */
void heap_count_print(void);

#endif
