/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/expected_areas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/cell_areas.h"
#include "interp/grid/coincident.h"
#include "interp/sphere/tangent_frame.h"
#include "interp/sphere/vector.h"
#include "interp/stencils/overlaps.h"
#include "interp/stencils/slopes.h"
#include "interp/weights/area_balance.h"
#include "interp/weights/threads.h"

static const char WHAT[] = "the overlaps of source cells";

/* The parts of source cells that targets cover. */
typedef struct parts {
    double *area;          /* [nsource] */
    double *moment;        /* [3 * nsource] first moment in space */
    unsigned char *covers; /* [ntarget] the target covers a part of a source cell */
} parts;

/* Are the areas in the weights those of the cells that take part? */
static int compare_areas(const h3ou__cells *c, const double area[], bool *same)
{
    const double SAME = 1e-9;
    double *measured = NULL;
    int err = h3ou__cells_measure(c, h3ou__threads(0), &measured);
    *same = measured != NULL;
    for (int64_t i = 0; i < c->n && *same; i++)
        *same = !c->mask[i] || fabs(measured[i] - area[i]) <= SAME * area[i];
    free(measured);
    return err;
}

static int is_comparable(const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target, bool *yes)
{
    bool scaled = w->norm == H3OU__DESTAREA && (source->area || target->area);
    *yes = w->conserves && w->source_area && w->target_area && !scaled && source->n == w->nsource &&
           target->n == w->ntarget;
    int err = *yes ? compare_areas(source, w->source_area, yes) : H3OU__OK;
    return err || !*yes ? err : compare_areas(target, w->target_area, yes);
}

static int compare_cells(h3ou__cells *source, h3ou__cells *target)
{
    int err = h3ou__cells_compare_polygons(source);
    if (!err && target->lon && (err = h3ou__cells_places(target)) == H3OU__OK)
        err = h3ou__cells_compare_centres(target);
    return err;
}

/* Must the first method have made a row for target i? One that takes part must have one, if a source cell covers it. */
static bool needs_row(const h3ou__weights *w, const h3ou__cells *target, int64_t i)
{
    if (w->start[i + 1] > w->start[i])
        return w->served[i] == 0 && !h3ou__target_is_repeated(w, target, i);
    return w->served[i] == H3OU__BY_NONE && target->mask[i];
}

static int add_parts(const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target, parts *p)
{
    h3ou__overlaps *o = NULL;
    h3ou__under u = {0};
    int err = h3ou__overlaps_open(source, target, &o);
    for (int64_t i = 0; i < w->ntarget && !err; i++) {
        if (!needs_row(w, target, i))
            continue;
        err = h3ou__overlaps_of(o, i, w->source_area, w->target_area[i], true, &u);
        p->covers[i] = u.covered > 0.0;
        for (int64_t k = 0; k < u.n && !err; k++) {
            p->area[u.source[k]] += u.area[k];
            for (int d = 0; d < 3; d++)
                p->moment[3 * (int64_t)u.source[k] + d] += u.moment[3 * k + d];
        }
    }
    h3ou__under_free(&u);
    h3ou__overlaps_close(o);
    return err;
}

/* Adds to each cell's area what the gradients of cells that are covered in part take from it and its neighbours. */
static int add_gradients(const h3ou__weights *w, const h3ou__cells *source, const parts *p, double out[])
{
    h3ou__slopes s;
    int err = h3ou__slopes_make(source, w->source_area, h3ou__threads(0), &s);
    if (err)
        return err;
    for (int64_t i = 0; i < w->nsource; i++) {
        h3ou__tangent_frame f;
        double d[3], *m = s.middle + 3 * i;
        if (p->area[i] == 0.0)
            continue;
        for (int k = 0; k < 3; k++)
            d[k] = p->moment[3 * i + k] - p->area[i] * m[k];
        h3ou__tangent_frame_towards(m, &f);
        for (int64_t k = s.near.start[i]; k < s.near.start[i + 1]; k++)
            out[s.near.list[k]] += h3ou__dot(d, f.east) * s.gx[k] + h3ou__dot(d, f.north) * s.gy[k];
    }
    h3ou__slopes_free(&s);
    return H3OU__OK;
}

/* NaN for cells of which nothing is known: they take part in a row with a cell that is covered in part, or in the row
 * of a target that covers no source cell, which another method must have made. */
static void forget_unknown(const h3ou__weights *w, const parts *p, double out[])
{
    const double WHOLE = 1e-11;
    for (int64_t i = 0; i < w->ntarget; i++) {
        bool whole = p->covers[i];
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
            whole &= fabs(p->area[w->src[k]] - w->source_area[w->src[k]]) <= WHOLE * w->source_area[w->src[k]];
        for (int64_t k = w->start[i]; k < w->start[i + 1] && !whole; k++)
            out[w->src[k]] = NAN;
    }
}

static int settle(const h3ou__weights *w, const h3ou__method *first, const h3ou__cells *source, const parts *p,
                  double out[])
{
    memcpy(out, p->area, sizeof *out * (size_t)w->nsource);
    if (!first)
        forget_unknown(w, p, out);
    return !first || first->by_shares ? H3OU__OK : add_gradients(w, source, p, out);
}

int h3ou__expected_areas(const h3ou__weights *w, const h3ou__method *first, h3ou__cells *source, h3ou__cells *target,
                         double **out)
{
    bool comparable;
    size_t n = (size_t)w->nsource + 1;
    *out = NULL;
    int err = is_comparable(w, source, target, &comparable);
    if (err || !comparable)
        return err;
    parts p = {calloc(n, sizeof(double)), calloc(3 * n, sizeof(double)), calloc((size_t)w->ntarget + 1, 1)};
    double *expected = malloc(n * sizeof *expected);
    err = p.area && p.moment && p.covers && expected ? compare_cells(source, target) : h3ou__no_memory(WHAT);
    if (!err && (err = add_parts(w, source, target, &p)) == H3OU__OK)
        err = settle(w, first, source, &p, expected);
    free(p.area);
    free(p.moment);
    free(p.covers);
    if (err)
        free(expected);
    else
        *out = expected;
    return err;
}
