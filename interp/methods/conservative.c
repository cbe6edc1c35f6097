/* SPDX-License-Identifier: BSD-3-Clause */
/* First-order conservative weights (P. W. Jones, 1999): the share of the target that each source cell covers, from
 * exact intersections on the sphere. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "interp/stencils/overlaps.h"
#include "interp/weights/weights.h"

double h3ou__conservative_scale(const h3ou__method_task *task, int64_t target, double covered, int64_t source)
{
    const h3ou__weights *w = task->weights;
    if (task->options->norm == H3OU__FRACAREA)
        return 1.0 / covered;
    /* With areas of the users' own the fluxes are conserved in those. */
    double scale = 1.0 / (task->target->area ? task->target->area[target] : w->target_area[target]);
    return task->source->area ? scale * task->source->area[source] / w->source_area[source] : scale;
}

static int serve_conservative(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    h3ou__under *u = h3ou__row_under(row);
    const h3ou__weights *w = task->weights;
    if (!u)
        return H3OU__ENOMEM;
    int err = h3ou__overlaps_of(state, target, w->source_area, w->target_area[target], false, u);
    for (int64_t k = 0; k < u->n && !err; k++)
        err = h3ou__row_add(row, u->source[k],
                            u->area[k] * h3ou__conservative_scale(task, target, u->covered, u->source[k]));
    row->frac = fmin(1.0, u->covered / w->target_area[target]);
    return err;
}

const h3ou__method h3ou__method_conservative = {
    .name = "conservative",
    .links = 1.0,
    .help = "mean of the source over the target cell, first order",
    .open = h3ou__overlaps_open_search,
    .serve = serve_conservative,
    .close = h3ou__overlaps_close_search,
    .by_corners = true,
    .conserves = true,
    .by_shares = true,
};
