/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/cell_values.h"

#include "base/vector_clones.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/taken_bits.h"

/* The bits of a number from 0 to 1 are, as an integer, at most those of 1. Returns a number whose highest bit is set
 * for greater ones and NaN, by the difference, and where the sign is, by the bits themselves. */
static inline uint64_t beyond_mark(const double *value)
{
    return (UINT64_C(0x3ff0000000000000) - h3ou__bits_of(value)) | h3ou__bits_of(value);
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
        uint64_t bits = h3ou__bits_if(share[i] > 0.0, h3ou__bits_of(value + i));
        value[i] = h3ou__value_of(bits);
        any |= h3ou__nan_mark_of(bits);
    }
    return any >> 63;
}

CLONES bool h3ou__cells_pair(int64_t n, const double *restrict share, const double *restrict value,
                             double *restrict pairs)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = h3ou__bits_if(share[i] > 0.0, h3ou__bits_of(value + i));
        pairs[2 * i] = share[i];
        pairs[2 * i + 1] = h3ou__value_of(bits);
        any |= h3ou__nan_mark_of(bits);
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

enum { SOME = 64 }; /* values that are added together: their sums stay in registers, or close to them */

/* count: at most SOME, and known where this is inlined for the most of them. */
INLINED void add_times(int64_t count, const double *restrict value, int64_t times, bool begins, double *restrict sum)
{
    double some[SOME];
    for (int64_t k = 0; k < count; k++)
        some[k] = (begins ? 0.0 : sum[k]) + value[k];
    for (int64_t time = 1; time < times; time++)
        for (int64_t k = 0; k < count; k++)
            some[k] += value[k];
    for (int64_t k = 0; k < count; k++)
        sum[k] = some[k];
}

CLONES void h3ou__cells_add_times(int64_t n, const double *restrict value, int64_t times, bool begins,
                                  double *restrict sum)
{
    int64_t i = 0;
    for (; i + SOME <= n; i += SOME)
        add_times(SOME, value + i, times, begins, sum + i);
    add_times(n - i, value + i, times, begins, sum + i);
}

CLONES void h3ou__cells_add(int64_t n, double weight, const double *restrict value, double *restrict sum)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] += weight * value[i];
}

CLONES bool h3ou__cells_divide(int64_t n, const double *restrict weight, double times, double *restrict value)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        value[i] = h3ou__divided(value + i, weight + i, times);
        any |= h3ou__nan_mark_of(h3ou__bits_of(value + i));
    }
    return any >> 63;
}
