/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/cell_areas.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/box_overlaps.h"
#include "interp/grid/cell_polygon.h"
#include "interp/sphere/polygon.h"

static double measure_cell(const h3ou__cells *c, int64_t i)
{
    h3ou__polygon p;
    if (c->lon_west) {
        int64_t id = h3ou__cell_id(c, i), x = id % c->dims[0], y = id / c->dims[0];
        return h3ou__box_measure(c->lon_west[x], c->lon_east[x], c->lat_south[y], c->lat_north[y], NULL);
    }
    h3ou__cell_polygon(c, i, &p);
    return p.n >= 3 ? h3ou__polygon_area(&p) : 0.0;
}

int h3ou__cells_measure(const h3ou__cells *c, int threads, double **out)
{
    *out = NULL;
    if (!h3ou__cells_have_corners(c))
        return H3OU__OK;
    double *area = malloc(sizeof *area * (size_t)(c->n + 1));
    if (!area)
        return h3ou__no_memory("the areas of cells");
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < c->n; i++)
        area[i] = measure_cell(c, i);
    *out = area;
    return H3OU__OK;
}
