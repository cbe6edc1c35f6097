/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The icosahedral grid of the model GME (D. Majewski et al., 2002, Mon. Wea. Rev. 130, 319-338) in CDO's order: ten
 * diamonds, five round each pole, whose edges are cut in ni parts, first in 3 where ni has that factor, then in halves.
 * A point on several diamonds belongs to the first. Cells are the hexagons of the circumcentres of the triangles
 * around.
 */
#include "interp/file/named/named_gme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/sphere/angles.h"

typedef double place[3];

/* Point (r, c) of diamond d is number (d * side + r) * side + c: from the pole at (0, 0), along the eastern edge with
 * r, along the western one with c (of the diamonds round the south pole the other way round). */
typedef struct icosahedron {
    int ni, side;
    place *point;
} icosahedron;

static double *point_at(const icosahedron *g, int d, int r, int c)
{
    return g->point[((size_t)d * (size_t)g->side + (size_t)r) * (size_t)g->side + (size_t)c];
}

static void put_place(double lon, double lat, double out[3])
{
    double level = fabs(lat) == H3OU__PI / 2 ? 0.0 : cos(lat);
    out[0] = level * cos(lon);
    out[1] = level * sin(lon);
    out[2] = sin(lat);
}

static void put_vertices(icosahedron *g, int d)
{
    const double eighteen = H3OU__PI / 10, lat = atan(0.5);
    double west = d < 5 ? (4 * d - 2) * eighteen : 4 * (d - 5) * eighteen, sign = d < 5 ? 1.0 : -1.0;
    put_place(0.0, sign * H3OU__PI / 2, point_at(g, d, 0, 0));
    put_place(west, sign * lat, point_at(g, d, 0, g->ni));
    put_place(west + 4 * eighteen, sign * lat, point_at(g, d, g->ni, 0));
    put_place(west + 2 * eighteen, -sign * lat, point_at(g, d, g->ni, g->ni));
}

