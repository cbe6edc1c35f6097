/* SPDX-License-Identifier: BSD-3-Clause */
/* Second-order conservative weights: the source is taken as linear in each of its cells, f_i + g_i . (x - c_i) with c_i
 * the cell's mean position and g_i the least-squares gradient, and integrated over the exact intersections (E.
 * Kritsikis et al., 2017). What a cell's overlaps gain by the gradient adds up to nothing, so it conserves as the first
 * order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/cell_polygon.h"
#include "interp/sphere/polygon.h"
#include "interp/sphere/tangent_frame.h"
#include "interp/sphere/vector.h"
#include "interp/stencils/overlaps.h"
#include "interp/stencils/slopes.h"
#include "interp/weights/threads.h"
#include "interp/weights/weights.h"

typedef struct second {
    h3ou__overlaps *overlaps;
    h3ou__slopes slopes;
} second;

static void close_search(void *state)
{
    second *s = state;
    if (!s)
        return;
    h3ou__overlaps_close(s->overlaps);
    h3ou__slopes_free(&s->slopes);
    free(s);
}

static int open_search(const h3ou__method_task *task, void **state)
{
    second *s = calloc(1, sizeof *s);
    if (!s)
        return h3ou__no_memory("the second order");
    *state = s;
    int err = h3ou__overlaps_open(task->source, task->target, &s->overlaps);
    return err ? err
               : h3ou__slopes_make(task->source, task->weights->source_area, h3ou__threads(task->options->threads),
                                   &s->slopes);
}

/* The overlap's centroid from the cell's mean position, times the area, in the cell's tangent frame. */
static void measure_displacement(const h3ou__slopes *s, const h3ou__under *u, int64_t k, double *x, double *y)
{
    h3ou__tangent_frame f;
    double d[3];
    const double *m = s->middle + 3 * u->source[k];
    for (int i = 0; i < 3; i++)
        d[i] = u->moment[3 * k + i] - u->area[k] * m[i];
    h3ou__tangent_frame_towards(m, &f);
    *x = h3ou__dot(d, f.east);
    *y = h3ou__dot(d, f.north);
}

static int serve_conservative2(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    const second *s = state;
    const h3ou__weights *w = task->weights;
    h3ou__under *u = h3ou__row_under(row);
    if (!u)
        return H3OU__ENOMEM;
    int err = h3ou__overlaps_of(s->overlaps, target, w->source_area, w->target_area[target], true, u);
    for (int64_t k = 0; k < u->n && !err; k++) {
        double x, y, scale = h3ou__conservative_scale(task, target, u->covered, u->source[k]);
        const h3ou__lists *near = &s->slopes.near;
        measure_displacement(&s->slopes, u, k, &x, &y);
        err = h3ou__row_add(row, u->source[k], u->area[k] * scale);
        for (int64_t i = near->start[u->source[k]]; i < near->start[u->source[k] + 1] && !err; i++)
            err = h3ou__row_add(row, near->list[i], scale * (x * s->slopes.gx[i] + y * s->slopes.gy[i]));
    }
    row->frac = fmin(1.0, u->covered / w->target_area[target]);
    return err;
}

/* The neighbours of a cell that reaches out from under the target must be there too. */
static double conservative2_halo(const h3ou__method_keys *keys, double source_diameter)
{
    (void)keys;
    return 1.1 * source_diameter;
}

/* The links of the limited product: those of the rows of one method, made again. */
typedef struct links {
    int64_t n, room;
    int32_t *source;
    double *share, *dx, *dy;
} links;

static int add_link(links *l, int32_t source, double share, double dx, double dy)
{
    if (l->n == l->room) {
        int64_t room = h3ou__larger_room(l->room, l->n + 1);
        if (!h3ou__resize(&l->source, sizeof *l->source, room) || !h3ou__resize(&l->share, sizeof *l->share, room) ||
            !h3ou__resize(&l->dx, sizeof *l->dx, room) || !h3ou__resize(&l->dy, sizeof *l->dy, room))
            return h3ou__no_memory("the limited second order");
        l->room = room;
    }
    l->source[l->n] = source;
    l->share[l->n] = share;
    l->dx[l->n] = dx;
    l->dy[l->n++] = dy;
    return H3OU__OK;
}

static int make_links(const h3ou__method_task *task, const second *s, int number, h3ou__gradient *g, links *l)
{
    const h3ou__weights *w = task->weights;
    h3ou__under u = {0};
    int err = H3OU__OK;
    for (int64_t t = 0; t < w->ntarget && !err; t++) {
        g->link[t] = l->n;
        if (w->served[t] != number)
            continue;
        err = h3ou__overlaps_of(s->overlaps, t, w->source_area, w->target_area[t], true, &u);
        for (int64_t k = 0; k < u.n && !err; k++) {
            double x, y, scale = h3ou__conservative_scale(task, t, u.covered, u.source[k]);
            measure_displacement(&s->slopes, &u, k, &x, &y);
            err = add_link(l, u.source[k], scale * u.area[k], scale * x, scale * y);
        }
    }
    g->link[w->ntarget] = l->n;
    h3ou__under_free(&u);
    return err;
}

