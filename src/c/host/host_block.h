/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of one job on one host, and memory that all of them share, in which they make collective calls (host_call.h).
 * The memory has no name: one process makes it, and the others open its descriptor, which they find in /proc.
 *
 * The processes agree by their MPI: process 0 makes the memory and passes the offer on; all open it; and each keeps what it has
 * opened only if all have.
 */
#ifndef H3OU_HOST_HOST_BLOCK_H
#define H3OU_HOST_HOST_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { H3OU__HOST_MOST = 64 }; /* processes of a block */

typedef struct h3ou__host_block h3ou__host_block;

/* What process 0 passes on, as numbers. */
enum { H3OU__HOST_OFFER = 4 };

#pragma GCC visibility push(default)
/* Returns a number of the host of this process; -1: it cannot be told. A network name space counts as a host, as for the routes of
 * WaitIO. */
int64_t h3ou__host_number(void);
/* Makes the memory for n processes. Fails into an offer that no process can open: there is no memory, or n is above
 * H3OU__HOST_MOST. */
void h3ou__host_block_offer(int n, int64_t offer[H3OU__HOST_OFFER]);
/* Opens the memory as process `me` of n; NULL: this process cannot, since it is on another host, for instance. may: false opens
 * nothing, as where a setting says so. */
h3ou__host_block *h3ou__host_block_open(const int64_t offer[H3OU__HOST_OFFER], int n, int me, bool may);
/* To be called when all have tried to open it: closes the descriptor of process 0, which passes its offer. */
void h3ou__host_block_close_offer(const int64_t offer[H3OU__HOST_OFFER]);
void h3ou__host_block_free(h3ou__host_block *b); /* NULL is allowed */

/* Counts a call that this process begins, whether it is made in this memory or not. All processes count the same calls. */
void h3ou__host_block_begin(h3ou__host_block *b);
/* Returns whether a process has begun the last call that this process has begun. */
bool h3ou__host_block_is_here(const h3ou__host_block *b, int process);
/* Returns whether the processes outnumber the cores on which they may run. To be called when all have opened the
 * memory. */
bool h3ou__host_block_is_crowded(h3ou__host_block *b);
/* Returns whether a process that waits keeps another one from running unless it sleeps: the processes outnumber the cores on which they may run, and
 * a yield does not let all of them run (core_session.h). To be called when all have opened the memory. */
bool h3ou__host_block_must_sleep(h3ou__host_block *b);
/* To be called before looking whether calls go on. */
uint32_t h3ou__host_block_heard(h3ou__host_block *b);
/* Waits until something has changed for this process since then, at most `seconds`; returns whether it may have. */
bool h3ou__host_block_sleep(h3ou__host_block *b, uint32_t heard, double seconds);
#pragma GCC visibility pop

#endif
