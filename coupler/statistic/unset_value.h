/* SPDX-License-Identifier: BSD-3-Clause */
/* The value that stands in an array of doubles where none was set: a NaN that no arithmetic makes. */
#ifndef H3OU_COUPLER_STATISTIC_UNSET_VALUE_H
#define H3OU_COUPLER_STATISTIC_UNSET_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const uint64_t H3OU__UNSET = UINT64_C(0x7ff8683363756e73);

static inline bool h3ou__is_unset(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == H3OU__UNSET;
}

/* Makes all values of an array unset. */
static inline void h3ou__unset(double value[], int64_t values)
{
    for (int64_t i = 0; i < values; i++)
        memcpy(&value[i], &H3OU__UNSET, sizeof H3OU__UNSET);
}

#endif
