/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/quiet_copy.h"

#include "base/vector_clones.h"

enum { GROUPS = 4, VALUES = 8 }; /* the loop has so many sums of so many values each, which do not wait for each other */
enum { LINE = 64 };              /* bytes of a cache line */

/* A number without its sign; added to what lies below the least NaN, only that of a NaN reaches the sign. */
#define SIZE      (~(UINT64_C(1) << 63))
#define BELOW_NAN ((UINT64_C(1) << 52) - 1)

static inline uint64_t copy_one(const double *from, double *to)
{
    uint64_t bits;
    memcpy(&bits, from, sizeof bits);
    memcpy(to, &bits, sizeof bits);
    return (bits & SIZE) + BELOW_NAN;
}

/* Returns a number whose sign bit is set where one of the values is NaN. */
CLONES static uint64_t copy_lines(int64_t n, const double *restrict from, double *restrict to)
{
    uint64_t any[GROUPS][VALUES] = {{0}}, all = 0;
    int64_t i = 0;
    for (; i + GROUPS * VALUES <= n; i += GROUPS * VALUES)
        for (int g = 0; g < GROUPS; g++)
            for (int v = 0; v < VALUES; v++) {
                uint64_t bits;
                memcpy(&bits, from + i + g * VALUES + v, sizeof bits);
                memcpy(to + i + g * VALUES + v, &bits, sizeof bits);
                any[g][v] |= (bits & SIZE) + BELOW_NAN;
            }
    for (int g = 0; g < GROUPS; g++)
        for (int v = 0; v < VALUES; v++)
            all |= any[g][v];
    for (; i < n; i++)
        all |= copy_one(from + i, to + i);
    return all;
}

bool h3ou__copy_noting_nan(int64_t n, const double *restrict from, double *restrict to)
{
    uint64_t any = 0;
    int64_t i = 0;
    for (; i < n && (uintptr_t)(to + i) % LINE != 0; i++)
        any |= copy_one(from + i, to + i);
    return (any | copy_lines(n - i, from + i, to + i)) >> 63;
}

bool h3ou__quiet_copy(int64_t n, const double from[], double to[])
{
    bool has_nan = h3ou__copy_noting_nan(n, from, to);
    for (int64_t i = 0; i < n && has_nan; i++)
        to[i] = h3ou__quiet(&to[i]);
    return has_nan;
}
