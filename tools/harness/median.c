/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/harness/median.h"

#include <stdlib.h>

#include "base/compare.h"

double median_of(double value[], long n)
{
    if (n < 1)
        return 0.0;
    qsort(value, (size_t)n, sizeof *value, h3ou__compare_double);
    return n % 2 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}
