/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/sphere_bins.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

int h3ou__sphere_bins_level(int64_t n)
{
    int level = 0;
    while (level < H3OU__SPHERE_BINS_LEVELS && (INT64_C(6) << (2 * level)) * 16 < n)
        level++;
    return level;
}

/* A square on a face of the cube: its lower corner and its side, in coordinates -1..1 of the face. */
typedef struct square {
    int face;
    double u, v, side;
} square;

static void face_to_sphere(int face, double u, double v, double x[3])
{
    int axis = face / 2;
    double length = sqrt(1.0 + u * u + v * v), sign = face % 2 ? -1.0 : 1.0;
    x[axis] = sign / length;
    x[(axis + 1) % 3] = u / length;
    x[(axis + 2) % 3] = v / length;
}

/* Returns the radius of a cap around the square's middle that covers the square, and in *chord2 the square of the chord
 * from the middle to x. Projected to the sphere, lengths on the face shrink at least by 1 / sqrt(1 + u^2 + v^2), which
 * is largest at the square's point nearest to the middle of the face. */
static double square_radius(const square *s, const double x[3], double *chord2)
{
    double centre[3], half = 0.5 * s->side, u = s->u + half, v = s->v + half;
    double near_u = fmax(0.0, fabs(u) - half), near_v = fmax(0.0, fabs(v) - half);
    face_to_sphere(s->face, u, v, centre);
    *chord2 = 0.0;
    for (int k = 0; k < 3; k++)
        *chord2 += (centre[k] - x[k]) * (centre[k] - x[k]);
    return half * 1.4142135623730952 / sqrt(1.0 + near_u * near_u + near_v * near_v) + 1e-9;
}

/* Returns whether the cap may touch the square. The test replaces the square by a cap around it, so it is sometimes
 * true without need; a chord is shorter than its arc. */
static bool cap_touches(const square *s, const double x[3], double radius)
{
    double chord2, reach = radius + square_radius(s, x, &chord2);
    return chord2 <= reach * reach;
}

static square quarter_of(const square *q, int k)
{
    double side = 0.5 * q->side;
    return (square){q->face, q->u + (k & 1 ? side : 0.0), q->v + (k & 2 ? side : 0.0), side};
}

typedef struct search {
    int level;
    const double *x;
    double radius;
    const h3ou__bin_counts *occupied;
    int64_t **list, *n, *room;
} search;

static int64_t first_of_level(int level)
{
    return 2 * ((INT64_C(1) << (2 * level)) - 1);
}

static int64_t points_in(const h3ou__bin_counts *c, int depth, int64_t number)
{
    return c->count[first_of_level(depth) + number];
}

static int visit_square(search *s, const square *q, int depth, int64_t number)
{
    if (s->occupied && depth <= s->occupied->level && points_in(s->occupied, depth, number) == 0)
        return H3OU__OK;
    if (!cap_touches(q, s->x, s->radius))
        return H3OU__OK;
    if (depth == s->level) {
        if (!h3ou__grow(s->list, sizeof **s->list, s->room, *s->n + 1))
            return h3ou__no_memory("a search");
        (*s->list)[(*s->n)++] = number;
        return H3OU__OK;
    }
    int err = H3OU__OK;
    for (int k = 0; k < 4 && !err; k++) {
        square child = quarter_of(q, k);
        err = visit_square(s, &child, depth + 1, 4 * number + k);
    }
    return err;
}

/* The bits of a number of a column or row, each followed by a 0. */
static int64_t spread_bits(int64_t b)
{
    b = (b | b << 8) & 0x00FF00FF;
    b = (b | b << 4) & 0x0F0F0F0F;
    b = (b | b << 2) & 0x33333333;
    return (b | b << 1) & 0x55555555;
}

/* The inverse: every second bit. */
static int64_t gather_bits(int64_t b)
{
    b &= 0x55555555;
    b = (b | b >> 1) & 0x33333333;
    b = (b | b >> 2) & 0x0F0F0F0F;
    b = (b | b >> 4) & 0x00FF00FF;
    return (b | b >> 8) & 0x0000FFFF;
}

