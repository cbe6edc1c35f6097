/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/polygon.h"

#include <math.h>
#include <string.h>

#include "interp/vector.h"

static int next(const h3ou__polygon *p, int k)
{
    return k + 1 < p->n ? k + 1 : 0;
}

/* Eastward angle from a to b on their latitude circle, as the tangent of its half. */
static double half_tangent(const double a[3], const double b[3])
{
    double across = a[0] * b[1] - a[1] * b[0], along = a[0] * b[0] + a[1] * b[1];
    double circle2 = 0.5 * (a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1]);
    return across / (circle2 + along);
}

/* The area between an arc of a latitude circle, eastward by 2 atan(t), and the great circle's arc between the same
 * points: 2 atan(z t) - 2 z atan(t), positive where the circle's arc lies farther from the pole of z's sign. By series
 * where the difference would cancel. */
static double lens_area(double z, double t)
{
    double t2 = t * t, z2 = z * z;
    if (fabs(t) > 0.05)
        return 2.0 * atan(z * t) - 2.0 * z * atan(t);
    double sum = 0.0, tk = t, zk = z;
    for (int k = 1; k <= 6; k++) {
        tk *= -t2;
        zk *= z2;
        sum += (zk - z) * tk / (2 * k + 1);
    }
    return 2.0 * sum;
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

/* Half the excess of the triangle o a b (F. Eriksson, 1990), from differences so that small ones keep their digits. */
static double half_excess(const double o[3], const double a[3], const double b[3])
{
    double da[3], db[3], n[3];
    h3ou__sub(a, o, da);
    h3ou__sub(b, o, db);
    h3ou__cross(da, db, n);
    double above = h3ou__dot(o, n);
    double below = 1.0 + h3ou__dot(o, a) + h3ou__dot(a, b) + h3ou__dot(b, o);
    double x = above / below;
    if (!(fabs(x) < 0.02) || below < 1.0)
        return atan2(above, below);
    double x2 = x * x;
    return x * (1.0 + x2 * (-1.0 / 3 + x2 * (1.0 / 5 + x2 * (-1.0 / 7 + x2 / 9))));
}

double h3ou__polygon_area(const h3ou__polygon *p)
{
    double half = 0.0, lenses = 0.0;
    for (int k = 1; k + 1 < p->n; k++)
        half += half_excess(p->v[0], p->v[k], p->v[k + 1]);
    if (p->has_circles)
        for (int k = 0; k < p->n; k++)
            if (p->circle[k])
                lenses += lens_area(p->v[k][2], half_tangent(p->v[k], p->v[next(p, k)]));
    return 2.0 * half + lenses;
}

/* arc / sin(arc) - 1, given the sine's square; arcs are below 90 degrees. */
static double arc_excess(double s2)
{
    if (s2 < 1e-3)
        return s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * 105.0 / 3456)));
    double s = sqrt(s2);
    return asin(fmin(1.0, s)) / s - 1.0;
}

/* Half the line integral of r x dr. With r = o + d the part of o and the chords cancels round the polygon and is left
 * out, which saves the digits of small ones; what remains of an edge a b is d_a x d_b and its bend. */
