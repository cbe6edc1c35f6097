/* SPDX-License-Identifier: BSD-3-Clause */
/* What source cells give in conservative weights, beside their areas. */
#ifndef H3OU_INTERP_WEIGHTS_AREA_BALANCE_H
#define H3OU_INTERP_WEIGHTS_AREA_BALANCE_H

#include "interp/weights/weights.h"

/* A source cell that gives less than its area may reach beyond the targets or into masked ones; only where the targets
 * are the whole sphere is that wrong. One that gives more lies below overlapping targets. */
typedef struct h3ou__area_balance {
    bool is_known; /* conservative weights with areas */
    bool is_whole; /* no target is masked and their areas are the sphere's */
    double misfit; /* largest |given - area| / area of source cells that give to the first method alone */
    double excess; /* largest (given - area) / area of these */
    int64_t misfit_cell, excess_cell; /* which, from 0; -1: none */
    int64_t repeated;                 /* targets left out, since they have centre, area and row of another one */
} h3ou__area_balance;

/* target: the centres of the target cells, of which xyz may be made; NULL: not known. */
int h3ou__area_balance_make(const h3ou__weights *w, h3ou__cells *target, h3ou__area_balance *out);

#endif
