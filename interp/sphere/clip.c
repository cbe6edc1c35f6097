/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/sphere/clip.h"

#include <math.h>
#include <string.h>

#include "interp/sphere/arcs.h"
#include "interp/sphere/vector.h"

/* The polygon being clipped: its corners relative to an origin near them. The differences are exact, and the rounding
 * of a cut is relative to the difference, not to the place on the unit sphere, as thin cells at the poles need. */
typedef struct piece {
    const double *origin;
    int n, room;
    bool has_circles;
    double (*d)[3]; /* [room] */
    bool *circle;   /* [room] edge k */
} piece;

static int next_corner(const piece *p, int k)
{
    return k + 1 < p->n ? k + 1 : 0;
}

static void place_corner(const piece *p, int k, double x[3])
{
    for (int d = 0; d < 3; d++)
        x[d] = p->origin[d] + p->d[k][d];
}

static double height_over_side(const h3ou__side *s, const double d[3])
{
    if (s->circle)
        return s->sign * (d[2] - s->at[2]);
    return s->n[0] * (d[0] - s->at[0]) + s->n[1] * (d[1] - s->at[1]) + s->n[2] * (d[2] - s->at[2]);
}

/* Between the places origin + da and origin + db; circle: the inner side is north when b is east of a. */
static void set_side(h3ou__side *s, const double origin[3], const double da[3], const double db[3], bool circle)
{
    double a[3], step[3];
    h3ou__sub(db, da, step);
    s->circle = circle;
    memcpy(s->at, da, sizeof s->at);
    for (int d = 0; d < 3; d++)
        a[d] = origin[d] + da[d];
    s->level = a[2];
    if (circle) {
        s->sign = a[0] * step[1] - a[1] * step[0] > 0 ? 1.0 : -1.0;
        s->length2 = 1.0;
        return;
    }
    h3ou__cross(a, step, s->n);
    s->length2 = h3ou__dot(s->n, s->n);
}

void h3ou__clipper_set(h3ou__clipper *c, const h3ou__polygon *p, h3ou__side side[])
{
    c->polygon = p;
    c->side = side;
    c->n = 0;
    memcpy(c->origin, p->v[0], sizeof c->origin);
    if (!p->convex)
        return;
    for (int k = 0; k < p->n; k++) {
        double da[3], db[3];
        h3ou__sub(p->v[k], c->origin, da);
        h3ou__sub(p->v[k + 1 < p->n ? k + 1 : 0], c->origin, db);
        set_side(&side[c->n++], c->origin, da, db, p->circle[k]);
    }
}

/* Of a great circle's arc: the point at t (0 to 1) on its chord from p by d, |d|^2 = dd, has the length
 * sqrt(1 - t (1 - t) dd). Returns 1 minus that length. */
static double short_of_one(double t, double dd)
{
    double u = t * (1.0 - t) * dd;
    return u / (1.0 + sqrt(1.0 - u));
}

/* An arc that crosses a latitude circle: its start's height over the circle and the chord. */
typedef struct rise {
    double start, dz, dd, level;
} rise;

/* Height over the circle at t on the chord, times the length of the chord's point. */
static double rise_at(const rise *r, double t, double *slope)
{
    double missing = short_of_one(t, r->dd);
    *slope = r->dz - r->level * (t - 0.5) * r->dd / (1.0 - missing);
    return r->start + t * r->dz + r->level * missing;
}

/* The one zero between low and high: Newton's steps, halving where they leave the bracket. */
static double rise_zero(const rise *r, double low, double high)
{
    double slope, at_low = rise_at(r, low, &slope), at_high = rise_at(r, high, &slope);
    double t = at_low != at_high ? low + (high - low) * at_low / (at_low - at_high) : 0.5 * (low + high);
    for (int i = 0; i < 60; i++) {
        double h = rise_at(r, t, &slope);
        if (h == 0.0)
            return t;
        if ((h > 0) == (at_low > 0))
            low = t;
        else
            high = t;
        double better = slope != 0.0 ? t - h / slope : 2.0; /* beyond every bracket */
        if (fabs(better - t) <= 4e-16)
            return better;
        t = better > low && better < high ? better : 0.5 * (low + high);
    }
    return t;
}

