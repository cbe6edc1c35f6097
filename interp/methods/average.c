/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of the n nearest sources: all alike, or weighted by a Gauss function of the great-circle distance. */
#include <math.h>

#include "interp/sphere/angles.h"
#include "interp/stencils/nearest_common.h"

enum { NEAREST = 4 }; /* sources without the key n */

static int serve_average(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    h3ou__near found[H3OU__NEAR_MOST];
    double weight[H3OU__NEAR_MOST];
    int n = h3ou__near_find(task, state, target, found);
    for (int i = 0; i < n; i++)
        weight[i] = 1.0;
    return h3ou__near_add(row, n, found, weight);
}

/* exp(-(d / (width * mean d))^2 / 2), relative to the nearest, whose weight is 1, so that the weights of a narrow
 * function are not all 0. */
static int serve_gauss(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    h3ou__near found[H3OU__NEAR_MOST];
    double weight[H3OU__NEAR_MOST], mean = 0.0;
    int n = h3ou__near_find(task, state, target, found);
    for (int i = 0; i < n; i++)
        mean += h3ou__chord_arc(found[i].chord2) / n;
    double unit = task->keys.width * mean;
    for (int i = 0; i < n; i++) {
        double near = h3ou__chord_arc(found[0].chord2), d = h3ou__chord_arc(found[i].chord2);
        weight[i] = unit > 0.0 ? exp(-0.5 * ((d - near) / unit) * ((d + near) / unit)) : 1.0;
    }
    return h3ou__near_add(row, n, found, weight);
}

const h3ou__method h3ou__method_average = {
    .name = "average",
    .help = "the mean of the n nearest",
    .keys = "n radius",
    .open = h3ou__near_open,
    .serve = serve_average,
    .close = h3ou__near_close,
    .halo = h3ou__near_halo,
    .nearest = NEAREST,
};
const h3ou__method h3ou__method_gauss = {
    .name = "gauss",
    .help = "the n nearest, weighted by a Gauss function of the distance over their mean distance",
    .keys = "n width radius",
    .open = h3ou__near_open,
    .serve = serve_gauss,
    .close = h3ou__near_close,
    .halo = h3ou__near_halo,
    .nearest = NEAREST,
};
