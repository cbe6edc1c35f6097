/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of the cells in a message of few rows, one after the other. The sender has them in the order of its grid.
 * Where the receiver's rows read them in quite another one, each value that they read is on another line of the cache,
 * so the sender packs them in the order in which the rows read them first.
 */
#ifndef H3OU_COUPLER_PLAN_READING_ORDER_H
#define H3OU_COUPLER_PLAN_READING_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/weights/sparse.h"

/* Sets to[slot], of each of the start[npartner] slots, to its number in the order in which rows read the slots of its
 * partner, and returns whether the product gains more by that order than packing in it takes. start[npartner + 1]: the
 * first slot of each partner. H3OU__ENOMEM. */
int h3ou__reading_order_find(const h3ou__sparse *rows, int npartner, const int64_t start[], int32_t to[], bool *gains);

#endif