/* Where an arc reaches the circle: once when its ends are on two sides, else twice when its apex is beyond. pz: z of
 * its start. */
static int rise_zeros(const rise *r, double pz, bool opposite, double t[2])
{
    double slope;
    if (opposite) {
        t[0] = rise_zero(r, 0.0, 1.0);
        return 1;
    }
    double above = r->dz + 0.5 * pz * r->dd, below = r->dd * (pz + 0.5 * r->dz);
    if (below == 0.0) /* the equator halves the arc: the apex of its circle lies beyond both ends */
        return 0;
    double apex = above / below;
    if (!(apex > 0.0 && apex < 1.0) || (rise_at(r, apex, &slope) > 0) == (r->start > 0))
        return 0;
    t[0] = rise_zero(r, 0.0, apex);
    t[1] = rise_zero(r, apex, 1.0);
    return 2;
}

/* An arc of a latitude circle that crosses a plane: at the angle 2 atan(t) from its start its height over the plane has
 * the sign of h + 2 across t + q t2, 0 <= t <= end. */
typedef struct dip {
    double h, across, q, end, turn; /* turn: 1 eastward, -1 */
} dip;

static void set_dip(dip *d, const double a[3], const double step[3], const double n[3], double h)
{
    double end = h3ou__half_tangent(a, step);
    d->turn = end < 0 ? -1.0 : 1.0;
    d->end = fabs(end);
    d->h = h;
    d->across = d->turn * (n[1] * a[0] - n[0] * a[1]);
    d->q = h - 2.0 * (n[0] * a[0] + n[1] * a[1]);
}

/* Between two tangents, is the arc on the inner side? */
static bool dips_inside(const dip *d, double from, double to)
{
    double t = 0.5 * (from + to);
    return d->h + t * (2.0 * d->across + t * d->q) >= 0;
}

/* The zeros on the arc, in order. */
static int dip_roots(const dip *d, double t[2])
{
    double disc = d->across * d->across - d->q * d->h, root[2];
    int k = 0, found = 0;
    if (disc < 0)
        return 0;
    double s = -(d->across + copysign(sqrt(disc), d->across)), far = 2.0 * d->end;
    if (d->q != 0 && fabs(s) <= far * fabs(d->q)) /* beyond the end a quotient might overflow */
        root[k++] = s / d->q;
    if (s != 0 && fabs(d->h) <= far * fabs(s))
        root[k++] = d->h / s;
    for (int i = 0; i < k; i++)
        if (root[i] >= 0 && root[i] <= d->end)
            t[found++] = root[i];
    if (found == 2 && t[0] > t[1]) {
        double keep = t[0];
        t[0] = t[1];
        t[1] = keep;
    }
    return found;
}

/* Where the arc changes sides: once when its ends are on two sides, else twice or not at all. When an end lies on
 * the plane up to rounding, its zero may or may not be found, whichever side the end counts for. So the zeros found
 * divide the arc into parts, and the longest part, whose side is certain, decides which zeros are changes of side; an
 * end of the arc takes the place of a zero that was not found. */
static int dip_zeros(const dip *d, bool inside, bool opposite, double t[2])
{
    double at[4] = {0.0}, low = 0.0, high = 0.0;
    int n = dip_roots(d, at + 1);
    at[n + 1] = d->end;
    for (int i = 0; i <= n; i++)
        if (at[i + 1] - at[i] > high - low) {
            low = at[i];
            high = at[i + 1];
        }
    bool as_start = dips_inside(d, low, high) == inside;
    if (opposite) {
        t[0] = as_start ? high : low;
        return 1;
    }
    if (as_start && n == 1) { /* the other part, then */
        bool first = low == 0.0;
        low = first ? at[1] : 0.0;
        high = first ? d->end : at[1];
        as_start = dips_inside(d, low, high) == inside;
    }
    if (as_start && (n < 2 || low == at[1]))
        return 0;
    t[0] = as_start ? at[1] : low;
    t[1] = as_start ? at[2] : high;
    return 2;
}

static void on_chord(const piece *p, int k, const double step[3], double dd, double t, double out[3])
{
    double missing = short_of_one(t, dd), stretch = missing / (1.0 - missing);
    for (int d = 0; d < 3; d++) {
        double here = p->d[k][d] + t * step[d];
        out[d] = here + stretch * (p->origin[d] + here);
    }
}

