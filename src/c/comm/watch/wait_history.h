/* SPDX-License-Identifier: BSD-3-Clause */
/* How long the last waits of a process took, for each thing that it waits for: by it a wait is found that lasts much longer than they
 * do. */
#ifndef H3OU_COMM_WATCH_WAIT_HISTORY_H
#define H3OU_COMM_WATCH_WAIT_HISTORY_H

#include <stdint.h>

typedef struct h3ou__wait_history h3ou__wait_history;

/* Returns a number that stands for what is awaited from whom; never 0. */
uint64_t h3ou__wait_key(const char *what, const char *who);
/* Adds a wait; *h is made when it is NULL, and stays NULL where there is no memory. */
void h3ou__wait_history_add(h3ou__wait_history **h, uint64_t key, double seconds);
/* Returns the median of the last waits; below 0: there were too few. h: NULL allowed. */
double h3ou__wait_history_median(const h3ou__wait_history *h, uint64_t key);

#endif
