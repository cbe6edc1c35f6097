/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_BASE_HEAP_H
#define H3OU_BASE_HEAP_H

#pragma GCC visibility push(default)
/* Gives the system the memory that was freed and that the C library keeps for later calls of malloc: for the end of work that needed much more than what follows.
 * Does nothing where the C library is not that of GNU. */
void h3ou__heap_trim(void);
#pragma GCC visibility pop

#endif