/* The cells that links come from, once each, ascending; `of` of each link. */
static int gather_cells(int64_t nsource, const links *l, h3ou__gradient *g)
{
    int32_t *place = calloc((size_t)nsource + 1, sizeof *place);
    g->of = malloc(sizeof *g->of * (size_t)(l->n + 1));
    g->cell = malloc(sizeof *g->cell * (size_t)(nsource + 1));
    int err = place && g->of && g->cell ? H3OU__OK : h3ou__no_memory("gradients");
    for (int64_t k = 0; k < l->n && !err; k++)
        place[l->source[k]] = 1;
    for (int64_t i = 0; i < nsource && !err; i++)
        if (place[i]) {
            place[i] = (int32_t)g->ncell;
            g->cell[g->ncell++] = (int32_t)i;
        }
    for (int64_t k = 0; k < l->n && !err; k++)
        g->of[k] = place[l->source[k]];
    free(place);
    return err;
}

static int fill_cells(const h3ou__cells *source, const h3ou__slopes *s, h3ou__gradient *g)
{
    int64_t n = 0, corners = 0;
    for (int64_t i = 0; i < g->ncell; i++) {
        h3ou__polygon p;
        h3ou__cell_polygon(source, g->cell[i], &p);
        corners += p.n;
        n += s->near.start[g->cell[i] + 1] - s->near.start[g->cell[i]];
    }
    g->start = malloc(sizeof *g->start * (size_t)(g->ncell + 1));
    g->corner = malloc(sizeof *g->corner * (size_t)(g->ncell + 1));
    g->stencil = malloc(sizeof *g->stencil * (size_t)(n + 1));
    double **list[4] = {&g->gx, &g->gy, &g->cx, &g->cy};
    bool ok = g->start && g->corner && g->stencil;
    for (int i = 0; i < 4; i++)
        ok &= (*list[i] = malloc(sizeof(double) * (size_t)((i < 2 ? n : corners) + 1))) != NULL;
    if (!ok)
        return h3ou__no_memory("gradients");
    n = corners = 0;
    for (int64_t i = 0; i < g->ncell; i++) {
        h3ou__polygon p;
        h3ou__tangent_frame f;
        double d[3];
        int64_t cell = g->cell[i];
        g->start[i] = n;
        g->corner[i] = corners;
        for (int64_t k = s->near.start[cell]; k < s->near.start[cell + 1]; k++, n++) {
            g->stencil[n] = s->near.list[k];
            g->gx[n] = s->gx[k];
            g->gy[n] = s->gy[k];
        }
        h3ou__cell_polygon(source, cell, &p);
        h3ou__tangent_frame_towards(s->middle + 3 * cell, &f);
        for (int k = 0; k < p.n; k++, corners++) {
            h3ou__sub(p.v[k], s->middle + 3 * cell, d);
            g->cx[corners] = h3ou__dot(d, f.east);
            g->cy[corners] = h3ou__dot(d, f.north);
        }
    }
    g->start[g->ncell] = n;
    g->corner[g->ncell] = corners;
    return H3OU__OK;
}

/* What the second order leaves beside its rows, those of method `number` of w, to limit its gradients at apply. */
static int make_gradient(const h3ou__cells *source, const h3ou__cells *target, h3ou__weights *w, int number, int threads,
                         h3ou__gradient **out)
{
    h3ou__weights_options options = {.norm = w->norm, .threads = threads};
    h3ou__method_task task = {
        .source = (h3ou__cells *)source, .target = (h3ou__cells *)target, .options = &options, .weights = w};
    void *state = NULL;
    links l = {0};
    h3ou__gradient *g = calloc(1, sizeof *g);
    int err = g && (g->link = malloc(sizeof *g->link * (size_t)(w->ntarget + 1))) ? open_search(&task, &state)
                                                                                  : h3ou__no_memory("gradients");
    if (!err && (err = make_links(&task, state, number, g, &l)) == H3OU__OK &&
        (err = gather_cells(w->nsource, &l, g)) == H3OU__OK)
        err = fill_cells(source, &((second *)state)->slopes, g);
    close_search(state);
    free(l.source);
    if (g) {
        g->nrow = w->ntarget;
        g->share = l.share;
        g->dx = l.dx;
        g->dy = l.dy;
    }
    if (err)
        h3ou__gradient_free(g);
    else
        *out = g;
    return err;
}

const h3ou__method h3ou__method_conservative2 = {
    .name = "conservative2",
    .links = 2.4,
    .help = "mean over the target cell of the source taken as linear in each cell, second order",
    .open = open_search,
    .serve = serve_conservative2,
    .close = close_search,
    .by_corners = true,
    .conserves = true,
    .limit = make_gradient,
    .halo = conservative2_halo,
};