int64_t h3ou__sphere_bins_at(int level, int face, int64_t column, int64_t row)
{
    return (int64_t)face << (2 * level) | spread_bits(column) | spread_bits(row) << 1;
}

void h3ou__sphere_bins_place(int level, int64_t bin, int *face, int64_t *column, int64_t *row)
{
    int64_t on_face = bin & ((INT64_C(1) << (2 * level)) - 1);
    *face = (int)(bin >> (2 * level));
    *column = gather_bits(on_face);
    *row = gather_bits(on_face >> 1);
}

/* The columns, or rows, of a face's bins that a small cap may touch: w, p are its middle's coordinates along the face's axis
 * and along u. In the plane of both the cap spans an angle whose sine is radius / hypot(w, p), and u is a tangent there.
 * Returns whether there are any. */
static bool span_of_cap(double w, double p, double radius, int64_t side, int64_t *from, int64_t *to)
{
    double c = sqrt(w * w + p * p - radius * radius), half = 0.5 * (double)side;
    double low = (p * c - w * radius) / (w * c + p * radius), high = (p * c + w * radius) / (w * c - p * radius);
    double first = (low + 1.0) * half - 1e-6, last = (high + 1.0) * half + 1e-6;
    if (!(first < (double)side && last >= 0.0))
        return false;
    *from = first < 0.0 ? 0 : (int64_t)first;
    *to = last < (double)side ? (int64_t)last : side - 1;
    return true;
}

int h3ou__sphere_bins_rectangles(int level, const double x[3], double radius, h3ou__bin_rectangle out[3])
{
    const double SMALL = 0.25;    /* radians: the cap lies before each face that it touches */
    const double CORNER = 0.57735; /* the corners of a face are this far along its axis, all other places farther */
    int64_t side = INT64_C(1) << level;
    int n = 0;
    if (!(radius <= SMALL))
        return -1;
    for (int axis = 0; axis < 3; axis++) {
        double w = fabs(x[axis]);
        h3ou__bin_rectangle *r = &out[n];
        r->face = 2 * axis + (x[axis] < 0.0);
        n += w + radius >= CORNER && span_of_cap(w, x[(axis + 1) % 3], radius, side, &r->column[0], &r->column[1]) &&
             span_of_cap(w, x[(axis + 2) % 3], radius, side, &r->row[0], &r->row[1]);
    }
    return n;
}

static int list_rectangle(const search *s, const h3ou__bin_rectangle *r)
{
    int64_t count = (r->column[1] - r->column[0] + 1) * (r->row[1] - r->row[0] + 1);
    if (!h3ou__grow(s->list, sizeof **s->list, s->room, *s->n + count))
        return h3ou__no_memory("a search");
    for (int64_t j = r->row[0]; j <= r->row[1]; j++)
        for (int64_t i = r->column[0]; i <= r->column[1]; i++)
            (*s->list)[(*s->n)++] = h3ou__sphere_bins_at(s->level, r->face, i, j);
    return H3OU__OK;
}

int h3ou__sphere_bins_of_cap(int level, const double x[3], double radius, const h3ou__bin_counts *occupied,
                             int64_t **list, int64_t *n, int64_t *room)
{
    search s = {level, x, radius, occupied, list, n, room};
    h3ou__bin_rectangle r[3];
    int err = H3OU__OK, count = occupied ? -1 : h3ou__sphere_bins_rectangles(level, x, radius, r);
    for (int k = 0; k < count && !err; k++)
        err = list_rectangle(&s, &r[k]);
    for (int face = 0; face < 6 && !err && count < 0; face++) {
        square whole = {face, -1.0, -1.0, 2.0};
        err = visit_square(&s, &whole, 0, face);
    }
    return err;
}

int h3ou__bin_counts_create(int level, h3ou__bin_counts *out)
{
    *out = (h3ou__bin_counts){.level = level, .n = first_of_level(level + 1)};
    out->count = calloc((size_t)out->n, sizeof *out->count);
    return out->count ? H3OU__OK : h3ou__no_memory("a search");
}

