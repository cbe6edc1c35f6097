/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/named/named_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/file/named/axis_bounds.h"
#include "interp/file/named/named_gme.h"
#include "interp/sphere/angles.h"

typedef struct numbers {
    int a, b;
    double step;
} numbers;

/* The centres of an axis, in degrees. */
typedef struct axes {
    int64_t nx, ny;
    double *lon, *lat;
} axes;

/* The latitudes whose sines are the roots of the Legendre polynomial of order n, from the north: by Newton's method. */
static void fill_gaussian(double lat[], int n)
{
    for (int k = 0; k < (n + 1) / 2; k++) {
        double x = cos(H3OU__PI * (k + 0.75) / (n + 0.5)), change = 1.0;
        for (int turn = 0; turn < 100 && fabs(change) > 1e-16; turn++) {
            double p = 1.0, before = 0.0;
            for (int m = 1; m <= n; m++) {
                double next = ((2 * m - 1) * x * p - (m - 1) * before) / m;
                before = p;
                p = next;
            }
            change = p * (x * x - 1.0) / (n * (x * p - before));
            x -= change;
        }
        lat[k] = asin(x) * H3OU__DEGREES_PER_RADIAN;
        lat[n - 1 - k] = -lat[k];
    }
}

static int make_axes(const char *name, int64_t nx, int64_t ny, axes *out)
{
    if (nx < 3 || ny < 2 || nx * ny > INT32_MAX)
        return h3ou__fail(H3OU__EARG, "%s: %lld x %lld cells: 3 x 2 to 2^31 - 1 cells are possible", name,
                          (long long)nx, (long long)ny);
    *out = (axes){nx, ny, malloc(sizeof(double) * (size_t)nx), malloc(sizeof(double) * (size_t)ny)};
    return out->lon && out->lat ? H3OU__OK : h3ou__no_memory("the grid %s", name);
}

static void fill_even(double value[], int64_t n, double first, double step)
{
    for (int64_t i = 0; i < n; i++)
        value[i] = first + step * (double)i;
}

static int bound_axis(const double value[], int64_t n, bool latitudes, double bounds[])
{
    double *passed = malloc(sizeof *passed * (size_t)n);
    if (!passed)
        return h3ou__no_memory("the bounds of an axis");
    h3ou__axis_bounds(value, (size_t)n, 360.0, latitudes, passed, bounds);
    for (int64_t i = 0; i < 2 * n; i++)
        bounds[i] *= H3OU__RADIANS_PER_DEGREE;
    free(passed);
    return H3OU__OK;
}

/* Cells in columns and rows of the axes. */
static int make_boxes(const char *name, const axes *a, int edges, h3ou__cells **out)
{
    size_t nx = (size_t)a->nx, ny = (size_t)a->ny;
    double *lon = malloc(sizeof *lon * nx * ny), *lat = malloc(sizeof *lat * nx * ny);
    double *x = malloc(2 * sizeof *x * nx), *y = malloc(2 * sizeof *y * ny);
    int err = lon && lat && x && y ? H3OU__OK : h3ou__no_memory("the grid %s", name);
    for (size_t i = 0; i < nx * ny && !err; i++) {
        lon[i] = a->lon[i % nx] * H3OU__RADIANS_PER_DEGREE;
        lat[i] = a->lat[i / nx] * H3OU__RADIANS_PER_DEGREE;
    }
    if (!err)
        err = bound_axis(a->lon, a->nx, false, x);
    if (!err)
        err = bound_axis(a->lat, a->ny, true, y);
    if (!err)
        err = h3ou__cells_create(name, a->nx * a->ny, lon, lat, NULL, out);
    if (!err)
        err = h3ou__cells_set_boxes(*out, a->nx, a->ny, x, y, edges);
    free(lon);
    free(lat);
    free(x);
    free(y);
    return err;
}

static int make_regular(const char *name, const numbers *n, int edges, h3ou__cells **out)
{
    axes a = {0};
    int err = make_axes(name, n->a, n->b, &a);
    if (!err) {
        fill_even(a.lon, a.nx, 0.0, 360.0 / (double)a.nx);
        fill_even(a.lat, a.ny, -90.0 + 90.0 / (double)a.ny, 180.0 / (double)a.ny);
        err = make_boxes(name, &a, edges, out);
    }
    free(a.lon);
    free(a.lat);
    return err;
}

static int make_global(const char *name, const numbers *n, int edges, h3ou__cells **out)
{
    axes a = {0};
    double nx = 360.0 / n->step;
    if (!(n->step >= 0.001) || fabs(nx - round(nx)) > 1e-9 * nx || fmod(round(nx), 2.0) != 0.0)
        return h3ou__fail(H3OU__EARG, "%s: 180 degrees are not a whole number of such steps", name);
    int err = make_axes(name, (int64_t)round(nx), (int64_t)round(nx) / 2, &a);
    if (!err) {
        fill_even(a.lon, a.nx, -180.0 + n->step / 2, n->step);
        fill_even(a.lat, a.ny, -90.0 + n->step / 2, n->step);
        err = make_boxes(name, &a, edges, out);
    }
    free(a.lon);
    free(a.lat);
    return err;
}

