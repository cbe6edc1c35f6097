/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/search/cell_search.h"

#include <math.h>
#include <stddef.h>

#include "coupler/search/cell_search_inside.h"
#include "interp/grid/cell_polygon.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/polygon.h"
#include "interp/sphere/vector.h"

void h3ou__cell_cap(const h3ou__cells *c, int64_t i, double x[3], double *radius)
{
    h3ou__polygon p;
    h3ou__cell_polygon(c, i, &p);
    h3ou__unit_vector(c->lon[i], c->lat[i], x);
    double far2 = 0.0;
    for (int k = 0; k < p.n; k++) {
        double d2 = 0.0;
        for (int d = 0; d < 3; d++)
            d2 += (p.v[k][d] - x[d]) * (p.v[k][d] - x[d]);
        far2 = h3ou__higher(far2, d2);
    }
    *radius = h3ou__chord_arc(far2);
    if (p.has_circles) /* arcs of latitude circles reach out between their corners */
        *radius *= 1.5;
}

void h3ou__row_cap(h3ou__cap_row *row, const h3ou__cells *c, int64_t i, double x[3], double *radius)
{
    const double SAME = 1e-11, MORE = 1e-10; /* radians */
    if (!c->lon_west) {
        h3ou__cell_cap(c, i, x, radius);
        return;
    }
    int64_t id = h3ou__cell_id(c, i), column = id % c->dims[0];
    double lat = c->lat[i], west = c->lon[i] - c->lon_west[column], east = c->lon_east[column] - c->lon[i];
    if (row->radius > 0.0 && row->number == id / c->dims[0] && row->lat == lat && fabs(row->west - west) < SAME &&
        fabs(row->east - east) < SAME) {
        h3ou__unit_vector(c->lon[i], lat, x);
    } else {
        h3ou__cell_cap(c, i, x, radius);
        *row = (h3ou__cap_row){id / c->dims[0], lat, west, east, *radius + MORE};
    }
    *radius = row->radius;
}

bool h3ou__searches_by_centres(const h3ou__stack *stack)
{
    bool source, target;
    h3ou__stack_corners(stack, &source, &target);
    return !source;
}

int h3ou__nearest_wanted(const h3ou__stack *stack, double source_diameter)
{
    int most = 0;
    for (int k = 0; k < stack->n; k++) {
        const h3ou__method *m = stack->method[k];
        const h3ou__method_keys *keys = &stack->keys[k];
        if (m->halo && m->halo(keys, source_diameter) < 0 && keys->n > most)
            most = keys->n;
    }
    return most;
}

int h3ou__cell_search(const h3ou__cell_search_task *task, h3ou__cells **part, int64_t **owner)
{
    *part = NULL;
    if (owner)
        *owner = NULL;
    return task->source   ? h3ou__cell_search_own(task, part, owner)
           : task->sender ? h3ou__cell_search_sender(task)
                          : h3ou__cell_search_receiver(task, part, owner);
}
