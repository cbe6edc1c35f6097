/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of a table, sorted by the shares of their sources, which mostly do not change from one product to the next,
 * as those of a land mask: rows whose sources all count, rows of which none does, and all others with coefficients
 * times shares.
 */
#ifndef H3OU_INTERP_WEIGHTS_KEPT_SHARES_H
#define H3OU_INTERP_WEIGHTS_KEPT_SHARES_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/weights/sparse.h"

/* Rows first..end-1. */
typedef struct h3ou__row_range {
    int64_t first, end;
} h3ou__row_range;

typedef struct h3ou__row_ranges {
    int64_t count, room;
    h3ou__row_range *range; /* ascending */
} h3ou__row_ranges;

typedef struct h3ou__kept_shares {
    const h3ou__sparse *s; /* borrowed; its rows and entries do not change */
    int64_t nsource;
    int gap;       /* so few rows between rows whose sources all count are in one range with these */
    int changed;   /* how many times in turn the shares were others than before */
    bool are_partial; /* many of those of the product before were neither 0 nor 1; h3ou__sparse_apply sets it */
    int64_t number; /* share_number of h3ou__apply, of these shares */
    double *share; /* [nsource] by which the rows are sorted; NULL: nothing is kept */
    /* Where rows are whose sources all count, and a few rows between them, which are in one of the two others, too;
     * where rows are of which no source counts. */
    h3ou__row_ranges full, gone;
    /* All other rows, with coefficients times shares, which are 0 where a source does not count: rows that are equally
     * long are computed four at a time. */
    h3ou__sparse listed;
    uint8_t *kind;       /* [s->nrow] enum h3ou__row_kind */
    int64_t *origin;     /* [listed.nrow] the row of s, ascending */
    int64_t *part;       /* [s->nrow / PART_ROWS + 2] the first of them that is not before each part of s */
    /* [listed.nrow] The sum of a row is divided by divisor and multiplied by whole. Where this gives NaN, the value is
     * to be computed as h3ou__apply defines it. */
    double *divisor, *whole;
} h3ou__kept_shares;

/* Returns NULL without memory. nsource, nlayer: sources and layers of the products. */
h3ou__kept_shares *h3ou__kept_shares_new(const h3ou__sparse *s, int64_t nsource, int nlayer);
void h3ou__kept_shares_free(h3ou__kept_shares *kept);

/* Returns whether the rows are sorted by these shares [nsource]; sorts them, if the shares are new. Shares that are
 * others each time are not kept any more, unless they have a number: share_number of h3ou__apply. */
bool h3ou__kept_shares_take(h3ou__kept_shares *kept, const double *share, int64_t number);

/* Returns the first of the ranges that ends behind row r, or their number. */
int64_t h3ou__row_ranges_behind(const h3ou__row_ranges *ranges, int64_t r);

/* Returns the first of the listed rows that is not before row r of the table, or their number. */
int64_t h3ou__kept_shares_listed(const h3ou__kept_shares *kept, int64_t r);

/* Returns whether shares are still kept. */
bool h3ou__kept_shares_may_help(const h3ou__kept_shares *kept);

#endif
