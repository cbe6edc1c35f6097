/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copying a model's numbers without raising floating-point exceptions. A model that is being debugged may hold
 * signalling NaNs where it computed nothing (gfortran's -finit-real=snan): any operation on one of them, even a
 * comparison, would trap in our call. They are therefore copied as integers and turned into quiet NaNs.
 */
#ifndef H3OU_COUPLER_COMMON_QUIET_COPY_H
#define H3OU_COUPLER_COMMON_QUIET_COPY_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline void h3ou__quiet_copy(int64_t n, const double from[], double to[])
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63), BELOW_NAN = (UINT64_C(1) << 52) - 1;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, from + i, sizeof bits);
        /* The sum carries into the sign bit only for a NaN; bit 51 marks a NaN as quiet. */
        bits |= ((bits & SIZE) + BELOW_NAN) >> 63 << 51;
        memcpy(to + i, &bits, sizeof bits);
    }
}

/* Converts to single precision. A value that is too large becomes infinity without a floating-point exception. */
static inline float h3ou__quiet_single(double value)
{
    return isgreater(fabs(value), FLT_MAX) ? (value > 0.0 ? INFINITY : -INFINITY) : (float)value;
}

#endif
