/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/analytic_fields.h"

#include <math.h>

static const double degree = M_PI / 180.0;

static double eval_sinusoid(double lon, double lat)
{
    double arc = acos(fmax(-1.0, fmin(1.0, cos(lon) * cos(lat)))); /* distance from (0, 0) */
    return 2.0 - cos(M_PI * arc / (1.2 * M_PI));
}

static double eval_harmonic(double lon, double lat)
{
    return 2.0 + pow(sin(2.0 * lat), 16.0) * cos(16.0 * lon);
}

/* A front rolled up by two opposite vortices during a time t, after R. D. Nair and C. Jablonowski, Mon. Weather Rev.
 * 136 (2008) 699: in the frame whose pole is the vortex' centre the front turns by omega(rho) * t. */
static double eval_vortex(double lon, double lat)
{
    const double lon0 = 5.5, lat0 = 0.2, r0 = 3.0, d = 5.0, t = 6.0;
    double east = cos(lat) * sin(lon - lon0), ahead = cos(lat) * cos(lon - lon0), up = sin(lat);
    double x = sin(lat0) * ahead - cos(lat0) * up, z = cos(lat0) * ahead + sin(lat0) * up;
    double around = atan2(east, x), rho = r0 * sqrt(fmax(0.0, 1.0 - z * z));
    double speed = 1.5 * sqrt(3.0) * tanh(rho) / (cosh(rho) * cosh(rho));
    double omega = rho > 0.0 ? speed / rho : 0.0;
    return 2.0 * (1.0 + tanh(rho / d * sin(around - omega * t)));
}

/* The sinusoid and a meandering jet: a ridge cut from the top of a spiral wave around (80 W, 25 N), at full strength up
 * to the distance of (25.5 W, 55.5 N) and gone at that of (1.8 W, 50 N). Distances are those of the lon-lat plane. */
static double eval_gulfstream(double lon, double lat)
{
    const double lon0 = -80.0 * degree, lat0 = 25.0 * degree, height = 1.3;
    const double end = hypot((-1.8 + 80.0) * degree, (50.0 - 25.0) * degree);
    const double fade = hypot((-25.5 + 80.0) * degree, (55.5 - 25.0) * degree);
    double dx = remainder(lon, 2.0 * M_PI) - lon0, dy = lat - lat0;
    double r = hypot(dx, dy), angle = atan2(dy, dx), strength = r > end ? 0.0 : height;
    if (r > fade)
        strength *= cos(0.5 * M_PI * (r - fade) / (end - fade));
    double wave = 1000.0 * sin(0.4 * (0.5 * r + angle) + 0.007 * cos(50.0 * angle) + 0.37 * M_PI);
    return eval_sinusoid(lon, lat) + fmax(0.0, wave - 999.0) * strength;
}

const field fields[FIELDS] = {
    {"sinusoid", "a slowly varying sinusoid", eval_sinusoid},
    {"harmonic", "a spherical harmonic, wave number 16", eval_harmonic},
    {"vortex", "two opposite vortices", eval_vortex},
    {"gulfstream", "the sinusoid with a gulf stream", eval_gulfstream},
};
