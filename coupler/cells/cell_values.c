/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/cell_values.h"

#include <string.h>

#include "coupler/cells/vector_clones.h"

static inline uint64_t bits_of(const double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}

/* Returns the value where the condition holds, else 0. A value of any kind is copied by its bits. */
static inline double value_if(bool holds, const double *value)
{
    uint64_t bits = bits_of(value) & -(uint64_t)holds;
    double kept;
    memcpy(&kept, &bits, sizeof kept);
    return kept;
}

/* Returns a number whose highest bit is set for a NaN. */
static inline uint64_t nan_mark(const double *value)
{
    return (bits_of(value) & ~(UINT64_C(1) << 63)) + (UINT64_C(1) << 52) - 1;
}

/* The bits of a number from 0 to 1 are, as an integer, at most those of 1. Returns a number whose highest bit is set
 * for greater ones and NaN, by the difference, and where the sign is, by the bits themselves. */
static inline uint64_t beyond_mark(const double *value)
{
    return (UINT64_C(0x3ff0000000000000) - bits_of(value)) | bits_of(value);
}

CLONES bool h3ou__cells_are_shares(int64_t n, const double *restrict share)
{
    uint64_t beyond = 0;
    for (int64_t i = 0; i < n; i++)
        beyond |= beyond_mark(share + i);
    return !(beyond >> 63);
}

CLONES bool h3ou__cells_copy_shares(int64_t n, const double *restrict from, double *restrict share)
{
    uint64_t beyond = 0;
    for (int64_t i = 0; i < n; i++) {
        beyond |= beyond_mark(from + i);
        share[i] = from[i];
    }
    return !(beyond >> 63);
}

CLONES bool h3ou__cells_clear(int64_t n, const double *restrict share, double *restrict value)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        value[i] = value_if(share[i] > 0.0, value + i);
        any |= nan_mark(value + i);
    }
    return any >> 63;
}

CLONES bool h3ou__cells_pair(int64_t n, const double *restrict share, const double *restrict value,
                             double *restrict pairs)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        double counts = value_if(share[i] > 0.0, value + i);
        pairs[2 * i] = share[i];
        pairs[2 * i + 1] = counts;
        any |= nan_mark(&counts);
    }
    return any >> 63;
}

CLONES void h3ou__cells_split(int64_t n, const double *restrict pairs, double *restrict share, double *restrict value)
{
    for (int64_t i = 0; i < n; i++) {
        share[i] = pairs[2 * i];
        value[i] = pairs[2 * i + 1];
    }
}

CLONES void h3ou__cells_begin_sum(int64_t n, double weight, const double *restrict value, double *restrict sum)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] = 0.0 + weight * value[i];
}

CLONES void h3ou__cells_add(int64_t n, double weight, const double *restrict value, double *restrict sum)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] += weight * value[i];
}

CLONES bool h3ou__cells_divide(int64_t n, const double *restrict weight, double times, double *restrict value)
{
    const double one = 1.0;
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        bool counts = weight[i] > 0.0;
        double divisor = value_if(counts, weight + i) + value_if(!counts, &one);
        value[i] = value_if(counts, value + i) / divisor * times;
        any |= nan_mark(value + i);
    }
    return any >> 63;
}