void h3ou__polygon_moment(const h3ou__polygon *p, double moment[3])
{
    double sum[3] = {0, 0, 0};
    const double *o = p->v[0];
    for (int k = 0; k < p->n; k++) {
        const double *a = p->v[k], *b = p->v[next(p, k)];
        double da[3], db[3], n[3], bend[3], step[3];
        h3ou__sub(a, o, da);
        h3ou__sub(b, o, db);
        h3ou__sub(b, a, step);
        h3ou__cross(da, db, n);
        h3ou__cross(a, step, bend);
        if (p->circle[k]) {
            double t = half_tangent(a, b), level2 = fmax(0.0, 1.0 - a[2] * a[2]);
            n[2] += level2 * beyond_sine(2.0 * atan(t));
        } else {
            double s2 = h3ou__dot(bend, bend);
            double more = h3ou__dot(a, b) > 0 ? arc_excess(s2) : atan2(sqrt(s2), h3ou__dot(a, b)) / sqrt(s2) - 1.0;
            for (int d = 0; d < 3; d++)
                n[d] += more * bend[d];
        }
        for (int d = 0; d < 3; d++)
            sum[d] += n[d];
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
    const double *a = p->v[k], *b = p->v[next(p, k)];
    s->circle = p->circle[k];
    if (s->circle) {
        s->level = a[2];
        s->sign = a[0] * b[1] - a[1] * b[0] > 0 ? 1.0 : -1.0; /* eastward: the inside is north */
    } else
        h3ou__cross(a, b, s->n);
}

static double height(const side *s, const double x[3])
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
            if (k != e && k != next(p, e) && height(&s, p->v[k]) < -SLACK)
                return false;
        /* A great circle's arc may bulge over the latitude circle between corners that do not. */
        for (int k = 0; s.circle && k < p->n; k++)
            if (!p->circle[k]) {
                const double *a = p->v[k], *b = p->v[next(p, k)];
                double m[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
                h3ou__normalise(m);
                if (height(&s, m) < -SLACK)
                    return false;
            }
    }
    return p->n >= 3;
}

/* The height of a great circle's arc p q over a latitude circle, at t (0 to 1) on its chord, times the length of the
 * chord's point; d = q - p. */
static double arc_height(const double p[3], const double d[3], double dd, double level, double t, double *slope)
{
    double length = sqrt(1.0 - t * (1.0 - t) * dd);
    *slope = d[2] - level * (t - 0.5) * dd / length;
    return p[2] + t * d[2] - level * length;
}

/* The one zero between low and high: Newton's steps, halving where they leave the bracket. */
static double arc_at_level(const double p[3], const double d[3], double dd, double level, double low, double high)
{
    double slope, at_low = arc_height(p, d, dd, level, low, &slope);
    double at_high = arc_height(p, d, dd, level, high, &slope);
    double t = low + (high - low) * at_low / (at_low - at_high);
    for (int i = 0; i < 60 && high > low; i++) {
        double h = arc_height(p, d, dd, level, t, &slope);
        if (h == 0.0)
            return t;
        if ((h > 0) == (at_low > 0))
            low = t;
        else
            high = t;
        double better = t - h / slope;
        if (!(better > low && better < high))
            better = fabs(better - t) < 4e-16 ? t : 0.5 * (low + high);
        if (fabs(better - t) <= 2e-16)
            return better;
        t = better;
    }
    return t;
}

/* Where the arc p q reaches z = level: once when its ends are on two sides, else twice when its apex is beyond. */
static int chord_at_level(const double p[3], const double q[3], double level, bool opposite, double t[2])
{
    double d[3], slope;
    h3ou__sub(q, p, d);
    double dd = h3ou__dot(d, d);
    if (opposite) {
        t[0] = arc_at_level(p, d, dd, level, 0.0, 1.0);
        return 1;
    }
    double apex = (d[2] + 0.5 * p[2] * dd) / (dd * (p[2] + 0.5 * d[2]));
    if (!(apex > 0.0 && apex < 1.0))
        return 0;
    double at_end = arc_height(p, d, dd, level, 0.0, &slope);
    if ((arc_height(p, d, dd, level, apex, &slope) > 0) == (at_end > 0))
        return 0;
    t[0] = arc_at_level(p, d, dd, level, 0.0, apex);
    t[1] = arc_at_level(p, d, dd, level, apex, 1.0);
    return 2;
}

static void on_chord(const double p[3], const double q[3], double t, double x[3])
{
    for (int d = 0; d < 3; d++)
        x[d] = p[d] + t * (q[d] - p[d]);
    h3ou__normalise(x);
}

