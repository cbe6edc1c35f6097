/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether runs of values that follow one another in a message, which another process reads, are written through the caches, or past them to memory.
 * Through the caches is faster where the two processes share one. Where they do not, each line that the other one has read is taken from its caches before it
 * is written again, which may take ten times as long as writing to memory. Which it is depends on the cores on which the processes happen to run, so it is
 * measured.
 *
 *   plain --- three runs took long, and one that goes past the caches takes less than three quarters ---> past
 *   past  --- after 16 runs, the next time after 64, ... 1,024 ---> plain
 */
#ifndef H3OU_COUPLER_CELLS_STORE_WAY_H
#define H3OU_COUPLER_CELLS_STORE_WAY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__store_way { /* all 0: at the beginning */
    double plain; /* seconds a byte of the last run that was written through the caches */
    int slow;     /* runs one after the other that took long through the caches */
    int left;     /* runs that still go past the caches */
    int next;     /* how many the next time */
    int held;     /* how many more have to take long before past the caches is tried again */
    int hold;     /* the same the next time that it gains nothing */
} h3ou__store_way;

/* Returns whether the next run goes past the caches. */
bool h3ou__store_way_is_past(const h3ou__store_way *w);
/* The next run, of so many bytes, was written so, and took so many seconds. */
void h3ou__store_way_took(h3ou__store_way *w, int64_t bytes, double seconds);

#endif
