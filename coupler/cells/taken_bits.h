/* SPDX-License-Identifier: BSD-3-Clause */
/* What loops over values of cells do with one value, by its bits: written so that a compiler makes vectors of them. No
 * floating-point exception is raised for a NaN, or for what stands in cells that do not count. */
#ifndef H3OU_COUPLER_CELLS_TAKEN_BITS_H
#define H3OU_COUPLER_CELLS_TAKEN_BITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t h3ou__bits_of(const double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}

static inline double h3ou__value_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns a number whose highest bit is set for the bits of a NaN. */
static inline uint64_t h3ou__nan_mark_of(uint64_t bits)
{
    return (bits & ~(UINT64_C(1) << 63)) + (UINT64_C(1) << 52) - 1;
}

/* Returns the bits where the condition holds, else 0. */
static inline uint64_t h3ou__bits_if(bool holds, uint64_t bits)
{
    return bits & -(uint64_t)holds;
}

/* Returns *value / *by * times, or 0 where *by is not above 0. *by is not NaN. */
static inline double h3ou__divided(const double *value, const double *by, double times)
{
    const double one = 1.0;
    bool counts = *by > 0.0;
    uint64_t divisor = h3ou__bits_if(counts, h3ou__bits_of(by)) | h3ou__bits_if(!counts, h3ou__bits_of(&one));
    return h3ou__value_of(h3ou__bits_if(counts, h3ou__bits_of(value))) / h3ou__value_of(divisor) * times;
}

/* A missing value by its bits: bits are compared, not numbers, so a model that takes denormal numbers as 0 gets the
 * same. */
typedef struct h3ou__missing_bits {
    uint64_t compared, number; /* which bits of a value are compared, and what they are if it is missing */
} h3ou__missing_bits;

/* missing: NaN where there is none. All bits are compared, but for 0, which has two signs. */
static inline h3ou__missing_bits h3ou__missing_bits_of(double missing)
{
    uint64_t bits = h3ou__bits_of(&missing), compared = ~((uint64_t)(bits << 1 == 0) << 63);
    return (h3ou__missing_bits){compared, bits & compared};
}

/* Returns the bits, or those of a quiet NaN for the missing value. missing: NaN where there is none. */
static inline uint64_t h3ou__bits_without(double missing, uint64_t bits)
{
    const double nan = NAN;
    const h3ou__missing_bits none = h3ou__missing_bits_of(missing);
    bool is_missing = (bits & none.compared) == none.number;
    return h3ou__bits_if(!is_missing, bits) | h3ou__bits_if(is_missing, h3ou__bits_of(&nan));
}

/* The same of a float. */
static inline uint32_t h3ou__single_bits_without(float missing, uint32_t bits)
{
    const uint32_t quiet = UINT32_C(0x7fc00000);
    uint32_t number, compared, is_missing;
    memcpy(&number, &missing, sizeof number);
    compared = ~((uint32_t)(number << 1 == 0) << 31);
    is_missing = -(uint32_t)((bits & compared) == (number & compared)); /* all bits, or none */
    return (bits & ~is_missing) | (quiet & is_missing);
}

/* Returns the bits of *from, of a quiet NaN for a NaN and for the missing value, which is NaN where there is none. */
static inline uint64_t h3ou__taken_bits(const double *from, double missing)
{
    uint64_t bits = h3ou__bits_without(missing, h3ou__bits_of(from));
    return bits | h3ou__nan_mark_of(bits) >> 63 << 51;
}

#endif