/* The direction of the weighted sum of two or three places; c may be NULL. */
static void put_sum(const double a[3], double wa, const double b[3], double wb, const double *c, double out[3])
{
    double s[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        s[k] = wa * a[k] + wb * b[k] + (c ? c[k] : 0.0);
        length += s[k] * s[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; k++)
        out[k] = s[k] / length;
}

/* Two points that cut the arc from (r, c) to (r + dr, c + dc), of 3 steps, in three. */
static void cut_in_three(icosahedron *g, int d, int r, int c, int dr, int dc)
{
    const double *a = point_at(g, d, r, c), *b = point_at(g, d, r + 3 * dr, c + 3 * dc);
    double arc = acos(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    for (int k = 1; k < 3; k++)
        put_sum(a, sin((3 - k) * arc / 3), b, sin(k * arc / 3), NULL, point_at(g, d, r + k * dr, c + k * dc));
}

static void cut_diamond_in_three(icosahedron *g, int d)
{
    int s = g->ni / 3, ni = g->ni;
    const double *west = point_at(g, d, 0, ni), *east = point_at(g, d, ni, 0);
    cut_in_three(g, d, 0, 0, 0, s);
    cut_in_three(g, d, 0, 0, s, 0);
    cut_in_three(g, d, 0, ni, s, 0);
    cut_in_three(g, d, ni, 0, 0, s);
    cut_in_three(g, d, ni, 0, -s, s);
    put_sum(point_at(g, d, 0, 0), 1.0, west, 1.0, east, point_at(g, d, s, s));
    put_sum(point_at(g, d, ni, ni), 1.0, west, 1.0, east, point_at(g, d, 2 * s, 2 * s));
}

/* Halves all edges of length `step`. */
static void halve_edges(icosahedron *g, int d, int step)
{
    int half = step / 2, ni = g->ni;
    for (int r = 0; r <= ni; r += step)
        for (int c = 0; c <= ni; c += step) {
            const double *here = point_at(g, d, r, c);
            if (c < ni)
                put_sum(here, 1.0, point_at(g, d, r, c + step), 1.0, NULL, point_at(g, d, r, c + half));
            if (r < ni)
                put_sum(here, 1.0, point_at(g, d, r + step, c), 1.0, NULL, point_at(g, d, r + half, c));
            if (r < ni && c < ni)
                put_sum(point_at(g, d, r + step, c), 1.0, point_at(g, d, r, c + step), 1.0, NULL,
                        point_at(g, d, r + half, c + half));
        }
}

static void fill_points(icosahedron *g)
{
    for (int d = 0; d < 10; d++) {
        int step = g->ni;
        put_vertices(g, d);
        if (step % 3 == 0) {
            cut_diamond_in_three(g, d);
            step /= 3;
        }
        for (; step > 1; step /= 2)
            halve_edges(g, d, step);
    }
}

static bool is_first(const icosahedron *g, int d, int r, int c)
{
    if (d < 5)
        return (d == 0 || r > 0) && (d < 4 || c > 0);
    return r < g->ni && c < g->ni && (d == 5 || r > 0) && (d < 9 || c > 0);
}

/* The first diamond's name for a point. */
static void find_first(const icosahedron *g, int *d, int *r, int *c)
{
    int ni = g->ni;
    while (!is_first(g, *d, *r, *c)) {
        int x = *r, y = *c;
        if (*d > 4 && x == ni) { /* the north's western edge to its far corner */
            *d = (*d - 4) % 5;
            *r = ni - y;
            *c = ni;
        } else if (*d > 4 && y == ni) { /* the eastern one */
            *d -= 5;
            *r = ni;
            *c = ni - x;
        } else if (x == 0 && *d != 0 && *d != 5) { /* the neighbour's edge to the pole */
            *d -= 1;
            *r = y;
            *c = 0;
        } else { /* of the last diamond and the first */
            *d -= 4;
            *r = 0;
            *c = x;
        }
    }
}

/* A cell with its corners as they come. */
typedef struct cell {
    int count;
    place centre, corner[6];
    double angle[6];
} cell;

typedef struct numbered {
    int64_t n;
    int32_t *number; /* of each point, by its first name */
    cell *cell;
} numbered;

static int32_t *number_at(const icosahedron *g, const numbered *m, int d, int r, int c)
{
    find_first(g, &d, &r, &c);
    return &m->number[((size_t)d * (size_t)g->side + (size_t)r) * (size_t)g->side + (size_t)c];
}

static void number_cells(const icosahedron *g, numbered *m)
{
    for (int d = 0; d < 10; d++)
        for (int r = 0; r <= g->ni; r++)
            for (int c = 0; c <= g->ni; c++)
                if (is_first(g, d, r, c)) {
                    memcpy(m->cell[m->n].centre, point_at(g, d, r, c), sizeof(place));
                    *number_at(g, m, d, r, c) = (int32_t)m->n++;
                }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The point as far from all three corners, on their side of the sphere. */
static void find_circumcentre(const double a[3], const double b[3], const double c[3], double out[3])
{
    double u[3], v[3], n[3], length, sign;
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    cross(u, v, n);
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    sign = n[0] * a[0] + n[1] * a[1] + n[2] * a[2] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        out[k] = sign * n[k] / length;
}

/* Adds a corner in the order of the angles round the centre. */
static void add_corner(cell *x, const double corner[3])
{
    double away[3] = {0.3, 0.5, 0.8}, east[3], north[3], dx = 0.0, dy = 0.0;
    cross(away, x->centre, east);
    cross(x->centre, east, north);
    double size = sqrt(east[0] * east[0] + east[1] * east[1] + east[2] * east[2]);
    for (int k = 0; k < 3; k++) {
        dx += corner[k] * east[k] / size;
        dy += corner[k] * north[k] / size;
    }
    double angle = atan2(dy, dx);
    int at = x->count++;
    for (; at > 0 && x->angle[at - 1] > angle; at--) {
        x->angle[at] = x->angle[at - 1];
        memcpy(x->corner[at], x->corner[at - 1], sizeof(place));
    }
    x->angle[at] = angle;
    memcpy(x->corner[at], corner, sizeof(place));
}

static void add_triangle(const icosahedron *g, const numbered *m, int d, const int at[3][2])
{
    place corner;
    find_circumcentre(point_at(g, d, at[0][0], at[0][1]), point_at(g, d, at[1][0], at[1][1]),
                      point_at(g, d, at[2][0], at[2][1]), corner);
    for (int k = 0; k < 3; k++)
        add_corner(&m->cell[*number_at(g, m, d, at[k][0], at[k][1])], corner);
}

static void add_triangles(const icosahedron *g, const numbered *m)
{
    for (int d = 0; d < 10; d++)
        for (int r = 0; r < g->ni; r++)
            for (int c = 0; c < g->ni; c++) {
                const int near[3][2] = {{r, c}, {r + 1, c}, {r, c + 1}};
                const int far[3][2] = {{r + 1, c + 1}, {r + 1, c}, {r, c + 1}};
                add_triangle(g, m, d, near);
                add_triangle(g, m, d, far);
            }
}

static void put_angles(const double x[3], double *lon, double *lat)
{
    *lon = hypot(x[0], x[1]) < 1e-15 ? 0.0 : atan2(x[1], x[0]);
    *lat = atan2(x[2], hypot(x[0], x[1]));
}

/* Cells with five corners repeat the last. */
static int make_cells(const char *name, const numbered *m, int edges, h3ou__cells **out)
{
    size_t n = (size_t)m->n;
    double *centre = malloc(2 * sizeof *centre * n), *corner = malloc(12 * sizeof *corner * n);
    int err = centre && corner ? H3OU__OK : h3ou__no_memory("the grid %s", name);
    for (size_t i = 0; i < n && !err; i++) {
        const cell *x = &m->cell[i];
        put_angles(x->centre, &centre[i], &centre[n + i]);
        for (int k = 0; k < 6; k++)
            put_angles(x->corner[k < x->count ? k : x->count - 1], &corner[6 * i + (size_t)k],
                       &corner[6 * (n + i) + (size_t)k]);
    }
    if (!err)
        err = h3ou__cells_create(name, m->n, centre, centre + n, NULL, out);
    if (!err)
        err = h3ou__cells_set_corners(*out, 6, corner, corner + 6 * n, NULL, edges);
    free(centre);
    free(corner);
    return err;
}

int h3ou__named_gme_make(const char *name, int ni, int edges, h3ou__cells **out)
{
    int part = ni > 0 && ni % 3 == 0 ? ni / 3 : ni;
    if (part < 1 || ni > 4096 || (part & (part - 1)) != 0)
        return h3ou__fail(H3OU__EARG, "%s: the number must be a power of 2, or 3 times one, 4096 at most", name);
    icosahedron g = {.ni = ni, .side = ni + 1};
    size_t points = 10 * (size_t)g.side * (size_t)g.side;
    g.point = malloc(sizeof *g.point * points);
    numbered m = {0, malloc(sizeof *m.number * points), calloc(10 * (size_t)ni * (size_t)ni + 2, sizeof *m.cell)};
    int err = g.point && m.number && m.cell ? H3OU__OK : h3ou__no_memory("the grid %s", name);
    if (!err) {
        fill_points(&g);
        number_cells(&g, &m);
        add_triangles(&g, &m);
        err = make_cells(name, &m, edges, out);
    }
    free(g.point);
    free(m.number);
    free(m.cell);
    return err;
}
