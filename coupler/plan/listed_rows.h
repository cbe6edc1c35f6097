/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of a table that are of this process's cells, with the global indices of the sources that they read. Where
 * the receiving component gave the table they need nothing of the sending one: components list the rows of all such
 * tables side by side, before they plan one pair of grids after the other.
 */
#ifndef H3OU_COUPLER_PLAN_LISTED_ROWS_H
#define H3OU_COUPLER_PLAN_LISTED_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/common/index_set.h"
#include "coupler/plan/entry_list.h"
#include "coupler/plan/plan.h"
#include "interp/weights/sparse.h"

/* Begins as all zeros. */
typedef struct h3ou__listed_rows {
    bool is_there;
    h3ou__entry_list list;   /* in the order of the rows */
    h3ou__sparse rows;       /* row and start alone */
    h3ou__index_set sources; /* that the rows read */
    int64_t *need;           /* [sources.n] the same, ascending */
} h3ou__listed_rows;

/* Called by the receiving component; where the sending one gave the table, that calls h3ou__plan_pass_entries at the
 * same time. Lists my rows. The caller frees them, also after an error. */
int h3ou__list_rows(const h3ou__plan_task *task, h3ou__listed_rows *out);
void h3ou__listed_rows_free(h3ou__listed_rows *l); /* it is all zeros then */

#endif
