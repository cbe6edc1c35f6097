/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bicubic interpolation on structured grids: the product of two cubics through four places each (J. L. Lagrange), in
 * longitude and latitude on regular grids, where the rows go on across the pole, and in the grid's own indices on
 * curvilinear ones, where the target's place in these is that of the bicubic map of the sixteen centres. Fourth order
 * where grid and field are smooth. Not bounded by the values it comes from.
 */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "interp/sphere/tangent_frame.h"
#include "interp/stencils/centre_search.h"
#include "interp/stencils/planar_polygon.h"

static int open_bicubic(const h3ou__method_task *task, void **state)
{
    *state = NULL;
    if (task->source->rank != 2)
        return h3ou__fail(H3OU__EARG, "method bicubic: %s has no rows and columns; use barycentric or radial",
                          task->source->name);
    return h3ou__centre_search_open(task, "bicubic", true, state);
}

/* The cubic through the values at low, low + 1, .. low + 3: coefficients and their derivatives at u. */
static void cubic_coefs(double u, int low, double coef[4], double slope[4])
{
    for (int i = 0; i < 4; i++) {
        double below = 1.0, sum = 0.0;
        coef[i] = 1.0;
        for (int j = 0; j < 4; j++) {
            if (j == i)
                continue;
            below *= i - j;
            coef[i] *= u - (low + j);
            double product = 1.0;
            for (int k = 0; k < 4; k++)
                if (k != i && k != j)
                    product *= u - (low + k);
            sum += product;
        }
        coef[i] /= below;
        slope[i] = sum / below;
    }
}

/* Sixteen cells round a quadrilateral. */
typedef struct stencil {
    int low[2];       /* -1, or 0 and -2 where the grid ends */
    int64_t cell[16]; /* [4 * j + i] */
    double image[16][2];
} stencil;

/* Where the four places begin in one direction: the cells before and behind the pair that starts at (x, y); false when
 * one is not held, or three are not there at all. */
static bool place_line(const h3ou__cells *c, int64_t x, int64_t y, int64_t dx, int64_t dy, int *low)
{
    int64_t before = h3ou__lattice_source(c, x - dx, y - dy), behind = h3ou__lattice_source(c, x + 2 * dx, y + 2 * dy);
    *low = before == -1 ? 0 : behind == -1 ? -2 : -1;
    return before != -2 && behind != -2 && (before != -1 || behind != -1);
}

static bool gather_stencil(const h3ou__cells *c, const h3ou__tangent_frame *f, int64_t x, int64_t y, stencil *s)
{
    if (!place_line(c, x, y, 1, 0, &s->low[0]) || !place_line(c, x, y, 0, 1, &s->low[1]))
        return false;
    for (int k = 0; k < 16; k++) {
        int64_t i = h3ou__lattice_source(c, x + s->low[0] + k % 4, y + s->low[1] + k / 4);
        s->cell[k] = i;
        if (i < 0 || !h3ou__tangent_frame_image(f, c->xyz + 3 * i, s->image[k]))
            return false;
    }
    return true;
}

/* Newton's steps to where the bicubic map has the target; false when they lead away from the quadrilateral, as on grids
 * that are not smooth. */
static bool find_place(const stencil *s, double uv[2], double coef[2][4])
{
    double change = 1.0;
    for (int step = 0; step < 30 && change > 1e-14; step++) {
        double slope[2][4], at[2] = {0, 0}, du[2] = {0, 0}, dv[2] = {0, 0};
        cubic_coefs(uv[0], s->low[0], coef[0], slope[0]);
        cubic_coefs(uv[1], s->low[1], coef[1], slope[1]);
        for (int k = 0; k < 16; k++)
            for (int d = 0; d < 2; d++) {
                at[d] += coef[0][k % 4] * coef[1][k / 4] * s->image[k][d];
                du[d] += slope[0][k % 4] * coef[1][k / 4] * s->image[k][d];
                dv[d] += coef[0][k % 4] * slope[1][k / 4] * s->image[k][d];
            }
        double det = du[0] * dv[1] - du[1] * dv[0];
        double u = at[1] * dv[0] - at[0] * dv[1], v = du[1] * at[0] - du[0] * at[1];
        if (!(fabs(u) + fabs(v) < 1e100 * fabs(det))) /* the map folds here; the quotients might overflow */
            return false;
        u /= det;
        v /= det;
        uv[0] += u;
        uv[1] += v;
        change = fabs(u) + fabs(v);
        if (!(fabs(uv[0] - 0.5) < 1.5 && fabs(uv[1] - 0.5) < 1.5))
            return false;
    }
    return change < 1e-9;
}

/* On smooth grids no coefficient is much above 1. Beyond this the centres are not in the order of their indices. */
static const double STEEPEST = 4.0;

static int serve_lattice(const h3ou__dual *d, const h3ou__spot *spot, h3ou__row *row)
{
    const h3ou__cells *c = d->cells;
    double uv[2], coef[2][4], all[16];
    h3ou__tangent_frame f;
    stencil s;
    int err;
    int64_t k = h3ou__dual_quad(d, spot, row, uv);
    if (k < 0)
        return k < -1 ? (int)k + 1 : H3OU__OK;
    int64_t id = h3ou__cell_id(c, d->origin[k]);
    h3ou__tangent_frame_at(spot->x, &f);
    if (!gather_stencil(c, &f, id % c->dims[0], id / c->dims[0], &s) || !find_place(&s, uv, coef))
        return H3OU__OK;
    for (int i = 0; i < 16; i++) {
        all[i] = coef[0][i % 4] * coef[1][i / 4];
        if (!(fabs(all[i]) < STEEPEST))
            return H3OU__OK;
    }
    h3ou__patch_put(c, 16, s.cell, all, row, &err);
    return err;
}

static int serve_bicubic(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    const h3ou__centre_search *s = state;
    const h3ou__cells *t = task->target;
    if (s->raster)
        return h3ou__raster_serve(s->raster, t->lon[target], t->lat[target], 4, row);
    const h3ou__spot spot = {t->xyz + 3 * target, t->lon[target], t->lat[target]};
    return serve_lattice(s->dual, &spot, row);
}

/* The centres reach one cell farther than those of bilinear; where the grid ends, two. */
static double bicubic_halo(const h3ou__method_keys *keys, double source_diameter)
{
    (void)keys;
    return 7.0 * source_diameter;
}

const h3ou__method h3ou__method_bicubic = {
    .name = "bicubic",
    .links = 16.0,
    .help = "cubic through sixteen centres of a structured grid",
    .keys = "",
    .open = open_bicubic,
    .serve = serve_bicubic,
    .close = h3ou__centre_search_close,
    .halo = bicubic_halo,
    .source_corners = true,
};
