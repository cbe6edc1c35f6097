/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields with known values and grids of every kind, for the tests of the methods that interpolate. */
#ifndef H3OU_TEST_GRIDS_H
#define H3OU_TEST_GRIDS_H

#include "sphere.h"

/* ---- fields ---- */

static inline double sinusoid(const double x[3])
{
    return 2 - cos(PI * acos(fmax(-1, fmin(1, x[0]))) / (1.2 * PI));
}

static inline double vortex(const double x[3])
{
    const double LON = 5.5, LAT = 0.2;
    double lon, lat;
    to_angles(x, &lon, &lat);
    double turned = atan2(cos(lat) * sin(lon - LON), cos(lat) * sin(LAT) * cos(lon - LON) - cos(LAT) * sin(lat));
    double up = sin(lat) * sin(LAT) + cos(lat) * cos(LAT) * cos(lon - LON);
    double rho = 3 * sqrt(fmax(0, 1 - up * up));
    double speed = rho > 1e-12 ? 1.5 * sqrt(3) * tanh(rho) / (cosh(rho) * cosh(rho) * rho) : 1.5 * sqrt(3);
    return 2 * (1 + tanh(rho / 5 * sin(turned - speed * 6)));
}

/* ---- grids ---- */

static inline h3ou__cells *make(const char *name, int64_t n, const double lon[], const double lat[], const int mask[])
{
    h3ou__cells *c;
    assert_int_equal(h3ou__cells_create(name, n, lon, lat, mask, &c), 0);
    assert_int_equal(h3ou__cells_places(c), 0);
    return c;
}

/* Points of three kinds: a grid with both pole rows (many equal points), a Fibonacci sphere, random ones. */
static inline h3ou__cells *make_points(int kind, int64_t n, bool with_mask)
{
    double *lon = malloc(sizeof *lon * (size_t)n), *lat = malloc(sizeof *lat * (size_t)n);
    int *mask = malloc(sizeof *mask * (size_t)n), side = (int)sqrt((double)n / 2);
    for (int64_t i = 0; i < n; i++) {
        lon[i] = kind == 0   ? 2 * PI * (double)(i % (2 * side)) / (2 * side) - PI
                 : kind == 1 ? fmod((double)i * PI * (3 - sqrt(5.0)), 2 * PI)
                             : 2 * PI * chance();
        lat[i] = kind == 0   ? fmin(PI / 2, -PI / 2 + PI * (double)(i / (2 * side)) / (side - 1))
                 : kind == 1 ? asin(1 - (2 * (double)i + 1) / (double)n)
                             : asin(2 * chance() - 1);
        mask[i] = !with_mask || chance() < 0.6;
    }
    h3ou__cells *c = make("points", n, lon, lat, mask);
    free(lon);
    free(lat);
    free(mask);
    return c;
}

static inline h3ou__cells *boxes(int nx, int ny, double west, const int mask[])
{
    h3ou__cells *c = global_boxes(nx, ny, west, mask, H3OU__EDGES_DEFAULT);
    assert_int_equal(h3ou__cells_places(c), 0);
    return c;
}

static inline h3ou__cells *triangles(int level, const int mask[])
{
    h3ou__cells *c = global_triangles(level, mask);
    assert_int_equal(h3ou__cells_places(c), 0);
    return c;
}

/* Rows along latitude circles up to 60 degrees; beyond, circles through two poles on the sixtieth parallel, at 80 and
 * 260 degrees east, which the last row meets itself between (the images of a half plane's polar grid). Unlike boxes,
 * wavy: so that no row is a parallel. */
static inline h3ou__cells *tripolar(int nx, int south, int cap, double wave, const int mask[])
{
    int ny = south + cap;
    double *lon = malloc(sizeof *lon * (size_t)(nx * ny)), *lat = malloc(sizeof *lat * (size_t)(nx * ny));
    double rim = tan(PI / 12);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            double u = 2 * PI * (x + 0.5) / nx, at_lon = u,
                   at_lat = -PI / 2.2 + (PI / 2.2 + PI / 3) * (y + 0.5) / south;
            if (y >= south) {
                double size = fabs(1 / tan(u / 2)), turn = PI / 2 * (1 - (y - south + 0.5) / cap) * (u < PI ? 1 : -1);
                double re = size * cos(turn), im = size * sin(turn), below = (re + 1) * (re + 1) + im * im;
                double zr = rim * (re * re + im * im - 1) / below, zi = rim * 2 * im / below;
                at_lon = atan2(zi, zr);
                at_lat = PI / 2 - 2 * atan(hypot(zr, zi));
            } else
                at_lat += wave * sin(3 * u) * cos(at_lat) * (1 - pow((y + 0.5) / south, 2));
            lon[y * nx + x] = at_lon + 80 * PI / 180;
            lat[y * nx + x] = at_lat;
        }
    h3ou__cells *c = make("tripolar", nx * ny, lon, lat, mask);
    c->rank = 2;
    c->dims[0] = nx;
    c->dims[1] = ny;
    c->cyclic = c->fold = true;
    free(lon);
    free(lat);
    return c;
}

