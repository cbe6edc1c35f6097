/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/dual_polygons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/coincident.h"
#include "interp/grid/neighbours.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/tangent_frame.h"
#include "interp/sphere/vector.h"
#include "interp/stencils/planar_polygon.h"

/* The row that is at the place of row y beyond the fold. */
static int64_t opposite_row(const h3ou__cells *c, int64_t y)
{
    return 2 * c->dims[1] - 1 - c->fold_rows - y;
}

int64_t h3ou__lattice_cell(const h3ou__cells *c, int64_t x, int64_t y)
{
    int64_t nx = c->dims[0], ny = c->dims[1], period = nx - c->overlap;
    if (c->fold && opposite_row(c, y) < y) {
        x = nx - 1 + c->fold_shift - x;
        y = opposite_row(c, y);
    }
    if (c->cyclic && (x < 0 || x >= nx))
        x = (x % period + period) % period;
    if (x < 0 || x >= nx || y < 0 || y >= ny)
        return -1;
    int64_t i = h3ou__cells_find(c, x + nx * y);
    return i < 0 || h3ou__cell_is_nowhere(c, i) ? -2 : i;
}

int64_t h3ou__lattice_source(const h3ou__cells *c, int64_t x, int64_t y)
{
    int64_t i = h3ou__lattice_cell(c, c->cyclic && x >= 0 ? x % (c->dims[0] - c->overlap) : x, y);
    return i < 0 ? i : h3ou__cell_of_centre(c, i);
}

static int add_polygon(h3ou__dual *d, int64_t origin, int n, const int64_t cell[])
{
    if (!h3ou__grow(&d->origin, sizeof *d->origin, &d->origin_room, d->n + 1) ||
        !h3ou__grow(&d->start, sizeof *d->start, &d->room, d->n + 2) ||
        !h3ou__grow(&d->cell, sizeof *d->cell, &d->cell_room, d->ncell + n))
        return h3ou__no_memory("the polygons between centres");
    d->origin[d->n] = (int32_t)origin;
    d->start[d->n++] = d->ncell;
    for (int i = 0; i < n; i++)
        d->cell[d->ncell++] = (int32_t)cell[i];
    d->start[d->n] = d->ncell;
    return H3OU__OK;
}

/* Is the quadrilateral whose first corner is (x, y) another one again, from the other side of the fold? Of those over a
 * fold between points the first half is kept; two of these have only two different cells as corners. */
static bool is_beyond_fold(const h3ou__cells *c, int64_t x, int64_t y)
{
    int64_t before = opposite_row(c, y + 1), period = c->dims[0] - c->overlap;
    if (before != y)
        return before < y;
    return x > ((c->dims[0] - 2 + c->fold_shift - x) % period + period) % period;
}

/* The quadrilateral whose first corner is (x, y), or a triangle where two of its centres are one place, as beside a
 * pole. Those beyond the fold are those before it again. */
static int add_quad(h3ou__dual *d, int64_t x, int64_t y)
{
    const h3ou__cells *c = d->cells;
    int n = 0;
    if (c->fold ? is_beyond_fold(c, x, y) : y == c->dims[1] - 1)
        return H3OU__OK;
    if (c->cyclic && x >= c->dims[0] - c->overlap)
        return H3OU__OK;
    const int64_t corner[4] = {h3ou__lattice_source(c, x, y), h3ou__lattice_source(c, x + 1, y),
                               h3ou__lattice_source(c, x + 1, y + 1), h3ou__lattice_source(c, x, y + 1)};
    int64_t cell[4];
    for (int i = 0; i < 4; i++) {
        if (corner[i] < 0 || corner[i] == corner[(i + 2) % 4])
            return H3OU__OK;
        if (corner[i] != corner[(i + 1) % 4])
            cell[n++] = corner[i];
    }
    return n < 3 ? H3OU__OK : add_polygon(d, h3ou__lattice_cell(c, x, y), n, cell);
}

/* Finds a corner that the cells a, b and m have in common, up to rounding. */
static bool common_corner(const h3ou__cells *c, int64_t a, int64_t b, int64_t m, double out[3])
{
    const int64_t with[2] = {a, m};
    for (int64_t k = c->first[b]; k < c->first[b + 1]; k++) {
        int shared = 0;
        for (int w = 0; w < 2; w++)
            for (int64_t j = c->first[with[w]]; j < c->first[with[w] + 1]; j++) {
                double way[3];
                h3ou__sub(c->corner + 3 * j, c->corner + 3 * k, way);
                if (h3ou__dot(way, way) < 1e-18) {
                    shared++;
                    break;
                }
            }
        if (shared == 2) {
            memcpy(out, c->corner + 3 * k, 3 * sizeof *out);
            return true;
        }
    }
    return false;
}

