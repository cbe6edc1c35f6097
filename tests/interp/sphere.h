/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of interp share: numbers by chance, places, small grids. */
#ifndef H3OU_TEST_SPHERE_H
#define H3OU_TEST_SPHERE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "interp/grid/cells.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/polygon.h"

static const double PI = H3OU__PI;
static uint64_t chance_state = 1;

static inline double chance(void)
{
    chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(chance_state >> 11) / 9007199254740992.0;
}

static inline void place(double lon, double lat, double x[3])
{
    x[0] = fabs(lat) == PI / 2 ? 0.0 : cos(lat) * cos(lon);
    x[1] = fabs(lat) == PI / 2 ? 0.0 : cos(lat) * sin(lon);
    x[2] = sin(lat);
}

static inline void random_place(double x[3])
{
    place(2 * PI * chance(), asin(2 * chance() - 1), x);
}

/* nx * ny boxes over the whole sphere; degrees of the first column's western edge. */
static inline h3ou__cells *global_boxes(int64_t nx, int64_t ny, double west, const int mask[], int edges)
{
    double *lon = malloc(2 * sizeof *lon * (size_t)nx), *lat = malloc(2 * sizeof *lat * (size_t)ny);
    h3ou__cells *c = NULL;
    assert_int_equal(h3ou__cells_create("boxes", nx * ny, NULL, NULL, mask, &c), 0);
    for (int64_t x = 0; x < 2 * nx; x++)
        lon[x] = west * PI / 180 + 2 * PI * (double)((x + 1) / 2) / (double)nx;
    for (int64_t y = 0; y < 2 * ny; y++)
        lat[y] = -PI / 2 + PI * (double)((y + 1) / 2) / (double)ny;
    assert_int_equal(h3ou__cells_set_boxes(c, nx, ny, lon, lat, edges), 0);
    free(lon);
    free(lat);
    return c;
}

static inline void to_angles(const double x[3], double *lon, double *lat)
{
    *lon = atan2(x[1], x[0]);
    *lat = atan2(x[2], hypot(x[0], x[1]));
}

static inline void split_triangle(double (*v)[3], int *n, const double a[3], const double b[3], const double c[3],
                                  int level)
{
    double m[3][3];
    const double *from[3] = {a, b, c};
    if (level == 0) {
        for (int k = 0; k < 3; k++)
            memcpy(v[3 * *n + k], from[k], sizeof m[0]);
        ++*n;
        return;
    }
    for (int k = 0; k < 3; k++) {
        double length = 0;
        for (int d = 0; d < 3; d++) {
            m[k][d] = from[k][d] + from[(k + 1) % 3][d];
            length += m[k][d] * m[k][d];
        }
        for (int d = 0; d < 3; d++)
            m[k][d] /= sqrt(length);
    }
    split_triangle(v, n, a, m[0], m[2], level - 1);
    split_triangle(v, n, m[0], b, m[1], level - 1);
    split_triangle(v, n, m[2], m[1], c, level - 1);
    split_triangle(v, n, m[0], m[1], m[2], level - 1);
}

/* The octahedron's faces, split `level` times and turned by some angles: 8 * 4^level triangles over the whole sphere.
 */
static inline h3ou__cells *global_triangles(int level, const int mask[])
{
    static const double axis[6][3] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    int total = 8 << (2 * level), n = 0;
    double(*v)[3] = malloc(3 * sizeof *v * (size_t)total);
    double *lon = malloc(3 * sizeof *lon * (size_t)total), *lat = malloc(3 * sizeof *lat * (size_t)total);
    h3ou__cells *c = NULL;
    for (int k = 0; k < 4; k++) {
        split_triangle(v, &n, axis[k], axis[(k + 1) % 4], axis[4], level);
        split_triangle(v, &n, axis[(k + 1) % 4], axis[k], axis[5], level);
    }
    for (int k = 0; k < 3 * total; k++) {
        double x = v[k][0], y = v[k][1] * cos(0.3) - v[k][2] * sin(0.3), z = v[k][1] * sin(0.3) + v[k][2] * cos(0.3);
        double turned[3] = {x * cos(0.7) - z * sin(0.7), y, x * sin(0.7) + z * cos(0.7)};
        to_angles(turned, &lon[k], &lat[k]);
    }
    assert_int_equal(h3ou__cells_create("triangles", total, NULL, NULL, mask, &c), 0);
    assert_int_equal(h3ou__cells_set_corners(c, 3, lon, lat, NULL, H3OU__EDGES_DEFAULT), 0);
    free(v);
    free(lon);
    free(lat);
    return c;
}

#endif
