/* SPDX-License-Identifier: BSD-3-Clause */
/* The source cell that covers most of the target cell (largest area fraction), for kinds of soil, numbers of basins and
 * other values that have no mean. */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "interp/stencils/overlaps.h"

/* Areas that differ by less than this share are equal: the lower number wins, whatever rounding says. */
static const double SAME_AREA = 1e-9;

static int serve_largest(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    h3ou__under *u = h3ou__row_under(row);
    const h3ou__weights *w = task->weights;
    if (!u)
        return H3OU__ENOMEM;
    int err = h3ou__overlaps_of(state, target, w->source_area, w->target_area[target], false, u);
    int64_t largest = -1;
    for (int64_t k = 0; k < u->n; k++)
        if (largest < 0 || u->area[k] > u->area[largest] * (1.0 + SAME_AREA))
            largest = k;
    if (err || largest < 0)
        return err;
    row->frac = fmin(1.0, u->covered / w->target_area[target]);
    return h3ou__row_add(row, u->source[largest], 1.0);
}

const h3ou__method h3ou__method_laf = {
    .name = "laf",
    .links = 1.0,
    .help = "the source cell that covers most of the target cell",
    .keys = "",
    .open = h3ou__overlaps_open_search,
    .serve = serve_largest,
    .close = h3ou__overlaps_close_search,
    .by_corners = true,
    .map_method = {"Largest area fraction", .alone = true},
};