/* Finds the apex of a first or last row: the place around which the row goes and which all of its cells touch. It is
 * the corner that three successive cells have in common; of boxes the pole; of centres alone the pole when no further
 * row would fit before it. */
static bool find_apex(const h3ou__cells *c, int64_t x, int64_t y, double apex[3])
{
    int64_t here = h3ou__lattice_cell(c, x, y), next = h3ou__lattice_cell(c, x + 1, y);
    int64_t last = h3ou__lattice_cell(c, x - 1, y), inner = h3ou__lattice_cell(c, x, y == 0 ? 1 : y - 1);
    if (here < 0 || next < 0 || c->dims[0] - c->overlap < 4)
        return false;
    if (c->first)
        return last >= 0 && common_corner(c, last, here, next, apex);
    double side = c->lat[here] > 0 ? 1.0 : -1.0, rest = H3OU__PI / 2 - fabs(c->lat[here]);
    apex[0] = apex[1] = 0.0;
    apex[2] = side;
    if (c->lon_west)
        return (side > 0 ? c->lat_north[y] : -c->lat_south[y]) > H3OU__PI / 2 - 1e-6;
    return inner >= 0 && fabs(c->lat[here] - c->lat[next]) < 1e-9 && rest > 1e-9 &&
           rest <= fabs(c->lat[here] - c->lat[inner]) * (1 + 1e-9) && fabs(c->lat[inner]) < fabs(c->lat[here]);
}

static int add_sectors(h3ou__dual *d)
{
    const h3ou__cells *c = d->cells;
    int64_t nx = c->dims[0], ny = c->dims[1];
    int err = H3OU__OK;
    d->first_sector = d->n;
    if (!c->cyclic || !(d->apex = malloc(6 * sizeof *d->apex * (size_t)nx)))
        return c->cyclic ? h3ou__no_memory("the polygons between centres") : H3OU__OK;
    for (int64_t end = 0; end < (c->fold || ny < 2 ? 1 : 2); end++)
        for (int64_t x = 0; x < nx - c->overlap && !err; x++) {
            int64_t y = end ? ny - 1 : 0;
            int64_t cell[2] = {h3ou__lattice_source(c, x, y), h3ou__lattice_source(c, x + 1, y)};
            if (cell[0] != cell[1] && find_apex(c, x, y, d->apex + 3 * (d->n - d->first_sector)))
                err = add_polygon(d, cell[0], 2, cell);
        }
    return err;
}

static int make_lattice(h3ou__dual *d)
{
    const h3ou__cells *c = d->cells;
    int err = H3OU__OK;
    for (int64_t i = 0; i < c->n && !err; i++)
        err = add_quad(d, h3ou__cell_id(c, i) % c->dims[0], h3ou__cell_id(c, i) / c->dims[0]);
    return err ? err : add_sectors(d);
}

typedef struct around {
    double angle;
    int64_t cell;
} around;

