/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of numbers that are not negative, as of a bin and a cell in it. */
#ifndef H3OU_COUPLER_SEARCH_NUMBER_PAIRS_H
#define H3OU_COUPLER_SEARCH_NUMBER_PAIRS_H

#include <stdint.h>

typedef struct h3ou__pairs {
    int64_t n, room;
    int64_t *item; /* [2 * n] */
} h3ou__pairs;

int h3ou__pairs_add(h3ou__pairs *p, int64_t a, int64_t b); /* at the end; H3OU__ENOMEM */
/* Sorts by the first number, then by the second, and keeps each pair once. H3OU__ENOMEM leaves the pairs as they were. */
int h3ou__pairs_sort(h3ou__pairs *p);
/* Of sorted pairs: returns the position of the first one whose first number is at least a. */
int64_t h3ou__pairs_first(const h3ou__pairs *p, int64_t a);

#endif
