/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of doubles without any rounding, as one long number in fixed point: their result does not depend on the order in which values
 * are added, and so on how cells are spread over processes. The limbs of the sum of several sums are the sums of their limbs
 * (H3OU__INT64, H3OU__SUM), after h3ou__exact_sum_carry of each. */
#ifndef H3OU_COUPLER_COMMON_EXACT_SUM_H
#define H3OU_COUPLER_COMMON_EXACT_SUM_H

#include <stdint.h>

enum { H3OU__EXACT_LIMBS = 68 };

/* Limb k counts units of 2^(32 k - 1074). All 0: the sum of nothing. */
typedef struct h3ou__exact_sum {
    int64_t limb[H3OU__EXACT_LIMBS];
} h3ou__exact_sum;

/* Adds a finite value; at most 2^31 of them before the next h3ou__exact_sum_carry. */
void h3ou__exact_sum_add(h3ou__exact_sum *s, double value);
/* Brings every limb but the last to 0 ... 2^32 - 1; the value stays the same. */
void h3ou__exact_sum_carry(h3ou__exact_sum *s);
/* Returns a double next to the sum, always the same one for the same sum. */
double h3ou__exact_sum_round(const h3ou__exact_sum *s);

#endif