static int by_angle(const void *a, const void *b)
{
    const around *x = a, *y = b;
    if (x->angle != y->angle)
        return (x->angle > y->angle) - (x->angle < y->angle);
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* Cells that stand for several come several times, one after the other. */
static int drop_repeated(int n, around a[])
{
    int to = 0;
    for (int i = 0; i < n; i++)
        if (to == 0 || a[to - 1].cell != a[i].cell)
            a[to++] = a[i];
    return to;
}

/* The centres round a vertex, anticlockwise, the lowest number first, so that the polygon is the same from
 * whichever of the cells its vertex comes. */
static int add_round(h3ou__dual *d, const double vertex[3], int n, const int32_t list[])
{
    around a[H3OU__PATCH_MOST];
    int64_t cell[H3OU__PATCH_MOST];
    h3ou__tangent_frame f;
    int lowest = 0;
    if (n < 3 || n > H3OU__PATCH_MOST)
        return H3OU__OK;
    h3ou__tangent_frame_at(vertex, &f);
    for (int i = 0; i < n; i++) {
        int64_t at = h3ou__cell_of_centre(d->cells, list[i]);
        const double *x = d->cells->xyz + 3 * at;
        a[i] = (around){atan2(h3ou__dot(f.north, x), h3ou__dot(f.east, x)), at};
    }
    qsort(a, (size_t)n, sizeof *a, by_angle);
    n = drop_repeated(n, a);
    if (n < 3)
        return H3OU__OK;
    for (int i = 1; i < n; i++)
        lowest = a[i].cell < a[lowest].cell ? i : lowest;
    for (int i = 0; i < n; i++)
        cell[i] = a[(lowest + i) % n].cell;
    return add_polygon(d, cell[0], n, cell);
}

static int make_rounds(h3ou__dual *d)
{
    h3ou__lists l;
    double *place;
    int err = h3ou__cells_around_vertices(d->cells, &l, &place);
    if (err)
        return err;
    for (int64_t v = 0; v < l.n && !err; v++)
        err = add_round(d, place + 3 * v, (int)(l.start[v + 1] - l.start[v]), l.list + l.start[v]);
    d->first_sector = d->n;
    h3ou__lists_free(&l);
    free(place);
    return err;
}

/* Centres of masked cells may be anywhere. A polygon with some serves only the places at which these have no weight, on
 * the sides between the other corners. */
static bool counts_for_bound(const h3ou__dual *d, int64_t k, int64_t i)
{
    return k >= d->first_sector || d->cells->mask[d->cell[i]];
}

/* The box around the corners of cells that take part; arcs between them, of great or of latitude circles, leave it by
 * less than the square of the polygon's width. Without such a corner no place touches the box. */
static void bound_polygon(const h3ou__dual *d, int64_t k, h3ou__bound *out)
{
    double low[3] = {2, 2, 2}, high[3] = {-2, -2, -2}, across = 0.0;
    const double *first = NULL;
    for (int64_t i = d->start[k]; i < d->start[k + 1] + (k >= d->first_sector); i++) {
        bool is_apex = i == d->start[k + 1];
        if (!is_apex && !counts_for_bound(d, k, i))
            continue;
        const double *x = is_apex ? d->apex + 3 * (k - d->first_sector) : d->cells->xyz + 3 * (int64_t)d->cell[i];
        double way[3];
        first = first ? first : x;
        h3ou__sub(x, first, way);
        across = fmax(across, h3ou__dot(way, way));
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fmin(low[axis], x[axis]);
            high[axis] = fmax(high[axis], x[axis]);
        }
    }
    double more = fmin(2.0, across);
    for (int axis = 0; axis < 3; axis++) {
        out->low[axis] = nextafterf((float)(low[axis] - more), -9.0f);
        out->high[axis] = nextafterf((float)(high[axis] + more), 9.0f);
    }
}

static int make_tree(h3ou__dual *d)
{
    h3ou__bound *bound = malloc(sizeof *bound * (size_t)(d->n + 1));
    if (!bound)
        return h3ou__no_memory("the polygons between centres");
    for (int64_t k = 0; k < d->n; k++)
        bound_polygon(d, k, &bound[k]);
    int err = h3ou__celltree_over(d->n, bound, &d->tree);
    free(bound);
    return err;
}

int h3ou__dual_create(const char *method, const h3ou__cells *c, h3ou__dual **out)
{
    *out = NULL;
    if (c->rank != 2 && !c->first)
        return h3ou__fail(H3OU__EARG,
                          "method %s: %s has neither rows and columns nor corners; give corners, or use distance or "
                          "radial",
                          method, c->name);
    h3ou__dual *d = calloc(1, sizeof *d);
    if (!d)
        return h3ou__no_memory("the polygons between centres");
    d->cells = c;
    int err = c->rank == 2 ? make_lattice(d) : make_rounds(d);
    if (!err)
        err = make_tree(d);
    if (err)
        h3ou__dual_free(d);
    else
        *out = d;
    return err;
}

void h3ou__dual_free(h3ou__dual *d)
{
    if (!d)
        return;
    free(d->start);
    free(d->cell);
    free(d->origin);
    free(d->apex);
    h3ou__celltree_free(d->tree);
    free(d);
}

static int64_t find_candidates(const h3ou__dual *d, const double x[3], h3ou__row *row)
{
    h3ou__bound b;
    int32_t *list = row->scratch;
    h3ou__point_bound(x, 1e-9, &b);
    int64_t n = h3ou__celltree_touching(d->tree, &b, &list, &row->scratch_room);
    row->scratch = list;
    return n;
}

/* The corners in a plane round the target. In bilinear quadrilaterals up to 75 degrees that is the plane of longitude
 * and latitude, as is usual, in which the rows of most grids are straight; nearer to a pole, and for all else, the
 * gnomonic one. Which it is depends on the target alone, so that the polygons fit together. */
