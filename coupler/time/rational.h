/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact fractions, in which times and steps are counted: three steps of a third of a second are a second. */
#ifndef H3OU_COUPLER_TIME_RATIONAL_H
#define H3OU_COUPLER_TIME_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

/* In lowest terms with den above 0; H3OU__NEVER, which is larger than all others, is 1/0. */
typedef struct h3ou__rational {
    int64_t num, den;
} h3ou__rational;

#define H3OU__NEVER ((h3ou__rational){1, 0})

enum { H3OU__RATIONAL_TEXT = 48 };

static inline h3ou__rational h3ou__whole(int64_t n)
{
    return (h3ou__rational){n, 1};
}

static inline bool h3ou__rational_is_finite(h3ou__rational a)
{
    return a.den != 0;
}

/* den is above 0. */
h3ou__rational h3ou__rational_make(int64_t num, int64_t den);
int h3ou__rational_compare_wide(h3ou__rational a, h3ou__rational b);            /* called by h3ou__rational_compare */
h3ou__rational h3ou__rational_add_wide(h3ou__rational a, h3ou__rational b); /* called by h3ou__rational_add */

/* Nearly all times and steps are whole: these need no wide numbers, whose divisions cost most of a step. */
static inline bool h3ou__rational_are_whole(h3ou__rational a, h3ou__rational b)
{
    return a.den == 1 && b.den == 1;
}

/* Returns a number below, equal to or above 0. */
static inline int h3ou__rational_compare(h3ou__rational a, h3ou__rational b)
{
    return h3ou__rational_are_whole(a, b) ? (a.num > b.num) - (a.num < b.num) : h3ou__rational_compare_wide(a, b);
}

/* Results that have no room in 64 bits are H3OU__NEVER. */
static inline h3ou__rational h3ou__rational_add(h3ou__rational a, h3ou__rational b)
{
    int64_t sum;
    bool is_whole = h3ou__rational_are_whole(a, b) && !__builtin_add_overflow(a.num, b.num, &sum) && sum > INT64_MIN;
    return is_whole ? h3ou__whole(sum) : h3ou__rational_add_wide(a, b);
}

h3ou__rational h3ou__rational_subtract(h3ou__rational a, h3ou__rational b);
h3ou__rational h3ou__rational_times(h3ou__rational a, int64_t k);
/* Returns the largest whole number that is not above a / b, for b above 0. */
int64_t h3ou__rational_divide(h3ou__rational a, h3ou__rational b);
/* Returns whether a is a whole multiple of b, for b above 0. */
bool h3ou__rational_is_multiple(h3ou__rational a, h3ou__rational b);
double h3ou__rational_real(h3ou__rational a);
/* Returns the fraction with the smallest denominator that differs from x by rounding errors only (0.1: 1/10, 1.0 / 3:
 * 1/3), when one up to 1000000 does, else x in whole billionths. H3OU__NEVER when x is not finite or too large. */
h3ou__rational h3ou__rational_nearest(double x);
/* Writes "3600" or "1/3"; returns text. */
char *h3ou__rational_text(h3ou__rational a, char text[H3OU__RATIONAL_TEXT]);

#endif
