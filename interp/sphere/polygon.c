/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/sphere/polygon.h"

#include <math.h>
#include <string.h>

#include "interp/sphere/arcs.h"
#include "interp/sphere/vector.h"

static int next_corner(const h3ou__polygon *p, int k)
{
    return k + 1 < p->n ? k + 1 : 0;
}

/* A corner to which no other corner is nearly opposite on the sphere, so that triangles with it are well defined. */
static int fan_start(const h3ou__polygon *p)
{
    for (int o = 0; o < p->n; o++) {
        double least = 1.0;
        for (int k = 0; k < p->n; k++)
            least = fmin(least, h3ou__dot(p->v[o], p->v[k]));
        if (least > -0.99)
            return o;
    }
    return 0;
}

double h3ou__polygon_area(const h3ou__polygon *p)
{
    int o = fan_start(p), at = next_corner(p, o);
    double half = 0.0, lenses = 0.0, da[3], db[3], step[3];
    h3ou__sub(p->v[at], p->v[o], db);
    for (int k = 2; k < p->n; k++) {
        at = next_corner(p, at);
        memcpy(da, db, sizeof da);
        h3ou__sub(p->v[at], p->v[o], db);
        half += h3ou__half_excess(p->v[o], da, db);
    }
    for (int k = 0; p->has_circles && k < p->n; k++)
        if (p->circle[k]) {
            h3ou__sub(p->v[next_corner(p, k)], p->v[k], step);
            lenses += h3ou__lens_area(p->v[k][2], h3ou__half_tangent(p->v[k], step));
        }
    return 2.0 * half + lenses;
}

void h3ou__polygon_moment(const h3ou__polygon *p, double moment[3])
{
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < p->n; k++) {
        double da[3], step[3];
        h3ou__sub(p->v[k], p->v[0], da);
        h3ou__sub(p->v[next_corner(p, k)], p->v[k], step);
        h3ou__edge_moment(p->v[k], da, step, p->circle[k], sum);
    }
    for (int d = 0; d < 3; d++)
        moment[d] = 0.5 * sum[d];
}

/* A half-space {x: n . x >= 0}, or {x: sign * (z - level) >= 0} for an edge on a latitude circle. */
typedef struct side {
    bool circle;
    double n[3];
    double level, sign;
} side;

static void edge_side(const h3ou__polygon *p, int k, side *s)
{
    const double *a = p->v[k], *b = p->v[next_corner(p, k)];
    s->circle = p->circle[k];
    if (s->circle) {
        s->level = a[2];
        s->sign = a[0] * b[1] - a[1] * b[0] > 0 ? 1.0 : -1.0; /* eastward: the inside is north */
    } else
        h3ou__cross(a, b, s->n);
}

static double height_over_side(const side *s, const double x[3])
{
    return s->circle ? s->sign * (x[2] - s->level) : h3ou__dot(s->n, x);
}

bool h3ou__polygon_is_convex(const h3ou__polygon *p)
{
    const double SLACK = 1e-13;
    for (int e = 0; e < p->n; e++) {
        side s;
        edge_side(p, e, &s);
        for (int k = 0; k < p->n; k++)
            if (k != e && k != next_corner(p, e) && height_over_side(&s, p->v[k]) < -SLACK)
                return false;
        /* A great circle's arc may bulge over the latitude circle between corners that do not. */
        for (int k = 0; s.circle && k < p->n; k++)
            if (!p->circle[k]) {
                const double *a = p->v[k], *b = p->v[next_corner(p, k)];
                double m[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
                h3ou__normalise(m);
                if (height_over_side(&s, m) < -SLACK)
                    return false;
            }
    }
    return p->n >= 3;
}

bool h3ou__polygon_contains(const h3ou__polygon *p, const double x[3])
{
    if (p->convex) {
        for (int k = 0; k < p->n; k++) {
            side s;
            edge_side(p, k, &s);
            if (height_over_side(&s, x) < 0)
                return false;
        }
        return p->n >= 3;
    }
    /* Not convex: each triangle of the fan from the first corner that contains x counts +1 or -1 by its orientation;
     * the sum is 1 inside. */
    int sum = 0;
    for (int k = 1; k + 1 < p->n; k++) {
        double da[3], db[3];
        h3ou__sub(p->v[k], p->v[0], da);
        h3ou__sub(p->v[k + 1], p->v[0], db);
        double half = h3ou__half_excess(p->v[0], da, db), sign = half > 0 ? 1.0 : -1.0;
        bool in = true;
        const double *v[3] = {p->v[0], p->v[k], p->v[k + 1]};
        for (int e = 0; e < 3; e++) {
            double n[3];
            h3ou__cross(v[e], v[(e + 1) % 3], n);
            in &= sign * h3ou__dot(n, x) >= 0;
        }
        sum += in && half != 0 ? (int)sign : 0;
    }
    return sum > 0;
}
