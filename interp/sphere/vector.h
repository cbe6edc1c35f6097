/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors in three dimensions. */
#ifndef H3OU_INTERP_SPHERE_VECTOR_H
#define H3OU_INTERP_SPHERE_VECTOR_H

#include <math.h>

/* The point of the unit sphere at a longitude and latitude, radians. */
static inline void h3ou__unit_vector(double lon, double lat, double x[3])
{
    double level = cos(lat);
    x[0] = level * cos(lon);
    x[1] = level * sin(lon);
    x[2] = sin(lat);
}

static inline double h3ou__dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void h3ou__cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void h3ou__sub(const double a[3], const double b[3], double out[3])
{
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
    out[2] = a[2] - b[2];
}

/* Scales a to length 1; a vector of length 0 stays as it is. */
static inline void h3ou__normalise(double a[3])
{
    double s2 = h3ou__dot(a, a);
    if (!(s2 > 0.0))
        return;
    double s = 1.0 / sqrt(s2);
    a[0] *= s;
    a[1] *= s;
    a[2] *= s;
}

#endif
