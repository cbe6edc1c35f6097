/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/single_precision.h"
#include "base/vector_clones.h"

#define INLINE static inline __attribute__((always_inline))

CLONES static bool copy_singles(int64_t n, const float *restrict from, float *restrict to)
{
    uint32_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        any |= h3ou__single_nan_mark(bits);
        memcpy(&to[i], &bits, sizeof bits);
    }
    return any >> 31;
}

CLONES static bool widen(int64_t n, const float *restrict from, double *restrict to)
{
    uint32_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        any |= h3ou__single_nan_mark(bits);
        to[i] = h3ou__quiet_double(&from[i]);
    }
    return any >> 31;
}

enum { BLOCK = 64 }; /* values that are looked at before they are rounded: they stay in the first cache */

/* Returns whether one of the values is NaN, or too large for single precision. */
INLINE bool has_special(int64_t n, const double *from)
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63);
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        any |= (bits & SIZE) + (UINT64_C(1) << 63) - H3OU__BEYOND_SINGLE;
    }
    return any >> 63;
}

/* Rounds values of any kind, and returns whether one of them is NaN. */
INLINE bool narrow_special(int64_t n, const double *from, float *to)
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63), BELOW_NAN = (UINT64_C(1) << 52) - 1;
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        any |= (bits & SIZE) + BELOW_NAN;
        to[i] = h3ou__quiet_single(&from[i]);
    }
    return any >> 63;
}

/* Rounds a block of values: where none of them is special, without the steps that only those need. A block with one is
 * read twice. */
INLINE bool narrow_block(int64_t n, const double *restrict from, float *restrict to)
{
    if (has_special(n, from))
        return narrow_special(n, from, to);
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)from[i];
    return false;
}

CLONES static bool narrow(int64_t n, const double *restrict from, float *restrict to)
{
    bool has_nan = false;
    int64_t i = 0;
    for (; i + BLOCK <= n; i += BLOCK)
        has_nan |= narrow_block(BLOCK, from + i, to + i);
    return has_nan | narrow_block(n - i, from + i, to + i);
}

/* The functions with CLONES are found by a resolver, whose name a library would show beside that of a function that it
 * exports. */
bool h3ou__copy_singles(int64_t n, const float from[], float to[])
{
    return copy_singles(n, from, to);
}

bool h3ou__widen(int64_t n, const float from[], double to[])
{
    return widen(n, from, to);
}

bool h3ou__narrow(int64_t n, const double from[], float to[])
{
    return narrow(n, from, to);
}