void h3ou__bin_counts_free(h3ou__bin_counts *c)
{
    free(c->count);
    *c = (h3ou__bin_counts){0};
}

void h3ou__bin_counts_add(h3ou__bin_counts *c, const double x[3])
{
    int axis = fabs(x[1]) > fabs(x[0]) ? 1 : 0;
    axis = fabs(x[2]) > fabs(x[axis]) ? 2 : axis;
    double u = x[(axis + 1) % 3] / fabs(x[axis]), v = x[(axis + 2) % 3] / fabs(x[axis]);
    square q = {2 * axis + (x[axis] < 0.0), -1.0, -1.0, 2.0};
    int64_t number = q.face;
    for (int depth = 0;; depth++) {
        c->count[first_of_level(depth) + number]++;
        if (depth == c->level)
            break;
        int k = (u >= q.u + 0.5 * q.side) + 2 * (v >= q.v + 0.5 * q.side);
        q = quarter_of(&q, k);
        number = 4 * number + k;
    }
}

enum { WANTED_MOST = 64 };

/* The bins that end nearest to x, until they hold the wanted number of points. */
typedef struct nearby {
    const h3ou__bin_counts *counts;
    const double *x;
    int64_t wanted;
    int n;
    double end[WANTED_MOST + 1]; /* ascending: how far the farthest place of the bin is at most */
    int64_t points[WANTED_MOST + 1];
    double reach; /* the end of the last bin that is needed; pi while there are too few points */
} nearby;

/* Every bin here holds a point, so that no more bins stay than points are wanted. */
static void take_bin(nearby *s, double end, int64_t points)
{
    int64_t sum = 0;
    int at = s->n++;
    for (; at > 0 && s->end[at - 1] > end; at--) {
        s->end[at] = s->end[at - 1];
        s->points[at] = s->points[at - 1];
    }
    s->end[at] = end;
    s->points[at] = points;
    for (int k = 0; k < s->n; k++)
        if ((sum += s->points[k]) >= s->wanted) {
            s->n = k + 1;
            s->reach = fmin(s->reach, s->end[k]);
        }
}

/* A square with how far from x it begins at least and ends at most. */
typedef struct ring {
    square q;
    int64_t number;
    double begin, end;
} ring;

static ring measure_square(const nearby *s, square q, int64_t number)
{
    double chord2, radius = square_radius(&q, s->x, &chord2);
    double middle = 2.0 * asin(fmin(1.0, 0.5 * sqrt(chord2)));
    return (ring){q, number, middle - radius, middle + radius};
}

static void sort_rings(int n, ring r[])
{
    for (int i = 1; i < n; i++) {
        ring keep = r[i];
        int k = i;
        for (; k > 0 && r[k - 1].begin > keep.begin; k--)
            r[k] = r[k - 1];
        r[k] = keep;
    }
}

static void visit_ring(nearby *s, const ring *r, int depth)
{
    int64_t points = points_in(s->counts, depth, r->number);
    if (points == 0 || r->begin >= s->reach)
        return;
    if (depth == s->counts->level) {
        take_bin(s, r->end, points);
        return;
    }
    ring quarter[4];
    for (int k = 0; k < 4; k++)
        quarter[k] = measure_square(s, quarter_of(&r->q, k), 4 * r->number + k);
    sort_rings(4, quarter);
    for (int k = 0; k < 4; k++)
        visit_ring(s, &quarter[k], depth + 1);
}

double h3ou__bin_counts_reach(const h3ou__bin_counts *c, const double x[3], int wanted)
{
    const double PI = 3.14159265358979323846;
    nearby s = {.counts = c, .x = x, .wanted = wanted < WANTED_MOST ? wanted : WANTED_MOST, .reach = PI};
    ring face[6];
    for (int k = 0; k < 6; k++)
        face[k] = measure_square(&s, (square){k, -1.0, -1.0, 2.0}, k);
    sort_rings(6, face);
    for (int k = 0; k < 6; k++)
        visit_ring(&s, &face[k], 0);
    return s.reach;
}
