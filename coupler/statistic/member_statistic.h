/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the members of a group send in place of one member's values: a statistic, cell by cell, which is put together
 * along the tree over the members without any process holding the values of all.
 *
 * A part of the tree is described, for each row of values, by `parts` arrays over the cells, and by its weight in each
 * cell: the sum of the members' shares, or, where no cell counts in part, the number of members. The functions work on
 * one row. They allocate nothing and cannot fail. A value that is NaN in one member makes the statistic NaN in that
 * cell, unless the member's share of the cell is 0.
 */
#ifndef H3OU_COUPLER_STATISTIC_MEMBER_STATISTIC_H
#define H3OU_COUPLER_STATISTIC_MEMBER_STATISTIC_H

#include <stdint.h>

#include "coupler/config/ensemble_keys.h"

enum { H3OU__MOST_PARTS = 2 }; /* arrays of a row */

/* One row of a part of the tree; arrays are borrowed. */
typedef struct h3ou__partial {
    double *part[H3OU__MOST_PARTS];
    const double *weight; /* by cell, the sum of the shares; NULL: `members` in all of them */
    const double *square; /* by cell, the sum of the squared shares; NULL with weight */
    double members;
} h3ou__partial;

static inline double h3ou__partial_weight(const h3ou__partial *p, int64_t i)
{
    return p->weight ? p->weight[i] : p->members;
}

static inline double h3ou__partial_square(const h3ou__partial *p, int64_t i)
{
    return p->square ? p->square[i] : p->members;
}

typedef struct h3ou__member_statistic {
    int parts; /* 0: the values are collected */
    /* Makes of one member's n values, in part[0], its description. Values of cells with the weight 0 are 0. */
    void (*begin)(const h3ou__partial *mine, int64_t n);
    /* Adds to mine, by cell, the description of members of higher numbers, whose i-th value is for cell[i], or, where cell is
     * NULL, for cell i; both weights as before. */
    void (*merge)(const h3ou__partial *mine, const h3ou__partial *theirs, const int32_t cell[], int64_t count);
    /* Makes of the description of all members the statistic, in part[0]; 0 where the weight is 0. */
    void (*finish)(const h3ou__partial *all, int64_t n);
    /* Of one row of collected values, [members][n], those that are unset (unset_value.h) left out: sets the statistic, [n],
     * and in how many members each cell counts; room has `members` numbers. NULL: the values of all members are the
     * result. */
    void (*select)(const double value[], int members, int64_t n, double level, double room[], double to[], double counted[]);
} h3ou__member_statistic;

const h3ou__member_statistic *h3ou__member_statistic_of(enum h3ou__members_send send);
extern const h3ou__member_statistic h3ou__mean_of_members, h3ou__deviation_of_members, h3ou__deviation1_of_members,
    h3ou__minimum_of_members, h3ou__maximum_of_members, h3ou__quantile_of_members, h3ou__one_of_members;

#endif