/* Where the arc p q of a latitude circle meets the plane n . x = 0: up to two places, as tangents of half the angle
 * from p, in units of which the arc ends at `end`. */
static int circle_at_plane(const double p[3], const double q[3], const double n[3], double t[2])
{
    double end = half_tangent(p, q), turn = end < 0 ? -1.0 : 1.0;
    double a0 = n[0] * p[0] + n[1] * p[1], b0 = turn * (n[1] * p[0] - n[0] * p[1]), c0 = n[2] * p[2];
    double a = c0 - a0, b = b0, c = a0 + c0; /* a t2 + 2 b t + c = 0 */
    double disc = b * b - a * c, root[2];
    int k = 0, found = 0;
    if (disc < 0)
        return 0;
    double s = -(b + copysign(sqrt(disc), b));
    if (a != 0)
        root[k++] = s / a;
    if (s != 0)
        root[k++] = c / s;
    for (int i = 0; i < k; i++)
        if (root[i] >= 0 && root[i] <= fabs(end))
            t[found++] = turn * root[i];
    if (found == 2 && fabs(t[0]) > fabs(t[1])) {
        double keep = t[0];
        t[0] = t[1];
        t[1] = keep;
    }
    return found;
}

static void on_circle(const double p[3], double t, double x[3])
{
    double c = (1.0 - t * t) / (1.0 + t * t), s = 2.0 * t / (1.0 + t * t);
    x[0] = c * p[0] - s * p[1];
    x[1] = s * p[0] + c * p[1];
    x[2] = p[2];
}

/* The places where edge k crosses the side's border, in order along the edge: none, one or two. */
static int crossings(const h3ou__polygon *p, int k, const side *s, double hp, double hq, double x[2][3])
{
    const double *a = p->v[k], *b = p->v[next(p, k)];
    bool opposite = (hp >= 0) != (hq >= 0);
    double t[2];
    int n = 0;
    if (p->circle[k] && s->circle) { /* both at one height; roundings apart */
        if (opposite)
            memcpy(x[n++], b, 3 * sizeof(double));
        return n;
    }
    if (!p->circle[k] && !s->circle) {
        if (opposite)
            on_chord(a, b, hp / (hp - hq), x[n++]);
        return n;
    }
    n = p->circle[k] ? circle_at_plane(a, b, s->n, t) : chord_at_level(a, b, s->level, opposite, t);
    if (opposite && n != 1) { /* an end lies on the border up to rounding */
        memcpy(x[0], fabs(hp) < fabs(hq) ? a : b, 3 * sizeof(double));
        return 1;
    }
    if (!opposite && n == 1)
        return 0;
    for (int i = 0; i < n; i++)
        if (p->circle[k])
            on_circle(a, t[i], x[i]);
        else
            on_chord(a, b, t[i], x[i]);
    return n;
}

static void emit(h3ou__polygon *out, const double x[3], bool circle)
{
    if (out->n == H3OU__POLYGON_MOST)
        return;
    memcpy(out->v[out->n], x, 3 * sizeof(double));
    out->circle[out->n++] = circle;
    out->has_circles |= circle;
}

/* Can an edge whose ends are on one side of the border reach over it? Only where one of the two is a latitude circle,
 * and only by the height of an arc over its chord. */
static bool may_bulge(const h3ou__polygon *p, int k, const side *s, double hp, double hq)
{
    if (p->circle[k] == s->circle)
        return false;
    const double *a = p->v[k], *b = p->v[next(p, k)];
    double d[3], low = fmin(fabs(hp), fabs(hq));
    h3ou__sub(b, a, d);
    double rise = 0.26 * h3ou__dot(d, d);
    if (s->circle)
        return low < rise;
    return low < fmin(rise / sqrt(1.0 - a[2] * a[2]), 0.51 * sqrt(h3ou__dot(d, d))) * sqrt(h3ou__dot(s->n, s->n));
}

