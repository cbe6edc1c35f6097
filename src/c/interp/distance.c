/* SPDX-License-Identifier: BSD-3-Clause */
/* Nearest neighbour, and the n nearest weighted by an inverse power of the great-circle distance (D. Shepard, 1968). */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "interp/kdtree.h"
#include "interp/method.h"

enum { MOST = 64 };

/* Great-circle distance of a chord, radians. */
static double arc(double chord2)
{
    return 2.0 * asin(fmin(1.0, 0.5 * sqrt(chord2)));
}

static int open_tree(const h3ou__method_task *task, void **state)
{
    h3ou__kdtree *tree;
    int err = h3ou__kdtree_create(task->source->xyz, task->source->mask, task->source->n, &tree);
    *state = err ? NULL : tree;
    return err;
}

static void close_tree(void *state)
{
    h3ou__kdtree_free(state);
}

static int serve_nearest(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    h3ou__near found;
    int n = h3ou__kdtree_nearest(state, task->target->xyz + 3 * target, 1, &found);
    return n ? h3ou__row_add(row, found.point, 1.0) : H3OU__OK;
}

static int serve_distance(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    const double SAME = 1e-12; /* radians: a source at the target's own place takes all */
    h3ou__near found[MOST];
    double weight[MOST], sum = 0.0;
    int n = h3ou__kdtree_nearest(state, task->target->xyz + 3 * target, task->keys.n ? task->keys.n : 4, found);
    if (n > 0 && arc(found[0].chord2) < SAME)
        return h3ou__row_add(row, found[0].point, 1.0);
    for (int i = 0; i < n; i++) {
        weight[i] = pow(arc(found[i].chord2), -task->keys.power);
        sum += weight[i];
    }
    int err = H3OU__OK;
    for (int i = 0; i < n && !err; i++)
        err = h3ou__row_add(row, found[i].point, weight[i] / sum);
    return err;
}

static double halo(const h3ou__method_keys *keys, double source_diameter)
{
    (void)keys;
    (void)source_diameter;
    return -1.0;
}

const h3ou__method h3ou__method_nearest = {.name = "nearest",
                                           .help = "the nearest source cell",
                                           .open = open_tree,
                                           .serve = serve_nearest,
                                           .close = close_tree,
                                           .halo = halo};
const h3ou__method h3ou__method_distance = {.name = "distance",
                                            .help = "the n nearest, weighted by 1 / distance^power",
                                            .keys = "n power",
                                            .open = open_tree,
                                            .serve = serve_distance,
                                            .close = close_tree,
                                            .halo = halo};
