/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/harness/median.h"

#include <stdlib.h>

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double value[], long n)
{
    if (n < 1)
        return 0.0;
    qsort(value, (size_t)n, sizeof *value, compare_values);
    return n % 2 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}
