/* SPDX-License-Identifier: BSD-3-Clause */
/* Pi, degrees and radians, and distances along great circles. */
#ifndef H3OU_INTERP_SPHERE_ANGLES_H
#define H3OU_INTERP_SPHERE_ANGLES_H

#include <math.h>
#include <stdbool.h>

#define H3OU__PI                 3.14159265358979323846
#define H3OU__RADIANS_PER_DEGREE (H3OU__PI / 180.0)
#define H3OU__DEGREES_PER_RADIAN (180.0 / H3OU__PI)

/* Is (lon, lat), in radians, a place of the sphere? NaN, missing values as 1e20 and latitudes beyond a pole are none; a
 * pole in single precision is not quite one. */
static inline bool h3ou__is_place(double lon, double lat)
{
    return isfinite(lon) && isfinite(lat) && fabs(lon) < 1e4 && fabs(lat) <= H3OU__PI / 2 + 1e-6;
}

/* The lower or higher of two numbers, inline and without an exception; a second one that is NaN is ignored. */
static inline double h3ou__lower(double kept, double v)
{
    return isless(v, kept) ? v : kept;
}

static inline double h3ou__higher(double kept, double v)
{
    return isgreater(v, kept) ? v : kept;
}

/* The angle less whole turns, from -pi to pi: remainder(angle, 2 pi), which is called only where it must be, since it takes long. */
static inline double h3ou__less_turns(double angle)
{
    return islessequal(fabs(angle), H3OU__PI) ? angle : remainder(angle, 2 * H3OU__PI);
}

/* The great-circle distance, in radians, of two places whose chord (straight distance) has the square chord2. */
static inline double h3ou__chord_arc(double chord2)
{
    return 2.0 * asin(fmin(1.0, 0.5 * sqrt(chord2)));
}

/* The great-circle distance of two places, all in radians: by haversines, exact for short distances too. */
static inline double h3ou__great_circle(double lon_a, double lat_a, double lon_b, double lat_b)
{
    double u = sin(0.5 * (lat_b - lat_a)), v = sin(0.5 * (lon_b - lon_a));
    return 2.0 * asin(fmin(1.0, sqrt(u * u + cos(lat_a) * cos(lat_b) * v * v)));
}

#endif
