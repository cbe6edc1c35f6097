/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copying a model's numbers without raising floating-point exceptions. A model that is being debugged may hold
 * signalling NaNs where it computed nothing (gfortran's -finit-real=snan): any operation on one of them, even a
 * comparison, would trap in our call. They are therefore copied as integers and turned into quiet NaNs.
 */
#ifndef H3OU_COUPLER_CELLS_QUIET_COPY_H
#define H3OU_COUPLER_CELLS_QUIET_COPY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Makes a NaN quiet. Bit 51 marks it as such; the sum carries into the sign bit only for a NaN. */
static inline double h3ou__quiet(const double *from)
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63), CARRY = (UINT64_C(1) << 52) - 1;
    uint64_t bits;
    double value;
    memcpy(&bits, from, sizeof bits);
    bits |= ((bits & SIZE) + CARRY) >> 63 << 51;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Copies the bits of n values, and returns whether one of them is NaN. The arrays do not overlap. */
bool h3ou__copy_noting_nan(int64_t n, const double from[], double to[]);
/* The same, with quiet NaNs. */
bool h3ou__quiet_copy(int64_t n, const double from[], double to[]);

#endif
