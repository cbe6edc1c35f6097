/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/single_precision.h"

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default"))) /* the same bits, several values at once */
#else
#define CLONES
#endif

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

CLONES static bool narrow(int64_t n, const double *restrict from, float *restrict to)
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

/* The functions above are found by a resolver, whose name a library would show beside that of a function that it exports. */
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
