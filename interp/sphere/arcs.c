/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/sphere/arcs.h"

#include <math.h>

#include "interp/sphere/vector.h"

double h3ou__half_tangent(const double a[3], const double step[3])
{
    double b[2] = {a[0] + step[0], a[1] + step[1]};
    double across = a[0] * step[1] - a[1] * step[0];
    double circle2 = 0.5 * (a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1]);
    double along = circle2 + a[0] * b[0] + a[1] * b[1];
    return along != 0.0 ? across / along : copysign(1e150, across); /* half a circle; its square does not overflow */
}

double h3ou__lens_area(double z, double t)
{
    double t2 = t * t, z2 = z * z;
    if (fabs(t) > 0.05)
        return 2.0 * atan(z * t) - 2.0 * z * atan(t);
    /* By series, since the difference would cancel. */
    double sum = 0.0, tk = t, zk = z;
    for (int k = 1; k <= 6; k++) {
        tk *= -t2;
        zk *= z2;
        sum += (zk - z) * tk / (2 * k + 1);
    }
    return 2.0 * sum;
}

double h3ou__half_excess(const double o[3], const double da[3], const double db[3])
{
    double n[3];
    h3ou__cross(da, db, n);
    double above = h3ou__dot(o, n);
    double below = 4.0 + 2.0 * (h3ou__dot(o, da) + h3ou__dot(o, db)) + h3ou__dot(da, db);
    if (below < 1.0)
        return atan2(above, below);
    double x = above / below;
    if (!(fabs(x) < 0.02))
        return atan2(above, below);
    double x2 = x * x;
    return x * (1.0 + x2 * (-1.0 / 3 + x2 * (1.0 / 5 + x2 * (-1.0 / 7 + x2 / 9))));
}

/* angle - sin(angle) */
static double beyond_sine(double angle)
{
    if (fabs(angle) > 0.3)
        return angle - sin(angle);
    double a2 = angle * angle, term = angle * a2 / 6, sum = 0;
    for (int k = 4; k <= 18; k += 2) {
        sum += term;
        term *= -a2 / (k * (k + 1));
    }
    return sum;
}

/* arc / sin(arc) - 1, given sine and cosine. */
static double arc_excess(double s2, double c)
{
    if (s2 < 1e-3 && c > 0)
        return s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * 105.0 / 3456)));
    double s = sqrt(s2);
    return atan2(s, c) / s - 1.0;
}

void h3ou__edge_moment(const double a[3], const double da[3], const double step[3], bool circle, double sum[3])
{
    double n[3], bend[3];
    h3ou__cross(da, step, n);
    if (circle) {
        double t = h3ou__half_tangent(a, step);
        n[2] += fmax(0.0, 1.0 - a[2] * a[2]) * beyond_sine(2.0 * atan(t));
    } else {
        h3ou__cross(a, step, bend);
        double s2 = h3ou__dot(bend, bend), c = 1.0 + h3ou__dot(a, step);
        double more = s2 > 0 ? arc_excess(s2, c) : 0.0;
        for (int d = 0; d < 3; d++)
            n[d] += more * bend[d];
    }
    for (int d = 0; d < 3; d++)
        sum[d] += n[d];
}
