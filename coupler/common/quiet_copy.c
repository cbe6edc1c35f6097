/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/quiet_copy.h"

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default"))) /* the same bits, several values at once */
#else
#define CLONES
#endif

enum { GROUPS = 4, VALUES = 8 }; /* the loop has so many sums of so many values each, which do not wait for each other */
enum { BLOCK = 2048 };           /* values that stay in the first cache */

/* Returns a number whose sign bit is set where the value is NaN. */
static inline uint64_t nan_mark(const double *from)
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63), BELOW_NAN = (UINT64_C(1) << 52) - 1;
    uint64_t bits;
    memcpy(&bits, from, sizeof bits);
    return (bits & SIZE) + BELOW_NAN;
}

CLONES static bool has_nan(int64_t n, const double from[])
{
    uint64_t any[GROUPS][VALUES] = {{0}}, all = 0;
    int64_t i = 0;
    for (; i + GROUPS * VALUES <= n; i += GROUPS * VALUES)
        for (int g = 0; g < GROUPS; g++)
            for (int v = 0; v < VALUES; v++)
                any[g][v] |= nan_mark(from + i + g * VALUES + v);
    for (int g = 0; g < GROUPS; g++)
        for (int v = 0; v < VALUES; v++)
            all |= any[g][v];
    for (; i < n; i++)
        all |= nan_mark(from + i);
    return all >> 63;
}

/* memcpy writes whole lines without fetching them first, which costs most where another process has read them. */
bool h3ou__copy_noting_nan(int64_t n, const double *restrict from, double *restrict to)
{
    bool found = false;
    for (int64_t i = 0, count; i < n; i += count) {
        count = n - i < BLOCK ? n - i : BLOCK;
        found |= has_nan(count, from + i);
        memcpy(to + i, from + i, sizeof *to * (size_t)count);
    }
    return found;
}

bool h3ou__quiet_copy(int64_t n, const double from[], double to[])
{
    bool has_nan = h3ou__copy_noting_nan(n, from, to);
    for (int64_t i = 0; i < n && has_nan; i++)
        to[i] = h3ou__quiet(&to[i]);
    return has_nan;
}
