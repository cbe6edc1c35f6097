/* SPDX-License-Identifier: BSD-3-Clause */
/* First-order conservative weights (P. W. Jones, 1999): the share of the target that each source cell covers, from
 * exact intersections on the sphere. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "interp/celltree.h"
#include "interp/weights.h"

/* A thread's list of candidates, kept from target to target in the row's scratch. */
typedef struct h3ou__conservative {
    h3ou__celltree *tree;
} conservative;

static int open_search(const h3ou__method_task *task, void **state)
{
    conservative *c = calloc(1, sizeof *c);
    if (!c)
        return h3ou__fail(H3OU__ENOMEM, "out of memory");
    *state = c;
    return h3ou__celltree_create(task->source, &c->tree);
}

static void close_search(void *state)
{
    conservative *c = state;
    if (c)
        h3ou__celltree_free(c->tree);
    free(c);
}

/* Divides the areas by that of the target (destarea) or of what is covered (fracarea). With areas of the users' own the
 * fluxes of destarea are conserved in them. */
static void normalise(const h3ou__method_task *task, int64_t target, double covered, h3ou__row *row)
{
    const h3ou__weights *w = task->weights;
    double area = w->target_area[target];
    bool dest = task->options->norm == H3OU__DESTAREA;
    row->frac = fmin(1.0, covered / area);
    for (int64_t k = 0; k < row->n; k++) {
        double scale = dest ? area : covered;
        row->coef[k] /= scale;
        if (dest && task->source->area)
            row->coef[k] *= task->source->area[row->src[k]] / w->source_area[row->src[k]];
        if (dest && task->target->area)
            row->coef[k] *= area / task->target->area[target];
    }
}

static int serve(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    const double LEAST = 1e-14; /* of the smaller cell: less is rounding of cells that only touch */
    const double *source_area = task->weights->source_area, target_area = task->weights->target_area[target];
    const conservative *c = state;
    h3ou__polygon mine, other;
    h3ou__bound bound;
    double covered = 0.0;
    h3ou__cell_polygon(task->target, target, &mine);
    if (mine.n < 3)
        return H3OU__OK;
    h3ou__polygon_bound(&mine, &bound);
    int32_t *list = row->scratch;
    int64_t n = h3ou__celltree_touching(c->tree, &bound, &list, &row->scratch_room);
    row->scratch = list;
    if (n < 0)
        return (int)n;
    for (int64_t k = 0; k < n; k++) {
        h3ou__cell_polygon(task->source, list[k], &other);
        double area = h3ou__polygon_overlap(&other, &mine, NULL);
        if (area <= LEAST * fmin(source_area[list[k]], target_area))
            continue;
        int err = h3ou__row_add(row, list[k], area);
        if (err)
            return err;
        covered += area;
    }
    if (row->n > 0)
        normalise(task, target, covered, row);
    return H3OU__OK;
}

static double halo(const h3ou__method_keys *keys, double source_diameter)
{
    (void)keys;
    (void)source_diameter;
    return 0.0;
}

const h3ou__method h3ou__method_conservative = {
    .name = "conservative",
    .help = "mean of the source over the target cell, first order",
    .open = open_search,
    .serve = serve,
    .close = close_search,
    .by_corners = true,
    .halo = halo,
};
