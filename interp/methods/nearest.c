/* SPDX-License-Identifier: BSD-3-Clause */
/* The nearest source, at any distance. */
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/stencils/nearest_common.h"

static int serve_nearest(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    /* Successive targets are mostly near each other, so that the search begins at the last result. */
    int64_t *hint = row->scratch;
    if (!hint) {
        if (!(row->scratch = hint = malloc(sizeof *hint)))
            return h3ou__no_memory("a search");
        row->scratch_room = 1;
        *hint = -1;
    }
    int64_t found = h3ou__kdtree_one(state, task->target->xyz + 3 * target, *hint);
    *hint = found;
    return found < 0 ? H3OU__OK : h3ou__row_add(row, found, 1.0);
}

static double nearest_halo(const h3ou__method_keys *keys, double source_diameter)
{
    (void)keys;
    (void)source_diameter;
    return -1.0;
}

const h3ou__method h3ou__method_nearest = {
    .name = "nearest",
    .help = "the nearest source cell",
    .keys = "",
    .open = h3ou__near_open,
    .serve = serve_nearest,
    .close = h3ou__near_close,
    .halo = nearest_halo,
    .nearest = 1,
    .map_method = {"Nearest neighbor", .alone = true},
};
