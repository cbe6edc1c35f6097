/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef H3OU_INTERP_FILE_AXIS_BOUNDS_H
#define H3OU_INTERP_FILE_AXIS_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Bounds of an axis that has none, as CDO makes them: halfway between neighbours, as far beyond the ends; a last
 * latitude bound beyond 88 degrees is the pole. In the units of the values, of which `turn`
 * make a circle. value[n]: the values, going on where they pass the date line; bounds[2 * n]; n > 1.
 */
void h3ou__axis_bounds(const double given[], size_t n, double turn, bool latitudes, double value[], double bounds[]);

#endif
