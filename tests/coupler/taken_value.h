/* SPDX-License-Identifier: BSD-3-Clause */
/* What is taken of a value of a model's array, by the plainest means. */
#ifndef H3OU_TESTS_COUPLER_TAKEN_VALUE_H
#define H3OU_TESTS_COUPLER_TAKEN_VALUE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Returns the value; a quiet NaN for a NaN, and for the missing value, which is NaN where there is none. */
static inline double taken_value(const double *from, double missing)
{
    uint64_t bits;
    double value;
    memcpy(&bits, from, sizeof bits);
    if ((bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000))
        bits |= UINT64_C(1) << 51;
    memcpy(&value, &bits, sizeof value);
    return !isnan(value) && value == missing ? (double)NAN : value;
}

#endif
