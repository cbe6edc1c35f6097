/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of float to double and back, without the floating-point exceptions invalid, division by zero and overflow: a
 * model that is being debugged may let these end the program, and may hold signalling NaNs where it computed nothing.
 */
#ifndef H3OU_BASE_SINGLE_PRECISION_H
#define H3OU_BASE_SINGLE_PRECISION_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns a number whose highest bit is set when these are the bits of a NaN of single precision. */
static inline uint32_t h3ou__single_nan_mark(uint32_t bits)
{
    return (bits & UINT32_C(0x7fffffff)) + UINT32_C(0x007fffff);
}

/* Converts to double precision, with a quiet NaN. */
static inline double h3ou__quiet_double(const float *from)
{
    uint32_t bits;
    float value;
    memcpy(&bits, from, sizeof bits);
    bits |= h3ou__single_nan_mark(bits) >> 31 << 22;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bits of the least number, half a unit above FLT_MAX, that would be rounded to infinity. */
#define H3OU__BEYOND_SINGLE UINT64_C(0x47effffff0000000)

/* Rounds to single precision. A value that is too large becomes infinity without a floating-point exception, and a NaN a
 * quiet one. */
static inline float h3ou__quiet_single(const double *from)
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63), BELOW_NAN = (UINT64_C(1) << 52) - 1;
    uint64_t bits, is_nan, is_beyond;
    double value;
    memcpy(&bits, from, sizeof bits);
    is_nan = ((bits & SIZE) + BELOW_NAN) >> 63;
    is_beyond = -(((H3OU__BEYOND_SINGLE - 1 - (bits & SIZE)) >> 63) & ~is_nan); /* all bits, or none */
    bits = (bits & ~(is_beyond & SIZE)) | (is_beyond & UINT64_C(0x7ff0000000000000)) | is_nan << 51;
    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

#pragma GCC visibility push(default)
/* Copies n values, and returns whether one of them is NaN. The arrays of these functions do not overlap. */
bool h3ou__copy_singles(int64_t n, const float from[], float to[]);
/* Converts as h3ou__quiet_double does, and returns whether one of them is NaN. */
bool h3ou__widen(int64_t n, const float from[], double to[]);
/* Rounds as h3ou__quiet_single does, and returns the same. */
bool h3ou__narrow(int64_t n, const double from[], float to[]);
#pragma GCC visibility pop

#endif
