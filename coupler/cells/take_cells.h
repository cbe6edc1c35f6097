/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copying values of cells out of a model's array, and adding them to sums in the same loop: with many layers a field is
 * larger than the caches, and reading it twice would take longer than all that is computed.
 */
#ifndef H3OU_COUPLER_CELLS_TAKE_CELLS_H
#define H3OU_COUPLER_CELLS_TAKE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

enum h3ou__sum_action { H3OU__SUM_NONE, H3OU__SUM_BEGIN, H3OU__SUM_ADD, H3OU__SUM_ACTIONS };

typedef struct h3ou__taking {
    double missing; /* this value is taken as NaN; NaN: none is */
    double weight;  /* of the values in the sums, times the share */
    enum h3ou__sum_action action;
    bool is_past; /* what is only written is written past the caches: nobody reads it soon. The caller ends it by
                   * end_lines (line_values.h), or ends the store of the message */
} h3ou__taking;

/* Sets newest[i] to from[i], i < n: a NaN to a quiet one, the missing value to NaN, and to 0 where share[i] is 0. share
 * may be NULL: all cells count; no share is NaN. SUM_BEGIN: sum[i] = 0 + weight * share[i] * newest[i]; SUM_ADD: sum[i]
 * is increased by it; else sum is not used. The arrays do not overlap. Returns whether one of
 * the new values is NaN. Raises no floating-point exception for a NaN or for what stands in cells that do not count. */
bool h3ou__take_cells(const h3ou__taking *t, int64_t n, const double from[], const double share[], double newest[],
                      double sum[]);

#endif