static void on_circle(const piece *p, int k, const double a[3], double t, double out[3])
{
    double less = -2.0 * t * t / (1.0 + t * t), sine = 2.0 * t / (1.0 + t * t);
    out[0] = p->d[k][0] + less * a[0] - sine * a[1];
    out[1] = p->d[k][1] + less * a[1] + sine * a[0];
    out[2] = p->d[k][2];
}

/* The places where edge k crosses the side's border, in order along the edge: none, one or two. */
static int find_crossings(const piece *p, int k, const h3ou__side *s, double hp, double hq, double x[2][3])
{
    double a[3], step[3], t[2];
    bool opposite = (hp >= 0) != (hq >= 0);
    const double *end = p->d[next_corner(p, k)];
    int n = 0;
    h3ou__sub(end, p->d[k], step);
    double dd = h3ou__dot(step, step);
    if (p->circle[k] && s->circle) { /* both at the same height up to rounding */
        if (opposite)
            memcpy(x[n++], end, 3 * sizeof(double));
        return n;
    }
    if (!p->circle[k] && !s->circle) {
        if (opposite)
            on_chord(p, k, step, dd, hp / (hp - hq), x[n++]);
        return n;
    }
    place_corner(p, k, a);
    if (p->circle[k]) {
        dip d;
        set_dip(&d, a, step, s->n, hp);
        n = dip_zeros(&d, hp >= 0, opposite, t);
        for (int i = 0; i < n; i++)
            if (t[i] == d.end)
                memcpy(x[i], end, 3 * sizeof(double));
            else
                on_circle(p, k, a, d.turn * t[i], x[i]);
        return n;
    }
    rise r = {s->sign * hp, step[2], dd, s->level};
    n = rise_zeros(&r, a[2], opposite, t);
    for (int i = 0; i < n; i++)
        on_chord(p, k, step, dd, t[i], x[i]);
    return n;
}

static void emit_corner(piece *out, const double d[3], bool circle)
{
    if (out->n == out->room)
        return;
    memcpy(out->d[out->n], d, 3 * sizeof(double));
    out->circle[out->n++] = circle;
    out->has_circles |= circle;
}

/* Can an edge whose ends are on one side of the border reach over it? Only where one of the two is a latitude circle,
 * and only by the height of an arc over its chord. */
static bool may_bulge(const piece *p, int k, const h3ou__side *s, double hp, double hq)
{
    if (p->circle[k] == s->circle)
        return false;
    double step[3], low = fmin(fabs(hp), fabs(hq));
    h3ou__sub(p->d[next_corner(p, k)], p->d[k], step);
    double dd = h3ou__dot(step, step);
    if (s->circle)
        return low < 0.26 * dd;
    double z = p->origin[2] + p->d[k][2];
    double l2 = low * low, n2 = s->length2;
    return l2 < 0.27 * dd * n2 && l2 * (1.0 - z * z) < 0.07 * dd * dd * n2;
}

enum verdict { OUTSIDE, CUT, INSIDE };

/* Do all corners lie beyond one side, so far that no arc reaches back? */
static bool piece_misses(const piece *p, int n, const h3ou__side side[])
{
    for (int e = 0; e < n; e++) {
        const h3ou__side *s = &side[e];
        double most = height_over_side(s, p->d[0]), reach = 0.0;
        for (int k = 1; k < p->n && most < 0; k++)
            most = fmax(most, height_over_side(s, p->d[k]));
        if (most >= 0)
            continue;
        if (p->has_circles || s->circle)
            for (int k = 0; k < p->n; k++) {
                double step[3];
                h3ou__sub(p->d[k], p->d[0], step);
                reach = fmax(reach, h3ou__dot(step, step)); /* a bulge over the chord is below this */
            }
        if (p->has_circles ? most * most > reach * s->length2 : most < -reach)
            return true;
    }
    return false;
}

/* What of `in` lies on the inner side, to out (I. E. Sutherland and G. W. Hodgman, 1974, with arcs for edges); INSIDE:
 * all of it, and out is not written. Where `in` falls apart the parts stay joined by edges that run to and fro along
 * the border: nothing is added to area or moment. */
