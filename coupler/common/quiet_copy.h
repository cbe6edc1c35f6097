/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of a model's numbers that raise no exception of floating point. Where nothing was computed a model that is
 * debugged has signalling NaNs (gfortran's -finit-real=snan): any operation on one of them, even a comparison, would
 * trap, in our call. Moved as integers and made quiet, they pass.
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
        /* The sum reaches the sign's bit for a NaN only; bit 51 is the one of a quiet NaN. */
        bits |= ((bits & SIZE) + BELOW_NAN) >> 63 << 51;
        memcpy(to + i, &bits, sizeof bits);
    }
}

/* In single precision: what is too large becomes infinity, without the exception of the conversion. */
static inline float h3ou__quiet_single(double value)
{
    return isgreater(fabs(value), FLT_MAX) ? (value > 0.0 ? INFINITY : -INFINITY) : (float)value;
}

#endif
