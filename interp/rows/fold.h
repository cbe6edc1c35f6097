/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the last rows of a tripolar grid meet themselves, found by the centres of its cells. The fold runs between the
 * points of the last row (pivot F) or through the points of a row (pivot T); the rows beyond it, and a few columns at
 * the ends, may be there again.
 */
#ifndef H3OU_INTERP_ROWS_FOLD_H
#define H3OU_INTERP_ROWS_FOLD_H

#include "interp/grid/cells.h"

typedef struct h3ou__fold {
    bool found;
    int64_t shift, rows, overlap; /* as fold_shift, fold_rows and overlap of h3ou__cells */
    /* Of the pivot and column that fit best: cells whose mirror image was looked for, and those that have it. */
    int64_t compared, met;
} h3ou__fold;

enum { H3OU__FOLD_UNKNOWN = -9 }; /* stands for the coordinates of a centre that is not known */
/* How many of the last rows are compared, and the numbers of the array below. */
int64_t h3ou__fold_depth(const int64_t dims[2]);
int64_t h3ou__fold_room(const int64_t dims[2]);
/* Puts the centres of those cells of the last rows that are held into xyz[h3ou__fold_room], as unit vectors by row and
 * column; all others get numbers below any coordinate, so that the largest of several processes' arrays has all. */
void h3ou__fold_copy_rows(const h3ou__cells *c, double xyz[]);
/* Whole rows, or their known cells. */
void h3ou__fold_find(const int64_t dims[2], const double xyz[], h3ou__fold *out);
/* Sets the cells' fold, if one was found. */
void h3ou__fold_set(h3ou__cells *c, const h3ou__fold *f);

#endif
