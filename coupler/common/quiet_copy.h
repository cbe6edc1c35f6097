/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copying a model's numbers without raising floating-point exceptions. A model that is being debugged may hold
 * signalling NaNs where it computed nothing (gfortran's -finit-real=snan): any operation on one of them, even a
 * comparison, would trap in our call. They are therefore copied as integers and turned into quiet NaNs.
 */
#ifndef H3OU_COUPLER_COMMON_QUIET_COPY_H
#define H3OU_COUPLER_COMMON_QUIET_COPY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Makes a NaN quiet. Bit 51 marks it as such; the sum carries into the sign bit only for a NaN. */
static inline double h3ou__quiet(const double *from)
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63), BELOW_NAN = (UINT64_C(1) << 52) - 1;
    uint64_t bits;
    double value;
    memcpy(&bits, from, sizeof bits);
    bits |= ((bits & SIZE) + BELOW_NAN) >> 63 << 51;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Copies the bits of n values, and returns whether one of them is NaN. The arrays do not overlap. */
bool h3ou__copy_noting_nan(int64_t n, const double from[], double to[]);
/* The same, with quiet NaNs. */
bool h3ou__quiet_copy(int64_t n, const double from[], double to[]);

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

/* Rounds to single precision. A value that is too large becomes infinity without a floating-point exception, and a NaN a
 * quiet one. */
static inline float h3ou__quiet_single(const double *from)
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63), BELOW_NAN = (UINT64_C(1) << 52) - 1;
    const uint64_t TOO_LARGE = UINT64_C(0x47effffff0000000); /* half a unit above FLT_MAX */
    uint64_t bits, is_nan, is_beyond;
    double value;
    memcpy(&bits, from, sizeof bits);
    is_nan = ((bits & SIZE) + BELOW_NAN) >> 63;
    is_beyond = -(((TOO_LARGE - 1 - (bits & SIZE)) >> 63) & ~is_nan); /* all bits, or none */
    bits = (bits & ~(is_beyond & SIZE)) | (is_beyond & UINT64_C(0x7ff0000000000000)) | is_nan << 51;
    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

/* Copies n values, and returns whether one of them is NaN. The arrays of these functions do not overlap. */
bool h3ou__copy_singles(int64_t n, const float from[], float to[]);
/* Converts as h3ou__quiet_double does, and returns whether one of them is NaN. */
bool h3ou__widen(int64_t n, const float from[], double to[]);
/* Rounds each value as h3ou__quiet_single does. */
void h3ou__narrow(int64_t n, const double from[], float to[]);

#endif