/* What of `in` lies on the inner side (I. E. Sutherland and G. W. Hodgman, 1974, with arcs for edges). Where `in` falls
 * apart the parts stay joined by edges that run to and fro along the border: nothing is added to area or moment. */
static void clip(const h3ou__polygon *in, const side *s, h3ou__polygon *out)
{
    double h[H3OU__POLYGON_MOST];
    for (int k = 0; k < in->n; k++)
        h[k] = height(s, in->v[k]);
    out->n = 0;
    out->has_circles = false;
    for (int k = 0; k < in->n; k++) {
        double hp = h[k], hq = h[next(in, k)], x[2][3];
        bool inside = hp >= 0, circle = in->circle[k];
        if (inside)
            emit(out, in->v[k], circle);
        if ((hq >= 0) == inside && !may_bulge(in, k, s, hp, hq))
            continue;
        int n = crossings(in, k, s, hp, hq, x);
        for (int i = 0; i < n; i++) {
            emit(out, x[i], inside ? s->circle : circle);
            inside = !inside;
        }
    }
}

/* 1: all inside, -1: all outside (surely), 0: neither is sure. */
static int whole(const h3ou__polygon *p, const side *s)
{
    int in = 0, out = 0;
    for (int k = 0; k < p->n; k++) {
        double h = height(s, p->v[k]), hq = height(s, p->v[next(p, k)]);
        in += h >= 0;
        out += h <= 0;
        if ((p->has_circles || s->circle) && (h >= 0) == (hq >= 0) && may_bulge(p, k, s, h, hq))
            return 0;
    }
    return in == p->n ? 1 : out == p->n ? -1 : 0;
}

/* p cut by the n sides; the result stands in *result, one of p, one, two. */
static const h3ou__polygon *clip_all(const h3ou__polygon *p, int n, const side side_of[], h3ou__polygon *one,
                                     h3ou__polygon *two)
{
    const h3ou__polygon *now = p;
    for (int k = 0; k < n; k++) {
        int is_whole = whole(now, &side_of[k]);
        if (is_whole > 0)
            continue;
        h3ou__polygon *to = now == one ? two : one;
        to->n = 0;
        if (is_whole < 0)
            return to;
        clip(now, &side_of[k], to);
        now = to;
        if (now->n < 2)
            return now;
    }
    return now;
}

static double measure(const h3ou__polygon *p, double sign, double moment[3])
{
    if (p->n < 2)
        return 0.0;
    if (moment) {
        double m[3];
        h3ou__polygon_moment(p, m);
        for (int d = 0; d < 3; d++)
            moment[d] += sign * m[d];
    }
    return sign * h3ou__polygon_area(p);
}

static double overlap_sides(const h3ou__polygon *p, int n, const side side_of[], double sign, double moment[3])
{
    h3ou__polygon one, two;
    return measure(clip_all(p, n, side_of, &one, &two), sign, moment);
}

static double overlap_convex(const h3ou__polygon *p, const h3ou__polygon *with, double moment[3])
{
    side side_of[H3OU__POLYGON_MOST];
    for (int k = 0; k < with->n; k++)
        edge_side(with, k, &side_of[k]);
    return overlap_sides(p, with->n, side_of, 1.0, moment);
}

/* `with` as triangles over its first corner, whose signs cancel outside, and what lies between its latitude circles and
 * their chords' great circles. */