static int clip_by_side(const piece *in, const h3ou__side *s, double h[], piece *out)
{
    int inner = 0, outer = 0;
    bool bulges = in->has_circles || s->circle;
    for (int k = 0; k < in->n; k++) {
        h[k] = height_over_side(s, in->d[k]);
        inner += h[k] >= 0;
        outer += h[k] <= 0;
    }
    if (bulges && (inner == in->n || outer == in->n)) {
        bulges = false;
        for (int k = 0; k < in->n && !bulges; k++)
            bulges = may_bulge(in, k, s, h[k], h[next_corner(in, k)]);
    }
    if (!bulges && inner == in->n)
        return INSIDE;
    if (!bulges && outer == in->n)
        return OUTSIDE;
    out->n = 0;
    out->has_circles = false;
    for (int k = 0; k < in->n; k++) {
        double hp = h[k], hq = h[next_corner(in, k)], x[2][3];
        bool inside = hp >= 0, circle = in->circle[k];
        if (inside)
            emit_corner(out, in->d[k], circle);
        if ((hq >= 0) == inside && !(bulges && may_bulge(in, k, s, hp, hq)))
            continue;
        int n = find_crossings(in, k, s, hp, hq, x);
        for (int i = 0; i < n; i++) {
            emit_corner(out, x[i], inside ? s->circle : circle);
            inside = !inside;
        }
    }
    return out->n < 2 ? OUTSIDE : CUT;
}

static double area_of(const piece *p)
{
    double o[3], half = 0.0, lenses = 0.0, da[3], db[3];
    place_corner(p, 0, o);
    h3ou__sub(p->d[1], p->d[0], db);
    for (int k = 2; k < p->n; k++) {
        memcpy(da, db, sizeof da);
        h3ou__sub(p->d[k], p->d[0], db);
        half += h3ou__half_excess(o, da, db);
    }
    for (int k = 0; p->has_circles && k < p->n; k++)
        if (p->circle[k]) {
            double a[3], step[3];
            place_corner(p, k, a);
            h3ou__sub(p->d[next_corner(p, k)], p->d[k], step);
            lenses += h3ou__lens_area(a[2], h3ou__half_tangent(a, step));
        }
    return 2.0 * half + lenses;
}

static void add_moment(const piece *p, double sign, double moment[3])
{
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < p->n; k++) {
        double a[3], step[3];
        place_corner(p, k, a);
        h3ou__sub(p->d[next_corner(p, k)], p->d[k], step);
        h3ou__edge_moment(a, p->d[k], step, p->circle[k], sum);
    }
    for (int d = 0; d < 3; d++)
        moment[d] += 0.5 * sign * sum[d];
}

/* Room for pieces and sides, so that the stack grows only with polygons of many corners. */
typedef struct bench {
    int room;
    double (*d)[3];   /* [3 * room] of three pieces */
    bool *circle;     /* [3 * room] */
    double *height;   /* [room] */
    h3ou__side *side; /* [room] */
} bench;

static piece begin_piece(const double *origin, int which, bench *b)
{
    return (piece){
        .origin = origin, .room = b->room, .d = b->d + which * b->room, .circle = b->circle + which * b->room};
}

static double cut_by_sides(const piece *p, int n, const h3ou__side side[], double sign, double moment[3], bench *b)
{
    piece one = begin_piece(p->origin, 1, b), two = begin_piece(p->origin, 2, b), *to = &one;
    for (int k = 0; k < n; k++) {
        int verdict = clip_by_side(p, &side[k], b->height, to);
        if (verdict == OUTSIDE)
            return 0.0;
        if (verdict == INSIDE)
            continue;
        p = to;
        to = to == &one ? &two : &one;
    }
    if (moment)
        add_moment(p, sign, moment);
    return sign * area_of(p);
}

/* The clipper's polygon as triangles over its first corner, whose signs cancel outside, and what lies between its
 * latitude circles and their chords' great circles. */
