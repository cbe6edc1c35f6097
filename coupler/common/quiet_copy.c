/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/quiet_copy.h"

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx2", "default"))) /* the same bits, four values at once */
#else
#define CLONES
#endif

CLONES bool h3ou__copy_noting_nan(int64_t n, const double *restrict from, double *restrict to)
{
    const uint64_t SIZE = ~(UINT64_C(1) << 63), BELOW_NAN = (UINT64_C(1) << 52) - 1;
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, from + i, sizeof bits);
        any |= (bits & SIZE) + BELOW_NAN;
        memcpy(to + i, &bits, sizeof bits);
    }
    return any >> 63;
}

bool h3ou__quiet_copy(int64_t n, const double from[], double to[])
{
    bool has_nan = h3ou__copy_noting_nan(n, from, to);
    for (int64_t i = 0; i < n && has_nan; i++)
        to[i] = h3ou__quiet(&to[i]);
    return has_nan;
}
