/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_BASE_HEAP_H
#define H3OU_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
/* Gives the system the memory that was freed and that the C library keeps for later calls of malloc: for the end of work that needed much more than what follows.
 * Does nothing where the C library is not that of GNU. */
void h3ou__heap_trim(void);
/* Gives the system the memory of an array from malloc whose contents nobody reads again, as far as it takes whole
 * pages. The array stays, for what is written into it later; until then it has any values. */
void h3ou__heap_forget(void *array, size_t bytes);
/* Takes from the system, at once, the memory of an array, or a part of one, that is written whole next. Else the first
 * write to each page interrupts the program, which takes much longer on a virtual machine. The values stay. Does
 * nothing for a small array, for NULL, and before Linux 5.14. */
void h3ou__heap_take(void *array, size_t bytes);
/* Returns a new array of n elements (0 allowed) whose memory is taken already, for a caller that writes all of it next.
 * It has any values, and is freed by free. NULL: there is no memory. */
void *h3ou__heap_array(int64_t n, size_t size);
#pragma GCC visibility pop

#endif
