/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plot/map_pixels.h"

#include <math.h>
#include <stddef.h>

#include "interp/search/kdtree.h"

static const double degree = M_PI / 180.0;

/* The largest distance of a cell's points from its centre: on the sphere, or, for straight rows and columns, east and
 * north. */
typedef struct extent {
    double chord2;      /* square of the longest chord from the centre at which a pixel still belongs to the cell */
    double east, north; /* radians; 0: chord2 counts */
} extent;

static double largest_step(const double angle[], int64_t n, int64_t stride)
{
    double most = 0.0;
    for (int64_t i = 1; i < n; i++)
        most = fmax(most, fabs(remainder(angle[i * stride] - angle[(i - 1) * stride], 2.0 * M_PI)));
    return most;
}

static bool is_straight(const h3ou__cells *c)
{
    int64_t nx = c->rank == 2 ? c->dims[0] : 0;
    if (nx < 2 || c->dims[1] < 2 || nx * c->dims[1] != c->n)
        return false;
    for (int64_t i = 0; i < c->n; i++)
        if (fabs(c->lon[i] - c->lon[i % nx]) > 1e-9 || fabs(c->lat[i] - c->lat[i - i % nx]) > 1e-9)
            return false;
    return true;
}

/* Returns how far from a centre a pixel still belongs to the grid: by the gaps between cells; for cells that cover the
 * globe there is no limit. */
static extent measure_extent(const h3ou__cells *c, const double area[], const h3ou__kdtree *tree)
{
    enum { SAMPLES = 20000 };
    double all = 0.0, largest = 0.0, chord2 = 0.0;
    for (int64_t i = 0; area && i < c->n; i++) {
        all += area[i];
        largest = fmax(largest, area[i]);
    }
    if (all > 0.999 * 4.0 * M_PI)
        return (extent){.chord2 = INFINITY};
    if (is_straight(c))
        return (extent){.chord2 = INFINITY,
                        .east = 0.501 * largest_step(c->lon, c->dims[0], 1),
                        .north = 0.501 * largest_step(c->lat, c->dims[1], c->dims[0])};
    int64_t step = c->n / SAMPLES + 1;
    for (int64_t i = 0; i < c->n; i += step) {
        h3ou__near near[2];
        if (h3ou__kdtree_nearest(tree, c->xyz + 3 * i, 2, near) == 2)
            chord2 = fmax(chord2, near[1].chord2);
    }
    return (extent){.chord2 = fmax(1.2 * 1.2 * chord2, largest)};
}

static bool is_within(const extent *e, const h3ou__cells *c, const h3ou__near *near, double lon, double lat)
{
    if (e->north > 0.0)
        return fabs(lat - c->lat[near->point]) <= e->north &&
               fabs(remainder(lon - c->lon[near->point], 2.0 * M_PI)) <= e->east;
    return near->chord2 <= e->chord2;
}

int raster_make(h3ou__cells *c, const double area[], const region *box, int width, int height, int64_t out[])
{
    h3ou__kdtree *tree = NULL;
    int err = h3ou__cells_places(c);
    if (!err)
        err = h3ou__kdtree_create(c->xyz, NULL, c->n, &tree);
    if (err)
        return err;
    extent most = measure_extent(c, area, tree);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double lon = (box->west + (x + 0.5) / width * (box->east - box->west)) * degree;
            double lat = (box->north - (y + 0.5) / height * (box->north - box->south)) * degree;
            double q[3] = {cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)};
            h3ou__near near;
            bool is_found = h3ou__kdtree_nearest(tree, q, 1, &near) == 1 && is_within(&most, c, &near, lon, lat);
            out[(int64_t)y * width + x] = is_found ? near.point : -1;
        }
    h3ou__kdtree_free(tree);
    return err;
}
