/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a table whose target cells are mine, while the rows of a plan are made of them. Each number has an array of its
 * own, so that sources and coefficients can become those of the rows without a copy. */
#ifndef H3OU_COUPLER_PLAN_ENTRY_LIST_H
#define H3OU_COUPLER_PLAN_ENTRY_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/weights/sparse.h"

/* Begins as all zeros but `numbered` and `rotated`. */
typedef struct h3ou__entry_list {
    bool numbered; /* entries come from several givers, and have the numbers of their order of summation; else they come in it */
    bool rotated;  /* they turn vectors */
    int64_t n, room;
    int32_t *place; /* [n] of the target cell among mine */
    int32_t *send;  /* [n] global index of the source cell */
    double *coef;
    int64_t *seq; /* [n], numbered only */
    double *turn; /* [2 * n] cosine and sine, rotated only */
} h3ou__entry_list;

/* Returns of how many numbers an item {place, source, coefficient, number, turn} consists; coefficient and turn are sent as their
 * bits. */
int h3ou__entry_width(bool rotated);
/* Makes room for `need` items, which takes no memory before they are appended. H3OU__ENOMEM. */
int h3ou__entry_list_reserve(h3ou__entry_list *list, int64_t need);
/* Appends n items. H3OU__ENOMEM. */
int h3ou__entry_list_append(h3ou__entry_list *list, int64_t n, const int64_t item[]);
/* Makes `row` and `start` of rows, ascending, for the entries, which are put in the order of the rows and, inside one,
 * of summation; none may be appended then. ncell: of this process. H3OU__ENOMEM. */
int h3ou__entry_list_sort(h3ou__entry_list *list, int64_t ncell, h3ou__sparse *rows);
void h3ou__entry_list_free(h3ou__entry_list *list);

#endif
