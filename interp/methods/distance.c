/* SPDX-License-Identifier: BSD-3-Clause */
/* The n nearest sources weighted by an inverse power of the great-circle distance (D. Shepard, 1968). */
#include <math.h>

#include "interp/sphere/angles.h"
#include "interp/stencils/nearest_common.h"

enum { NEAREST = 4 }; /* sources without the key n */

static int serve_distance(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    const double SAME = 1e-12; /* radians: a source at the target's own place takes all */
    h3ou__near found[H3OU__NEAR_MOST];
    double weight[H3OU__NEAR_MOST];
    int n = h3ou__near_find(task, state, target, found);
    if (n > 0 && h3ou__chord_arc(found[0].chord2) < SAME)
        return h3ou__row_add(row, found[0].point, 1.0);
    /* In units of the nearest distance, so that no power overflows. */
    for (int i = 0; i < n; i++)
        weight[i] = pow(h3ou__chord_arc(found[0].chord2) / h3ou__chord_arc(found[i].chord2), task->keys.power);
    return h3ou__near_add(row, n, found, weight);
}

const h3ou__method h3ou__method_distance = {
    .name = "distance",
    .help = "the n nearest, weighted by 1 / distance^power",
    .keys = "n power radius",
    .open = h3ou__near_open,
    .serve = serve_distance,
    .close = h3ou__near_close,
    .halo = h3ou__near_halo,
    .nearest = NEAREST,
};
