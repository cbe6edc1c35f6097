/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/cell_areas.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/box_overlaps.h"
#include "interp/grid/cell_polygon.h"
#include "interp/sphere/polygon.h"

static double measure_polygon(const h3ou__cells *c, int64_t i)
{
    h3ou__polygon p;
    h3ou__cell_polygon(c, i, &p);
    return p.n >= 3 ? h3ou__polygon_area(&p) : 0.0;
}

/* The areas of boxes, with the functions of each row's latitudes called once. */
static int measure_boxes(const h3ou__cells *c, int threads, double area[])
{
    double(*factor)[2] = malloc(sizeof *factor * (size_t)(c->dims[1] + 1));
    if (!factor)
        return h3ou__no_memory("the areas of cells");
    for (int64_t y = 0; y < c->dims[1]; y++)
        h3ou__row_factors(c->lat_south[y], c->lat_north[y], factor[y]);
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < c->n; i++) {
        int64_t id = h3ou__cell_id(c, i), x = id % c->dims[0], y = id / c->dims[0];
        area[i] = (c->lon_east[x] - c->lon_west[x]) * 2.0 * factor[y][0] * factor[y][1];
    }
    free(factor);
    return H3OU__OK;
}

int h3ou__cells_measure(const h3ou__cells *c, int threads, double **out)
{
    *out = NULL;
    if (!h3ou__cells_have_corners(c))
        return H3OU__OK;
    double *area = malloc(sizeof *area * (size_t)(c->n + 1));
    if (!area)
        return h3ou__no_memory("the areas of cells");
    int err = c->lon_west ? measure_boxes(c, threads, area) : H3OU__OK;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < (c->lon_west ? 0 : c->n); i++)
        area[i] = measure_polygon(c, i);
    if (err)
        free(area);
    else
        *out = area;
    return err;
}
