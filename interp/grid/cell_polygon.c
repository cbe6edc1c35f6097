/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/cell_polygon.h"

#include <math.h>
#include <string.h>

static void cell_box(const h3ou__cells *c, int64_t i, h3ou__polygon *out)
{
    int64_t nx = c->dims[0], ny = c->dims[1], id = h3ou__cell_id(c, i), x = id % nx, y = id / nx;
    const double *west = c->box_trig + 2 * x, *east = c->box_trig + 2 * nx + 2 * x;
    const double *south = c->box_trig + 4 * nx + 2 * y, *north = c->box_trig + 4 * nx + 2 * ny + 2 * y;
    out->n = 0;
    out->convex = true;
    out->has_circles = false;
    const double *meridian[4] = {west, east, east, west}, *row[4] = {south, south, north, north};
    for (int k = 0; k < 4; k++) {
        if ((k == 1 || k == 3) && row[k][0] == 0.0)
            continue; /* the pole is one corner */
        double v[3] = {row[k][0] * meridian[k][0], row[k][0] * meridian[k][1], row[k][1]};
        memcpy(out->v[out->n], v, sizeof v);
        out->circle[out->n] = (k == 0 || k == 2) && row[k][0] != 0.0;
        out->has_circles |= out->circle[out->n++];
    }
}

void h3ou__cell_polygon(const h3ou__cells *c, int64_t i, h3ou__polygon *out)
{
    if (c->lon_west) {
        cell_box(c, i, out);
        return;
    }
    out->n = 0;
    out->has_circles = false;
    if (!c->first)
        return;
    out->n = (int)(c->first[i + 1] - c->first[i]);
    out->convex = c->convex[i];
    memcpy(out->v, c->corner + 3 * c->first[i], 3 * sizeof(double) * (size_t)out->n);
    memset(out->circle, 0, (size_t)out->n);
    for (int k = 0; c->edges == H3OU__EDGES_LATITUDE && k < out->n; k++) {
        double za = out->v[k][2], zb = out->v[k + 1 < out->n ? k + 1 : 0][2];
        out->circle[k] = fabs(za - zb) < 1e-10 && fabs(za) < 1.0 - 1e-10;
        out->has_circles |= out->circle[k];
    }
}