static double cut_signed(const piece *p, const h3ou__polygon *with, double moment[3], bench *b)
{
    double area = 0.0, zero[3] = {0, 0, 0};
    for (int k = 0; k < with->n; k++) {
        double da[3], db[3], step[3];
        h3ou__side side[3];
        h3ou__sub(with->v[k], p->origin, da);
        h3ou__sub(with->v[k + 1 < with->n ? k + 1 : 0], p->origin, db);
        double half = h3ou__half_excess(p->origin, da, db);
        if (k > 0 && k + 1 < with->n && half != 0) {
            set_side(&side[0], p->origin, zero, half > 0 ? da : db, false);
            set_side(&side[1], p->origin, half > 0 ? da : db, half > 0 ? db : da, false);
            set_side(&side[2], p->origin, half > 0 ? db : da, zero, false);
            area += cut_by_sides(p, 3, side, half > 0 ? 1.0 : -1.0, moment, b);
        }
        if (!with->circle[k])
            continue;
        h3ou__sub(db, da, step);
        double t = h3ou__half_tangent(with->v[k], step), lens = h3ou__lens_area(with->v[k][2], t);
        bool eastward = t > 0, north = with->v[k][2] >= 0;
        set_side(&side[0], p->origin, da, db, true);
        side[0].sign = north ? 1.0 : -1.0;
        set_side(&side[1], p->origin, eastward == north ? db : da, eastward == north ? da : db, false);
        if (lens != 0)
            area += cut_by_sides(p, 2, side, lens > 0 ? 1.0 : -1.0, moment, b);
    }
    return area;
}

static double overlap_with(const h3ou__clipper *c, const h3ou__polygon *p, double moment[3], bench *b)
{
    piece whole = begin_piece(c->origin, 0, b);
    whole.n = p->n;
    whole.has_circles = p->has_circles;
    for (int k = 0; k < p->n; k++) {
        h3ou__sub(p->v[k], c->origin, whole.d[k]);
        whole.circle[k] = p->circle[k];
    }
    if (piece_misses(&whole, c->n, c->side))
        return 0.0;
    /* Clipping by planes is faster than by latitude circles, and more accurate near the poles. */
    if (p->convex && (c->n == 0 || (c->polygon->has_circles && !p->has_circles))) {
        h3ou__clipper other;
        h3ou__clipper_set(&other, p, b->side);
        return overlap_with(&other, c->polygon, moment, b);
    }
    return c->n ? cut_by_sides(&whole, c->n, c->side, 1.0, moment, b) : cut_signed(&whole, c->polygon, moment, b);
}

enum { FEW = 128, MANY = 4 * H3OU__POLYGON_MOST + 16 };

/* What is left of a piece of n corners after cuts by `sides` sides has no more than this: an edge keeps one part, or
 * two where it is an arc of a circle. */
static int room_wanted(int n, int sides)
{
    return 2 * n + 2 * sides + 16;
}

static __attribute__((noinline)) double overlap_of_few(const h3ou__clipper *c, const h3ou__polygon *p, double moment[3])
{
    double d[3 * FEW][3], height[FEW];
    bool circle[3 * FEW];
    h3ou__side side[FEW];
    return overlap_with(c, p, moment, &(bench){FEW, d, circle, height, side});
}

static __attribute__((noinline)) double overlap_of_many(const h3ou__clipper *c, const h3ou__polygon *p,
                                                        double moment[3])
{
    double d[3 * MANY][3], height[MANY];
    bool circle[3 * MANY];
    h3ou__side side[H3OU__POLYGON_MOST];
    return overlap_with(c, p, moment, &(bench){MANY, d, circle, height, side});
}

double h3ou__clipper_overlap(const h3ou__clipper *c, const h3ou__polygon *p, double moment[3])
{
    if (moment)
        moment[0] = moment[1] = moment[2] = 0.0;
    if (p->n < 3 || c->polygon->n < 3)
        return 0.0;
    return room_wanted(p->n, c->polygon->n) <= FEW ? overlap_of_few(c, p, moment) : overlap_of_many(c, p, moment);
}

double h3ou__polygon_overlap(const h3ou__polygon *a, const h3ou__polygon *b, double moment[3])
{
    h3ou__clipper c;
    h3ou__side side[H3OU__POLYGON_MOST];
    h3ou__clipper_set(&c, b, side);
    return h3ou__clipper_overlap(&c, a, moment);
}
