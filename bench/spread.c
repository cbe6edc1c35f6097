/* SPDX-License-Identifier: BSD-3-Clause */
#include "spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void spread_print(double *value, int n, double scale)
{
    qsort(value, (size_t)n, sizeof *value, by_value);
    printf(" %.5g %.5g %.5g", scale * value[n / 2], scale * value[0], scale * value[n - 1]);
}

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
