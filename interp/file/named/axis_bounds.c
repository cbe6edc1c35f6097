/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/named/axis_bounds.h"

#include <math.h>

void h3ou__axis_bounds(const double given[], size_t n, double turn, bool latitudes, double value[], double bounds[])
{
    for (size_t i = 0; i < n; i++) { /* an axis that passes the date line goes on */
        double step = i > 0 ? given[i] - value[i - 1] : 0.0;
        value[i] = latitudes || fabs(step) <= turn / 2 ? given[i] : given[i] - turn * round(step / turn);
    }
    for (size_t i = 0; i + 1 < n; i++)
        bounds[2 * i + 1] = bounds[2 * i + 2] = 0.5 * (value[i] + value[i + 1]);
    bounds[0] = 2 * value[0] - bounds[1];
    bounds[2 * n - 1] = 2 * value[n - 1] - bounds[2 * n - 2];
    double near_pole = turn * 88.0 / 360.0;
    for (size_t i = 0; i < 2 && latitudes; i++) {
        double *end = &bounds[i == 0 ? 0 : 2 * n - 1];
        if (fabs(*end) > near_pole)
            *end = copysign(turn / 4, *end);
    }
}
