/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids that have cells twice: tripolar ones with overlap columns and a fold through centres or through edges,
 * longitudes from 0 to 360 inclusive, and boxes whose last rows have their centres at the poles. */
#ifndef H3OU_TEST_OCEAN_GRIDS_H
#define H3OU_TEST_OCEAN_GRIDS_H

#include "interp/rows/fold.h"
#include "sphere.h"

/* Rows and columns whose cells are polygons. */
typedef struct lattice {
    int nx, ny, period; /* columns a period apart are the same */
    int rows;           /* fold_rows of h3ou__cells; odd: the fold runs through centres */
    int south;          /* rows up to 60 degrees north */
    int west;           /* columns before the one at which the fold's first pole is */
} lattice;

/* Where column u and row v are, both may be between two: circles of latitude up to 60 degrees; beyond, circles through
 * two poles on the sixtieth parallel; the grid meets itself on the line between these. */
static inline void lattice_place(const lattice *g, double u, double v, double *lon, double *lat)
{
    double around = 2 * PI * u / g->period, cap = g->ny - g->south - g->rows / 2.0;
    *lon = around;
    *lat = -PI / 2.2 + (PI / 2.2 + PI / 3) * v / g->south;
    if (v > g->south) {
        double once = around - 2 * PI * floor(around / (2 * PI)), side = once < PI ? 1 : -1;
        double c = fabs(cos(once / 2)), s = fabs(sin(once / 2)), turn = side * PI / 2 * (1 - (v - g->south) / cap);
        double re = c * cos(turn), im = c * sin(turn), below = (re + s) * (re + s) + im * im;
        double zr = tan(PI / 12) * (re * re + im * im - s * s) / below, zi = tan(PI / 12) * 2 * im * s / below;
        *lon = atan2(zi, zr);
        *lat = PI / 2 - 2 * atan(hypot(zr, zi));
    }
    *lon += 80 * PI / 180;
}

static inline void find_fold(h3ou__cells *c)
{
    h3ou__fold fold;
    double *xyz = malloc(sizeof *xyz * (size_t)h3ou__fold_room(c->dims));
    h3ou__fold_copy_rows(c, xyz);
    h3ou__fold_find(c->dims, xyz, &fold);
    h3ou__fold_set(c, &fold);
    free(xyz);
}

/* The mask (NULL: none) is joined with the two poles' cells of a fold through centres, which have no area. */
static inline h3ou__cells *lattice_cells(const lattice *g, const int mask[], bool corners)
{
    int n = g->nx * g->ny;
    double *lon = malloc(sizeof *lon * (size_t)n), *lat = malloc(sizeof *lat * (size_t)n);
    double *x4 = malloc(4 * sizeof *x4 * (size_t)n), *y4 = malloc(4 * sizeof *y4 * (size_t)n);
    int *take = malloc(sizeof *take * (size_t)n);
    int on_fold = g->ny - (g->rows + 1) / 2;
    double shift = (g->rows % 2 ? 0.0 : 0.5) - g->west;
    h3ou__cells *c;
    for (int i = 0; i < n; i++) {
        static const double dx[4] = {-0.5, 0.5, 0.5, -0.5}, dy[4] = {-0.5, -0.5, 0.5, 0.5};
        double u = i % g->nx + shift, v = i / g->nx + 0.5;
        lattice_place(g, u, v, &lon[i], &lat[i]);
        for (int k = 0; k < 4; k++)
            lattice_place(g, u + dx[k], v + dy[k], &x4[4 * i + k], &y4[4 * i + k]);
        bool is_pole =
            g->rows % 2 && i / g->nx >= on_fold - 1 && (i % g->nx + g->period - g->west) % (g->period / 2) == 0;
        take[i] = (!mask || mask[i]) && !is_pole;
    }
    assert_int_equal(h3ou__cells_create("ocean", n, lon, lat, take, &c), 0);
    if (corners)
        assert_int_equal(h3ou__cells_set_corners(c, 4, x4, y4, NULL, H3OU__EDGES_GREAT), 0);
    c->rank = 2;
    c->dims[0] = g->nx;
    c->dims[1] = g->ny;
    c->cyclic = true;
    assert_int_equal(h3ou__cells_places(c), 0);
    find_fold(c);
    free(lon);
    free(lat);
    free(x4);
    free(y4);
    free(take);
    return c;
}

/* Boxes from west on, nx columns of which the first `period` go round; the rows end at the poles, where with pole_rows
 * they have half the height and their centres at the pole. */
static inline h3ou__cells *column_boxes(int nx, int period, int ny, bool pole_rows, const int mask[], int edges)
{
    int n = nx * ny;
    double *x = malloc(2 * sizeof *x * (size_t)nx), *y = malloc(2 * sizeof *y * (size_t)ny);
    double *lon = malloc(sizeof *lon * (size_t)n), *lat = malloc(sizeof *lat * (size_t)n);
    double dx = 2 * PI / period, dy = PI / (ny - pole_rows);
    h3ou__cells *c;
    for (int i = 0; i < nx; i++) {
        x[2 * i] = (i - 0.5) * dx;
        x[2 * i + 1] = (i + 0.5) * dx;
    }
    for (int k = 0; k < ny; k++) {
        double middle = -PI / 2 + (k + (pole_rows ? 0.0 : 0.5)) * dy;
        y[2 * k] = fmax(-PI / 2, middle - dy / 2);
        y[2 * k + 1] = fmin(PI / 2, middle + dy / 2);
        for (int i = 0; i < nx; i++) {
            lon[k * nx + i] = i * dx;
            lat[k * nx + i] = fmin(PI / 2, middle);
        }
    }
    assert_int_equal(h3ou__cells_create("columns", n, lon, lat, mask, &c), 0);
    assert_int_equal(h3ou__cells_set_boxes(c, nx, ny, x, y, edges), 0);
    assert_int_equal(h3ou__cells_places(c), 0);
    free(x);
    free(y);
    free(lon);
    free(lat);
    return c;
}

#endif
