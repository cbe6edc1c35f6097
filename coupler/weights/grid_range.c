/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/grid_range.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "comm/collective/collective.h"
#include "coupler/config/leniency.h"
#include "interp/sphere/angles.h"

static const double TURN = 2.0 * H3OU__PI;

int h3ou__grid_range_find(const h3ou__grid *g, h3ou__comm *local, h3ou__grid_range *out)
{
    const h3ou__geometry *m = &g->geometry;
    const double *lon = m->lon ? m->lon : m->corner_lon, *lat = m->lon ? m->lat : m->corner_lat;
    double mine[4] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, all[4];
    int64_t of = m->lon ? 1 : m->most, n = m->lon || m->corner_lon ? g->n * of : 0;
    for (int64_t i = 0; i < n; i++) {
        if (m->mask && !m->mask[i / of]) /* its coordinates may be anything */
            continue;
        mine[0] = h3ou__higher(mine[0], -lon[i]);
        mine[1] = h3ou__higher(mine[1], lon[i]);
        mine[2] = h3ou__higher(mine[2], -lat[i]);
        mine[3] = h3ou__higher(mine[3], lat[i]);
    }
    int err = h3ou__allreduce(local, mine, all, 4, H3OU__DOUBLE, H3OU__MAX);
    if (!err)
        *out = (h3ou__grid_range){-all[0] * H3OU__DEGREES_PER_RADIAN, all[1] * H3OU__DEGREES_PER_RADIAN,
                                  -all[2] * H3OU__DEGREES_PER_RADIAN, all[3] * H3OU__DEGREES_PER_RADIAN};
    return err;
}

bool h3ou__grid_range_has_cells(const h3ou__grid_range *r)
{
    return r->west <= r->east;
}

char *h3ou__grid_range_text(const h3ou__grid_range *r, char text[], size_t size)
{
    snprintf(text, size, "%.6g to %.6g E, %.6g to %.6g N", r->west, r->east, r->south, r->north);
    return text;
}

bool h3ou__grid_range_like_radians(const h3ou__grid_range *r)
{
    return h3ou__grid_range_has_cells(r) && fmax(-r->west, r->east) < TURN + 1e-6 &&
           fmax(-r->south, r->north) < H3OU__PI / 2 + 1e-6;
}

static void ask_about_longitudes(const h3ou__grid *g, const h3ou__grid_range *r, bool in_degrees)
{
    char text[128];
    double most = fmax(-r->west, r->east) * H3OU__RADIANS_PER_DEGREE, span = (r->east - r->west) / 360.0;
    if (in_degrees && h3ou__grid_range_like_radians(r))
        h3ou__warn(NULL, "grid %s was given in degrees and reaches from %s only: are these radians? (units='radians')",
                   g->name, h3ou__grid_range_text(r, text, sizeof text));
    if (!in_degrees && h3ou__grid_range_has_cells(r) && most > TURN + 1e-6 && !(span > 0.8 && span < 1.0 + 1e-6))
        h3ou__warn(NULL,
                   "grid %s was given in radians with longitudes as far as %.6g: are these degrees? "
                   "(units='degrees')",
                   g->name, most);
}

int h3ou__grid_range_ask_units(const h3ou__grid *g, h3ou__comm *local)
{
    const h3ou__geometry *m = &g->geometry;
    h3ou__grid_range r;
    /* Of a process without cells nothing follows. */
    double mine[2] = {g->n > 0 && m->in_degrees ? 1.0 : 0.0, 0.0}, all[2];
    for (int64_t i = 0; i < g->n && m->angle && !m->angle_in_degrees; i++)
        mine[1] = fmax(mine[1], fabs(m->angle[i]));
    int err = h3ou__grid_range_find(g, local, &r);
    if (!err)
        err = h3ou__allreduce(local, mine, all, 2, H3OU__DOUBLE, H3OU__MAX);
    if (err || h3ou__comm_rank(local) != 0)
        return err;
    ask_about_longitudes(g, &r, all[0] > 0.0);
    if (all[1] > TURN + 1e-6)
        h3ou__warn(NULL, "grid %s: an angle of %.6g was given in radians: are these degrees? (units='degrees')",
                   g->name, all[1]);
    return H3OU__OK;
}
