/* SPDX-License-Identifier: BSD-3-Clause */
/* What source cells give in conservative weights, beside their areas. */
#ifndef H3OU_INTERP_WEIGHTS_AREA_BALANCE_H
#define H3OU_INTERP_WEIGHTS_AREA_BALANCE_H

#include "interp/weights/weights.h"

/* Without `expected` a source cell that gives less than its area may reach beyond the targets or into masked ones; only
 * where the targets are the whole sphere is that wrong. One that gives more lies below overlapping targets. */
typedef struct h3ou__area_balance {
    bool is_known;    /* conservative weights with areas */
    bool is_whole;    /* no target is masked and their areas are the sphere's */
    bool is_expected; /* misfit is from the areas that were expected, not from the cells' own */
    double misfit;    /* largest |given - area| / area of source cells; without `expected` of those that give to the first
                         method alone */
    double excess;    /* largest (given - area) / area of these */
    int64_t misfit_cell, excess_cell; /* which, from 0; -1: none */
    int64_t judged;                   /* source cells of which misfit is the largest */
    int64_t repeated;                 /* targets left out, since they have centre, area and row of another one */
} h3ou__area_balance;

/* target: the centres of the target cells, of which xyz may be made; NULL: not known. expected: what each source cell
 * must give, NaN where that is not known (h3ou__expected_areas); NULL: its area. */
int h3ou__area_balance_make(const h3ou__weights *w, h3ou__cells *target, const double expected[],
                            h3ou__area_balance *out);

/* Is target i, which is not at a pole, there once more with a lower number and the same row? The centres of target must
 * have been compared; NULL: nothing is known of them. */
bool h3ou__target_is_repeated(const h3ou__weights *w, const h3ou__cells *target, int64_t i);

#endif