static bool project_polygon(const h3ou__dual *d, const h3ou__spot *s, const h3ou__tangent_frame *f, int64_t k,
                            bool flat, double p[][2])
{
    const double STEEP = 5 * H3OU__PI / 12, WIDE = H3OU__PI / 4;
    int n = (int)(d->start[k + 1] - d->start[k]);
    flat = flat && n == 4 && fabs(s->lat) <= STEEP;
    for (int i = 0; i < n && flat; i++) {
        int64_t cell = d->cell[d->start[k] + i];
        p[i][0] = remainder(d->cells->lon[cell] - s->lon, 2 * H3OU__PI);
        p[i][1] = d->cells->lat[cell] - s->lat;
        flat = fabs(p[i][0]) < WIDE;
    }
    for (int i = 0; i < n && !flat; i++)
        if (!h3ou__tangent_frame_image(f, d->cells->xyz + 3 * (int64_t)d->cell[d->start[k] + i], p[i]))
            return false;
    return true;
}

/* The coefficients of polygon k, in the order of its corners; false when it does not contain the target. */
static bool weigh_polygon(const h3ou__dual *d, const h3ou__spot *s, const h3ou__tangent_frame *f, int64_t k,
                          bool bilinear, double coef[])
{
    double p[H3OU__PATCH_MOST][2], uv[2];
    bool convex = false;
    int n = (int)(d->start[k + 1] - d->start[k]);
    if (!project_polygon(d, s, f, k, bilinear, p))
        return false;
    if (bilinear && n == 4) {
        bool inside = h3ou__patch_bilinear(p, uv, &convex);
        if (inside) {
            coef[0] = (1 - uv[0]) * (1 - uv[1]);
            coef[1] = uv[0] * (1 - uv[1]);
            coef[2] = uv[0] * uv[1];
            coef[3] = (1 - uv[0]) * uv[1];
        }
        if (inside || convex)
            return inside;
    }
    return h3ou__patch_barycentric(n, p, coef);
}

/* Where the ray from the apex in the direction `way` crosses the chord of sector k: the distance from the apex, and the
 * share of the second cell. */
static bool meet_chord(const h3ou__dual *d, const h3ou__tangent_frame *f, int64_t k, const double way[2], double *far,
                       double *share)
{
    double a[2], b[2];
    if (!h3ou__tangent_frame_image(f, d->cells->xyz + 3 * (int64_t)d->cell[d->start[k]], a) ||
        !h3ou__tangent_frame_image(f, d->cells->xyz + 3 * (int64_t)d->cell[d->start[k] + 1], b))
        return false;
    double left = a[0] * way[1] - a[1] * way[0], right = b[0] * way[1] - b[1] * way[0];
    if (left == right) /* the ray runs along the chord, or a cell's centre is at the apex */
        return false;
    *share = left / (left - right);
    if (!(*share > -1e-12 && *share < 1 + 1e-12))
        return false;
    *far = way[0] * (a[0] + *share * (b[0] - a[0])) + way[1] * (a[1] + *share * (b[1] - a[1]));
    return *far > 0.0;
}

/* Finds the lowest of the sectors round the apex of sector k that the ray crosses, by searches at places ever farther
 * from the apex. */
static int64_t sector_on_way(const h3ou__dual *d, const h3ou__tangent_frame *f, int64_t like, const double way[2],
                             double length, h3ou__row *row, double *far, double *share)
{
    const double *apex = d->apex + 3 * (like - d->first_sector);
    for (int step = 0; step < 2; step++) {
        double x[3], s = step == 0 ? 0.7 * length : 1e-9;
        for (int i = 0; i < 3; i++)
            x[i] = apex[i] + s * (way[0] * f->east[i] + way[1] * f->north[i]);
        h3ou__normalise(x);
        int64_t n = find_candidates(d, x, row);
        if (n < 0)
            return n - 1;
        const int32_t *list = row->scratch;
        for (int64_t i = 0; i < n; i++) {
            if (list[i] < d->first_sector)
                continue;
            const double *other = d->apex + 3 * (list[i] - d->first_sector);
            if (h3ou__dot(other, apex) > 0.5 && meet_chord(d, f, list[i], way, far, share))
                return list[i];
        }
    }
    return -1;
}

/* Between the ring of the last row and the apex: along the straight line through the apex and the target, from where it
 * meets the ring behind the target to where it meets it beyond the apex. Reproduces linear functions. */
