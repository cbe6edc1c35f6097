/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/slopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/cell_polygon.h"
#include "interp/grid/coincident.h"
#include "interp/sphere/polygon.h"
#include "interp/sphere/tangent_frame.h"
#include "interp/sphere/vector.h"

void h3ou__slopes_free(h3ou__slopes *s)
{
    free(s->middle);
    h3ou__lists_free(&s->near);
    free(s->gx);
    free(s->gy);
    memset(s, 0, sizeof *s);
}

static void place_middles(const h3ou__cells *c, const double area[], int threads, double *middle)
{
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < c->n; i++) {
        h3ou__polygon p;
        h3ou__cell_polygon(c, i, &p);
        double *m = middle + 3 * i;
        m[0] = m[1] = m[2] = 0.0;
        if (p.n < 3)
            continue;
        h3ou__polygon_moment(&p, m);
        for (int d = 0; d < 3; d++)
            m[d] /= area[i];
    }
}

/* Adds the neighbour, or the cell that stands for it, unless it is in the list from `from` on. */
static int64_t add_neighbour(const h3ou__cells *c, h3ou__slopes *s, int64_t from, int64_t n, int32_t cell)
{
    if (c->same_polygon)
        cell = c->same_polygon[cell];
    for (int64_t k = from; k < n; k++)
        if (s->near.list[k] == cell)
            return n;
    if (c->mask[cell])
        s->near.list[n++] = cell;
    return n;
}

/* Lists of each cell itself and then its neighbours that are not masked, once each. */
static int make_stencils(const h3ou__cells *c, h3ou__slopes *s)
{
    h3ou__lists edge;
    int64_t n = 0;
    int err = h3ou__neighbours_by_edge(c, &edge);
    if (err)
        return err;
    s->near.n = c->n;
    s->near.start = malloc(sizeof *s->near.start * (size_t)(c->n + 1));
    s->near.list = malloc(sizeof *s->near.list * (size_t)(c->n + edge.start[c->n] + 1));
    if (!s->near.start || !s->near.list)
        err = h3ou__no_memory("gradients");
    for (int64_t i = 0; i < c->n && !err; i++) {
        s->near.start[i] = n;
        if (!c->mask[i] || h3ou__cell_is_repeated(c, i))
            continue;
        s->near.list[n++] = (int32_t)i;
        for (int64_t k = edge.start[i]; k < edge.start[i + 1]; k++)
            n = add_neighbour(c, s, s->near.start[i], n, edge.list[k]);
    }
    if (!err)
        s->near.start[c->n] = n;
    h3ou__lists_free(&edge);
    return err;
}

static const double FLATTEST = 0.05; /* of the eigenvalues of a cell's neighbours */

/* How much at most the gradient adds at a corner of the cell, per unit of a value. A neighbour of the usual kind lies
 * as far away as the cell's border or farther, which makes it about 1. */
static const double STEEPEST = 8.0;

static bool is_too_steep(const h3ou__cells *c, const h3ou__slopes *s, int64_t i, const h3ou__tangent_frame *f)
{
    h3ou__polygon p;
    h3ou__cell_polygon(c, i, &p);
    for (int v = 0; v < p.n; v++) {
        double d[3];
        h3ou__sub(p.v[v], s->middle + 3 * i, d);
        double x = h3ou__dot(d, f->east), y = h3ou__dot(d, f->north);
        for (int64_t k = s->near.start[i]; k < s->near.start[i + 1]; k++)
            if (!(fabs(x * s->gx[k] + y * s->gy[k]) < STEEPEST))
                return true;
    }
    return false;
}

static void solve_cell(const h3ou__cells *c, h3ou__slopes *s, int64_t i)
{
    int64_t from = s->near.start[i], end = s->near.start[i + 1];
    h3ou__tangent_frame f;
    double xx = 0, xy = 0, yy = 0, sum_x = 0, sum_y = 0;
    const double *m = s->middle + 3 * i;
    for (int64_t k = from; k < end; k++)
        s->gx[k] = s->gy[k] = 0.0;
    if (end - from < 2)
        return;
    h3ou__tangent_frame_towards(m, &f);
    for (int64_t k = from + 1; k < end; k++) {
        double step[3];
        h3ou__sub(s->middle + 3 * s->near.list[k], m, step);
        double x = h3ou__dot(step, f.east), y = h3ou__dot(step, f.north), far2 = x * x + y * y;
        double weight = far2 > 0.0 ? 1.0 / far2 : 0.0; /* a neighbour in the same place determines no slope */
        xx += weight * x * x;
        xy += weight * x * y;
        yy += weight * y * y;
        s->gx[k] = weight * x;
        s->gy[k] = weight * y;
    }
    /* The inverse of the 2 x 2 matrix by its eigenvalues. Where the neighbours lie nearly in one line, as on a coast,
     * they do not determine the slope across that line: it is taken as 0. */
    double middle = 0.5 * (xx + yy), half = hypot(0.5 * (xx - yy), xy), large = middle + half, small = middle - half;
    double turn = 0.5 * atan2(2.0 * xy, xx - yy), ct = cos(turn), st = sin(turn);
    double across = small > FLATTEST * large ? 1.0 / small : 0.0, along = large > 0.0 ? 1.0 / large : 0.0;
    for (int64_t k = from + 1; k < end; k++) {
        double a = along * (ct * s->gx[k] + st * s->gy[k]), b = across * (ct * s->gy[k] - st * s->gx[k]);
        s->gx[k] = a * ct - b * st;
        s->gy[k] = a * st + b * ct;
        sum_x += s->gx[k];
        sum_y += s->gy[k];
    }
    s->gx[from] = -sum_x;
    s->gy[from] = -sum_y;
    if (is_too_steep(c, s, i, &f)) /* neighbours that nearly coincide with the cell determine no gradient */
        for (int64_t k = from; k < end; k++)
            s->gx[k] = s->gy[k] = 0.0;
}

int h3ou__slopes_make(const h3ou__cells *c, const double area[], int threads, h3ou__slopes *out)
{
    memset(out, 0, sizeof *out);
    int err = make_stencils(c, out);
    if (!err) {
        size_t n = (size_t)out->near.start[c->n] + 1;
        out->middle = malloc(3 * sizeof(double) * (size_t)(c->n + 1));
        out->gx = malloc(sizeof(double) * n);
        out->gy = malloc(sizeof(double) * n);
        if (!out->middle || !out->gx || !out->gy)
            err = h3ou__no_memory("gradients");
    }
    if (err) {
        h3ou__slopes_free(out);
        return err;
    }
    place_middles(c, area, threads, out->middle);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < c->n; i++)
        solve_cell(c, out, i);
    return H3OU__OK;
}