static double overlap_signed(const h3ou__polygon *p, const h3ou__polygon *with, double moment[3])
{
    double area = 0.0;
    for (int k = 1; k + 1 < with->n; k++) {
        double half = half_excess(with->v[0], with->v[k], with->v[k + 1]);
        side side_of[3];
        h3ou__polygon t = {.n = 3};
        memcpy(t.v[0], with->v[0], sizeof t.v[0]);
        memcpy(t.v[1], with->v[half > 0 ? k : k + 1], sizeof t.v[1]);
        memcpy(t.v[2], with->v[half > 0 ? k + 1 : k], sizeof t.v[2]);
        for (int e = 0; e < 3; e++)
            edge_side(&t, e, &side_of[e]);
        if (half != 0)
            area += overlap_sides(p, 3, side_of, half > 0 ? 1.0 : -1.0, moment);
    }
    for (int k = 0; k < with->n; k++) {
        const double *a = with->v[k], *b = with->v[next(with, k)];
        if (!with->circle[k])
            continue;
        double lens = lens_area(a[2], half_tangent(a, b));
        bool eastward = half_tangent(a, b) > 0, north = a[2] >= 0;
        side side_of[2] = {{.circle = true, .level = a[2], .sign = north ? 1.0 : -1.0}, {.circle = false}};
        h3ou__cross(eastward == north ? b : a, eastward == north ? a : b, side_of[1].n); /* inner: away from the pole */
        if (lens != 0)
            area += overlap_sides(p, 2, side_of, lens > 0 ? 1.0 : -1.0, moment);
    }
    return area;
}

double h3ou__polygon_overlap(const h3ou__polygon *a, const h3ou__polygon *b, double moment[3])
{
    if (moment)
        moment[0] = moment[1] = moment[2] = 0.0;
    if (a->n < 3 || b->n < 3)
        return 0.0;
    if (b->convex)
        return overlap_convex(a, b, moment);
    return a->convex ? overlap_convex(b, a, moment) : overlap_signed(a, b, moment);
}

bool h3ou__polygon_contains(const h3ou__polygon *p, const double x[3])
{
    if (p->convex) {
        for (int k = 0; k < p->n; k++) {
            side s;
            edge_side(p, k, &s);
            if (height(&s, x) < 0)
                return false;
        }
        return p->n >= 3;
    }
    /* The triangles over the first corner, with signs: the sum is 1 inside. */
    int sum = 0;
    for (int k = 1; k + 1 < p->n; k++) {
        double half = half_excess(p->v[0], p->v[k], p->v[k + 1]), sign = half > 0 ? 1.0 : -1.0;
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

static void cell_box(const h3ou__cells *c, int64_t i, h3ou__polygon *out)
{
    int64_t nx = c->dims[0], ny = c->dims[1], id = h3ou__cell_id(c, i), x = id % nx, y = id / nx;
    const double *west = c->box_trig + 2 * x, *east = c->box_trig + 2 * nx + 2 * x;
    const double *south = c->box_trig + 4 * nx + 2 * y, *north = c->box_trig + 4 * nx + 2 * ny + 2 * y;
    out->n = 0;
    out->convex = true;
    out->has_circles = false;
    const double *meridian[4] = {west, east, east, west}, *row[4] = {south, south, north, north};
    for (int k = 0; k < 4; k++) {
        if ((k == 1 || k == 3) && row[k][0] == 0.0)
            continue; /* the pole is one corner */
        double v[3] = {row[k][0] * meridian[k][0], row[k][0] * meridian[k][1], row[k][1]};
        emit(out, v, (k == 0 || k == 2) && row[k][0] != 0.0);
    }
}

void h3ou__cell_polygon(const h3ou__cells *c, int64_t i, h3ou__polygon *out)
{
    if (c->lon_west) {
        cell_box(c, i, out);
        return;
    }
    out->n = 0;
    out->has_circles = false;
    if (!c->first)
        return;
    out->n = (int)(c->first[i + 1] - c->first[i]);
    out->convex = c->convex[i];
    memcpy(out->v, c->corner + 3 * c->first[i], 3 * sizeof(double) * (size_t)out->n);
    memset(out->circle, 0, (size_t)out->n);
    for (int k = 0; c->edges == H3OU__EDGES_LATITUDE && k < out->n; k++) {
        double za = out->v[k][2], zb = out->v[next(out, k)][2];
        out->circle[k] = fabs(za - zb) < 1e-10 && fabs(za) < 1.0 - 1e-10;
        out->has_circles |= out->circle[k];
    }
}
