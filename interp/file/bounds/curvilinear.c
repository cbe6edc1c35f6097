/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/bounds/curvilinear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "interp/rows/fold.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/vector.h"

static double chord_length(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Do two cells have an edge in common? Single precision in degrees moves a corner by 3e-7. */
static bool share_edge(const h3ou__cells *c, int64_t i, int64_t k)
{
    const double SAME = 2e-6;
    const double *first = NULL;
    for (int64_t a = c->first[i]; a < c->first[i + 1]; a++)
        for (int64_t b = c->first[k]; b < c->first[k + 1]; b++) {
            const double *p = c->corner + 3 * a;
            if (chord_length(p, c->corner + 3 * b) > SAME)
                continue;
            if (first && chord_length(first, p) > 2 * SAME)
                return true;
            first = first ? first : p;
        }
    return false;
}

/* By the corners: do the ends of the rows, and the halves of the last row, share edges? */
static void compare_edges(h3ou__cells *c)
{
    int64_t nx = c->dims[0], ny = c->dims[1], met = 0, seen = 0, folded = 0, row = 0;
    for (int64_t y = 0; y < ny && nx > 2; y++) {
        int64_t a = y * nx, b = y * nx + nx - 1;
        if (c->first[a + 1] == c->first[a] || c->first[b + 1] == c->first[b])
            continue; /* masked, without corners */
        seen++;
        met += share_edge(c, a, b);
    }
    c->cyclic = seen > 0 && 2 * met > seen;
    for (int64_t x = 0; x < nx / 2 && nx > 3; x++) {
        int64_t a = (ny - 1) * nx + x, b = ny * nx - 1 - x;
        if (c->first[a + 1] == c->first[a] || c->first[b + 1] == c->first[b])
            continue;
        row++;
        folded += share_edge(c, a, b);
    }
    c->fold = row > 1 && folded == row;
}

int h3ou__curvilinear_set(h3ou__cells *c, int64_t nx, int64_t ny)
{
    h3ou__fold fold;
    c->rank = 2;
    c->dims[0] = nx;
    c->dims[1] = ny;
    double *xyz = malloc(sizeof *xyz * (size_t)(h3ou__fold_room(c->dims) + 1));
    if (!xyz)
        return h3ou__no_memory("the last rows of a grid");
    if (c->first)
        compare_edges(c);
    h3ou__fold_copy_rows(c, xyz);
    h3ou__fold_find(c->dims, xyz, &fold);
    h3ou__fold_set(c, &fold);
    free(xyz);
    return H3OU__OK;
}

/* Centres as places, with a frame of one row and column around: [(x + 1) + (nx + 2) * (y + 1)]. */
typedef struct frame {
    int64_t nx, ny, width;
    double *p;
} frame;

static double *centre_at(const frame *f, int64_t x, int64_t y)
{
    return f->p + 3 * (x + 1 + f->width * (y + 1));
}

static void normalise_place(double p[3])
{
    double length = hypot(hypot(p[0], p[1]), p[2]);
    for (int d = 0; d < 3 && length > 0; d++)
        p[d] /= length;
}

/* As far behind b as a is before it, on their great circle. */
static void mirror_place(const double a[3], const double b[3], double out[3])
{
    double twice = 2 * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    for (int d = 0; d < 3; d++)
        out[d] = twice * b[d] - a[d];
    normalise_place(out);
}

static bool is_known(const frame *f, int64_t x, int64_t y)
{
    return !isnan(*centre_at(f, x, y));
}

/* The mean of the places that rows and columns of two known centres lead to; false: there are none. */
static bool extrapolate(const frame *f, int64_t x, int64_t y, double out[3])
{
    static const int way[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    bool found = false;
    double next[3];
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < 4; k++) {
        int64_t bx = x + way[k][0], by = y + way[k][1], ax = bx + way[k][0], ay = by + way[k][1];
        if (ax < 0 || ax >= f->nx || ay < 0 || ay >= f->ny || !is_known(f, ax, ay) || !is_known(f, bx, by))
            continue;
        mirror_place(centre_at(f, ax, ay), centre_at(f, bx, by), next);
        for (int d = 0; d < 3; d++)
            out[d] += next[d];
        found = true;
    }
    normalise_place(out);
    return found;
}

/* Files may have no centres on land: makes those beside known ones, and in a second pass those beside these, so that
 * cells on coasts get corners. Others stay unknown. */
static int fill_unknown(frame *f)
{
    size_t size = 3 * sizeof(double) * (size_t)(f->width * (f->ny + 2));
    bool any = false;
    for (int64_t y = 0; y < f->ny && !any; y++)
        for (int64_t x = 0; x < f->nx && !any; x++)
            any = !is_known(f, x, y);
    double *filled = any ? malloc(size) : NULL;
    if (any && !filled)
        return h3ou__no_memory("corners");
    for (int pass = 0; pass < 2 && any; pass++) {
        memcpy(filled, f->p, size);
        for (int64_t y = 0; y < f->ny; y++)
            for (int64_t x = 0; x < f->nx; x++) {
                double next[3];
                if (!is_known(f, x, y) && extrapolate(f, x, y, next))
                    memcpy(filled + (centre_at(f, x, y) - f->p), next, sizeof next);
            }
        memcpy(f->p, filled, size);
    }
    free(filled);
    return H3OU__OK;
}

/* Is column 0 at the place where column nx would be, so that the grid is cyclic? */
static bool frame_closes(const frame *f)
{
    int64_t met = 0, seen = 0;
    double next[3];
    for (int64_t y = 0; y < f->ny; y++) {
        if (!is_known(f, 0, y) || !is_known(f, f->nx - 2, y) || !is_known(f, f->nx - 1, y))
            continue;
        seen++;
        mirror_place(centre_at(f, f->nx - 2, y), centre_at(f, f->nx - 1, y), next);
        met += chord_length(next, centre_at(f, 0, y)) < 0.5 * chord_length(centre_at(f, f->nx - 1, y), next);
    }
    return f->nx > 3 && 2 * met > seen;
}

/* xyz: room for the last rows */
static void find_fold(const frame *f, double xyz[], h3ou__fold *out)
{
    const int64_t dims[2] = {f->nx, f->ny}, depth = h3ou__fold_depth(dims);
    for (int64_t k = 0; k < depth; k++)
        memcpy(xyz + 3 * f->nx * k, centre_at(f, 0, f->ny - depth + k), 3 * sizeof *xyz * (size_t)f->nx);
    for (int64_t k = 0; k < h3ou__fold_room(dims); k++)
        xyz[k] = isnan(xyz[k]) ? H3OU__FOLD_UNKNOWN : xyz[k];
    h3ou__fold_find(dims, xyz, out);
}

static void fill_frame(frame *f, const h3ou__fold *fold)
{
    int64_t nx = f->nx, ny = f->ny, period = nx - fold->overlap;
    size_t place = 3 * sizeof(double);
    bool cyclic = fold->found || fold->overlap > 0 || frame_closes(f);
    for (int64_t y = 0; y < ny; y++) {
        if (cyclic) {
            memcpy(centre_at(f, -1, y), centre_at(f, period - 1, y), place);
            memcpy(centre_at(f, nx, y), centre_at(f, nx - period, y), place);
        } else {
            mirror_place(centre_at(f, 1, y), centre_at(f, 0, y), centre_at(f, -1, y));
            mirror_place(centre_at(f, nx - 2, y), centre_at(f, nx - 1, y), centre_at(f, nx, y));
        }
    }
    for (int64_t x = -1; x <= nx; x++) {
        mirror_place(centre_at(f, x, 1), centre_at(f, x, 0), centre_at(f, x, -1));
        int64_t image = ((nx - 1 + fold->shift - x) % period + period) % period;
        if (fold->found)
            memcpy(centre_at(f, x, ny), centre_at(f, image, ny - 1 - fold->rows), place);
        else
            mirror_place(centre_at(f, x, ny - 2), centre_at(f, x, ny - 1), centre_at(f, x, ny));
    }
    h3ou__log(H3OU__LOG_WHISPER, "grid", "corners=from_centres cyclic=%d fold=%d", cyclic, fold->found);
}

/* The corner between the centres x, x + 1 and y, y + 1. */
static void put_corner(const frame *f, int64_t x, int64_t y, double *lon, double *lat)
{
    double m[3];
    for (int d = 0; d < 3; d++)
        m[d] = centre_at(f, x, y)[d] + centre_at(f, x + 1, y)[d] + centre_at(f, x, y + 1)[d] +
               centre_at(f, x + 1, y + 1)[d];
    *lon = atan2(m[1], m[0]);
    *lat = atan2(m[2], hypot(m[0], m[1]));
}

static void place_centres(frame *f, const double lon[], const double lat[])
{
    for (int64_t y = 0; y < f->ny; y++)
        for (int64_t x = 0; x < f->nx; x++) {
            int64_t i = x + f->nx * y;
            double *p = centre_at(f, x, y);
            if (h3ou__is_place(lon[i], lat[i]))
                h3ou__unit_vector(lon[i], lat[i], p);
            else
                p[0] = p[1] = p[2] = NAN;
        }
}

int h3ou__curvilinear_corners(int64_t nx, int64_t ny, const double lon[], const double lat[], double **corner_lon,
                              double **corner_lat)
{
    size_t n = (size_t)(nx * ny);
    frame f = {nx, ny, nx + 2, malloc(3 * sizeof(double) * (size_t)((nx + 2) * (ny + 2)))};
    h3ou__fold fold;
    double *x4 = malloc(4 * sizeof *x4 * n), *y4 = malloc(4 * sizeof *y4 * n);
    int err = f.p && x4 && y4 ? H3OU__OK : h3ou__no_memory("corners");
    if (!err) {
        place_centres(&f, lon, lat);
        find_fold(&f, x4, &fold); /* x4: not used yet */
        err = fill_unknown(&f);
    }
    if (err) {
        free(f.p);
        free(x4);
        free(y4);
        return err;
    }
    fill_frame(&f, &fold);
    for (int64_t y = 0; y < ny; y++)
        for (int64_t x = 0; x < nx; x++) {
            static const int dx[4] = {-1, 0, 0, -1}, dy[4] = {-1, -1, 0, 0};
            for (int k = 0; k < 4; k++)
                put_corner(&f, x + dx[k], y + dy[k], &x4[4 * (x + nx * y) + k], &y4[4 * (x + nx * y) + k]);
        }
    free(f.p);
    *corner_lon = x4;
    *corner_lat = y4;
    return H3OU__OK;
}