/* Centres in rows and columns, cyclic, without corners; lon and lat [nx * ny] are freed. */
static inline h3ou__cells *in_rows(const char *name, int nx, int ny, double *lon, double *lat)
{
    h3ou__cells *c = make(name, nx * ny, lon, lat, NULL);
    c->rank = 2;
    c->dims[0] = nx;
    c->dims[1] = ny;
    c->cyclic = true;
    free(lon);
    free(lat);
    return c;
}

/* A smooth curvilinear grid with its own pole-like rings, cyclic, round both poles. */
static inline h3ou__cells *rings(int nx, int ny, double wave)
{
    double *lon = malloc(sizeof *lon * (size_t)(nx * ny)), *lat = malloc(sizeof *lat * (size_t)(nx * ny));
    for (int i = 0; i < nx * ny; i++) {
        double u = 2 * PI * (i % nx + 0.5) / nx, v = -PI / 2 + PI * (i / nx + 0.5) / ny;
        lon[i] = u + wave * sin(2 * v + u) * pow(cos(v), 4);
        lat[i] = i / nx == 0 || i / nx == ny - 1 ? v : v + wave * cos(3 * u) * sin(2 * v) * pow(cos(v), 4);
    }
    return in_rows("rings", nx, ny, lon, lat);
}

/* The cells of which keep says so, with their global numbers. */
static inline h3ou__cells *part_of(const h3ou__cells *c, const bool keep[])
{
    int64_t n = 0, *id = malloc(sizeof *id * (size_t)(c->n + 1));
    double *lon = malloc(sizeof *lon * (size_t)(c->n + 1)), *lat = malloc(sizeof *lat * (size_t)(c->n + 1));
    int *mask = malloc(sizeof *mask * (size_t)(c->n + 1)), *count = malloc(sizeof *count * (size_t)(c->n + 1));
    double *vlon = calloc(3 * (size_t)(c->n + 1), sizeof *vlon), *vlat = calloc(3 * (size_t)(c->n + 1), sizeof *vlat);
    for (int64_t i = 0; i < c->n; i++) {
        if (!keep[i])
            continue;
        for (int k = 0; c->first && k < 3; k++)
            to_angles(c->corner + 3 * (c->first[i] + k), &vlon[3 * n + k], &vlat[3 * n + k]);
        lon[n] = c->lon[i];
        lat[n] = c->lat[i];
        mask[n] = c->mask[i];
        id[n++] = i;
    }
    h3ou__cells *out;
    assert_int_equal(h3ou__cells_create(c->name, n, lon, lat, mask, &out), 0);
    assert_int_equal(h3ou__cells_number(out, id), 0);
    if (c->lon_west) {
        int64_t nx = c->dims[0], ny = c->dims[1];
        double *x = malloc(2 * sizeof *x * (size_t)nx), *y = malloc(2 * sizeof *y * (size_t)ny);
        for (int64_t i = 0; i < nx; i++) {
            x[2 * i] = c->lon_west[i];
            x[2 * i + 1] = c->lon_east[i];
        }
        for (int64_t i = 0; i < ny; i++) {
            y[2 * i] = c->lat_south[i];
            y[2 * i + 1] = c->lat_north[i];
        }
        assert_int_equal(h3ou__cells_set_boxes(out, nx, ny, x, y, H3OU__EDGES_DEFAULT), 0);
        free(x);
        free(y);
    } else if (c->first)
        assert_int_equal(h3ou__cells_set_corners(out, 3, vlon, vlat, NULL, H3OU__EDGES_DEFAULT), 0);
    out->rank = c->rank;
    out->dims[0] = c->dims[0];
    out->dims[1] = c->dims[1];
    out->cyclic = c->cyclic;
    out->fold = c->fold;
    assert_int_equal(h3ou__cells_places(out), 0);
    free(id);
    free(lon);
    free(lat);
    free(mask);
    free(count);
    free(vlon);
    free(vlat);
    return out;
}

#endif
