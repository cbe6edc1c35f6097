/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adding values of cells to sums, or finding the least or the most of each cell, straight from a model's array. A
 * number of each cell says whether a receiver needs it, so that those which are scattered are computed by whole
 * vectors, too.
 */
#ifndef H3OU_COUPLER_CELLS_SUM_CELLS_H
#define H3OU_COUPLER_CELLS_SUM_CELLS_H

#include <stdbool.h>
#include <stdint.h>

/* What becomes of a sum: 0 + the term; the sum + the term; the value; the lesser or the greater one of value and sum,
 * the sum where they are equal, and NaN where one is NaN. */
enum h3ou__sum_action {
    H3OU__SUM_NONE,
    H3OU__SUM_BEGIN,
    H3OU__SUM_ADD,
    H3OU__SUM_SET,
    H3OU__SUM_LEAST,
    H3OU__SUM_MOST,
    H3OU__SUM_ACTIONS
};

typedef struct h3ou__summing {
    double missing; /* this value is taken as NaN; NaN: none is */
    double weight;  /* of the values in the sums, times the share */
    enum h3ou__sum_action action;
    double uncounted; /* what SUM_SET, SUM_LEAST and SUM_MOST take as the value of a cell with share 0: +infinity to
                       * find the least, -infinity to find the greatest */
    bool is_past; /* newest values, and sums that are begun, are written past the caches. The caller ends it by
                   * end_lines (line_values.h) */
} h3ou__summing;

/* The arrays of some cells. They do not overlap. */
typedef struct h3ou__summed {
    const double *from;
    const double *share;   /* none is NaN; NULL: all cells count */
    const uint8_t *needed; /* 1 of a cell that has a sum, else 0 */
    double *newest;        /* or NULL */
    double *sum;
} h3ou__summed;

/* Does s->action with sum[i], i < n, and from[i] as h3ou__take_cells takes it; newest[i] becomes that. The term is the
 * weight times share[i] times that. A cell that is not needed counts as 0. Returns whether one of the values that were
 * added is NaN. Raises no floating-point exception for a NaN, or for what stands in cells that do not count or are not
 * needed. */
bool h3ou__sum_cells(const h3ou__summing *s, int64_t n, const h3ou__summed *cells);

#endif