static int serve_sector(const h3ou__dual *d, const h3ou__spot *s, int64_t k, h3ou__row *row, bool *served)
{
    h3ou__tangent_frame f;
    double at[2], far[2], share[2];
    h3ou__tangent_frame_at(d->apex + 3 * (k - d->first_sector), &f);
    if (!h3ou__tangent_frame_image(&f, s->x, at))
        return H3OU__OK;
    double length = hypot(at[0], at[1]);
    double way[2] = {1.0, 0.0}, back[2];
    for (int i = 0; i < 2 && length > 1e-14; i++)
        way[i] = at[i] / length;
    back[0] = -way[0];
    back[1] = -way[1];
    int64_t near = sector_on_way(d, &f, k, way, length, row, &far[0], &share[0]);
    int64_t beyond = near < 0 ? near : sector_on_way(d, &f, k, back, length, row, &far[1], &share[1]);
    if (near < -1 || beyond < -1)
        return (int)(near < -1 ? near : beyond) + 1;
    if (beyond < 0 || length > far[0] * (1 + 1e-12))
        return H3OU__OK;
    double over = (far[0] - length) / (far[0] + far[1]);
    const int64_t cell[4] = {d->cell[d->start[near]], d->cell[d->start[near] + 1], d->cell[d->start[beyond]],
                             d->cell[d->start[beyond] + 1]};
    const double coef[4] = {(1 - over) * (1 - share[0]), (1 - over) * share[0], over * (1 - share[1]), over * share[1]};
    int err;
    *served = h3ou__patch_put(d->cells, 4, cell, coef, row, &err);
    return err;
}

/* Compares polygons cell by cell, since their numbers differ between processes. */
static bool is_before(const h3ou__dual *d, int64_t a, int64_t b)
{
    for (int64_t i = 0; i < d->start[a + 1] - d->start[a] && i < d->start[b + 1] - d->start[b]; i++) {
        int32_t x = d->cell[d->start[a] + i], y = d->cell[d->start[b] + i];
        if (x != y)
            return x < y;
    }
    return a < b;
}

static bool all_take_part(const h3ou__dual *d, int64_t k, const double coef[])
{
    for (int64_t i = d->start[k]; i < d->start[k + 1]; i++)
        if (!d->cells->mask[d->cell[i]] && fabs(coef[i - d->start[k]]) >= 1e-12)
            return false;
    return true;
}

int h3ou__dual_serve(const h3ou__dual *d, const h3ou__spot *s, bool bilinear, h3ou__row *row)
{
    double coef[H3OU__PATCH_MOST], best_coef[H3OU__PATCH_MOST];
    int64_t cell[H3OU__PATCH_MOST], best = -1, sector = -1, n = find_candidates(d, s->x, row);
    h3ou__tangent_frame f;
    int err = n < 0 ? (int)n : H3OU__OK;
    bool served = false;
    h3ou__tangent_frame_at(s->x, &f);
    for (int64_t i = 0; i < n; i++) {
        int64_t k = ((const int32_t *)row->scratch)[i];
        if (k >= d->first_sector)
            sector = sector < 0 ? k : sector;
        else if (weigh_polygon(d, s, &f, k, bilinear, coef) && all_take_part(d, k, coef) &&
                 (best < 0 || is_before(d, k, best))) {
            best = k;
            memcpy(best_coef, coef, sizeof *coef * (size_t)(d->start[k + 1] - d->start[k]));
        }
    }
    if (best >= 0) {
        int count = (int)(d->start[best + 1] - d->start[best]);
        for (int i = 0; i < count; i++)
            cell[i] = d->cell[d->start[best] + i];
        h3ou__patch_put(d->cells, count, cell, best_coef, row, &err);
    } else if (sector >= 0 && !err)
        err = serve_sector(d, s, sector, row, &served);
    return err;
}

int64_t h3ou__dual_quad(const h3ou__dual *d, const h3ou__spot *s, h3ou__row *row, double uv[2])
{
    double p[4][2], at[2];
    int64_t best = -1, n = find_candidates(d, s->x, row);
    h3ou__tangent_frame f;
    if (n < 0)
        return n - 1;
    h3ou__tangent_frame_at(s->x, &f);
    for (int64_t i = 0; i < n; i++) {
        int64_t k = ((const int32_t *)row->scratch)[i];
        bool convex;
        if (k < d->first_sector && d->start[k + 1] - d->start[k] == 4 && (best < 0 || is_before(d, k, best)) &&
            project_polygon(d, s, &f, k, false, p) && h3ou__patch_bilinear(p, at, &convex)) {
            best = k;
            uv[0] = at[0];
            uv[1] = at[1];
        }
    }
    return best;
}