static int make_gaussian(const char *name, const numbers *n, int edges, h3ou__cells **out)
{
    axes a = {0};
    if (n->a > 10000)
        return h3ou__fail(H3OU__EARG, "%s: 1 to 10000 latitudes from pole to equator are possible", name);
    int err = make_axes(name, 4 * n->a, 2 * n->a, &a);
    if (!err) {
        fill_even(a.lon, a.nx, 0.0, 360.0 / (double)a.nx);
        fill_gaussian(a.lat, (int)a.ny);
        err = make_boxes(name, &a, edges, out);
    }
    free(a.lon);
    free(a.lat);
    return err;
}

/* The place that is `down` sides of cells (of which a face has nside) below the north pole, and `east` beside the
 * middle of a face of column `column` (in eighths of a circle), in the projection of K. M. Gorski et al., 2005. */
static void place_healpix(int nside, int down, double column, double east, double *lon, double *lat)
{
    double row = (double)down / nside, near_pole = fmin(1.0, fmin(row, 4.0 - row));
    double z = row < 1.0 ? 1.0 - row * row / 3.0 : row > 3.0 ? near_pole * near_pole / 3.0 - 1.0 : (2.0 - row) * 2 / 3;
    *lon = near_pole > 0.0 ? H3OU__PI / 4 * (column + east / near_pole) : 0.0;
    *lat = near_pole > 0.0 ? asin(z) : copysign(H3OU__PI / 2, z);
}

/* Cell number `along` of ring `down`. */
static void fill_healpix_cell(int nside, int down, int along, double centre[2], double lon[4], double lat[4])
{
    int from_pole = down < 4 * nside - down ? down : 4 * nside - down;
    bool polar = from_pole < nside;
    double inner = polar ? (double)from_pole / nside : 1.0, per = polar ? from_pole : nside;
    double half = polar || (from_pole - nside) % 2 == 0 ? 0.5 : 0.0;
    double around = 2.0 * (along + half) / per; /* eighths of a circle */
    double column = 2.0 * floor(around / 2.0) + 1.0, east = (around - column) * inner, side = 1.0 / nside;
    place_healpix(nside, down, column, east, &centre[0], &centre[1]);
    place_healpix(nside, down - 1, column, east, &lon[0], &lat[0]);
    place_healpix(nside, down, column, east - side, &lon[1], &lat[1]);
    place_healpix(nside, down + 1, column, east, &lon[2], &lat[2]);
    place_healpix(nside, down, column, east + side, &lon[3], &lat[3]);
}

static int make_healpix(const char *name, const numbers *n, int edges, h3ou__cells **out)
{
    int nside = n->a;
    if (nside < 1 || nside > 8192 || (nside & (nside - 1)) != 0)
        return h3ou__fail(H3OU__EARG, "%s: the number must be a power of 2, 8192 at most", name);
    int64_t all = 12 * (int64_t)nside * nside, i = 0;
    double *centre = malloc(2 * sizeof(double) * (size_t)all), *corner = malloc(8 * sizeof(double) * (size_t)all);
    int err = centre && corner ? H3OU__OK : h3ou__no_memory("the grid %s", name);
    for (int down = 1; down < 4 * nside && !err; down++) {
        int from_pole = down < 4 * nside - down ? down : 4 * nside - down;
        for (int along = 0; along < 4 * (from_pole < nside ? from_pole : nside); along++, i++) {
            double place[2];
            fill_healpix_cell(nside, down, along, place, corner + 4 * i, corner + 4 * (all + i));
            centre[i] = place[0];
            centre[all + i] = place[1];
        }
    }
    if (!err)
        err = h3ou__cells_create(name, all, centre, centre + all, NULL, out);
    if (!err)
        err = h3ou__cells_set_corners(*out, 4, corner, corner + 4 * all, NULL, edges);
    free(centre);
    free(corner);
    return err;
}

static int make_gme(const char *name, const numbers *n, int edges, h3ou__cells **out)
{
    return h3ou__named_gme_make(name, n->a, edges, out);
}

typedef int make_grid(const char *name, const numbers *n, int edges, h3ou__cells **out);

/* What makes the grid of that name; NULL: it is no name of a grid. */
static make_grid *find_maker(const char *name, numbers *n)
{
    int end = 0;
    *n = (numbers){0};
    if (sscanf(name, "r%dx%d%n", &n->a, &n->b, &end) == 2 && !name[end])
        return make_regular;
    if (sscanf(name, "global_%lf%n", &n->step, &end) == 1 && !name[end])
        return make_global;
    if ((sscanf(name, "n%d%n", &n->a, &end) == 1 || sscanf(name, "F%d%n", &n->a, &end) == 1) && !name[end])
        return make_gaussian;
    if (sscanf(name, "hp%d%n", &n->a, &end) == 1 && (!name[end] || !strcmp(name + end, "_ring")))
        return make_healpix;
    if (sscanf(name, "gme%d%n", &n->a, &end) == 1 && !name[end])
        return make_gme;
    return NULL;
}

bool h3ou__named_grid_is(const char *name)
{
    numbers n;
    return find_maker(name, &n) != NULL;
}

int h3ou__named_grid_make(const char *name, int edges, h3ou__cells **out)
{
    numbers n;
    h3ou__cells *c = NULL;
    make_grid *make = find_maker(name, &n);
    int err = make ? make(name, &n, edges >= H3OU__EDGES_UNREAD ? H3OU__EDGES_DEFAULT : edges, &c)
                   : h3ou__fail(H3OU__EARG, "%s: no name of a grid", name);
    if (err)
        h3ou__cells_free(c);
    else
        *out = c;
    return err;
}
