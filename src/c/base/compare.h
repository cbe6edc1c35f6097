/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders for qsort and bsearch, ascending. Items may be longer than the number that they begin with. */
#ifndef H3OU_BASE_COMPARE_H
#define H3OU_BASE_COMPARE_H

#include <stdint.h>

static inline int h3ou__compare_int64(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static inline int h3ou__compare_double(const void *a, const void *b) /* not for NaN */
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

#endif
