/* SPDX-License-Identifier: BSD-3-Clause */
/* Nearest neighbour, and the n nearest weighted by an inverse power of the great-circle distance (D. Shepard, 1968). */
#include <math.h>

#include "base/error.h"
#include "interp/kdtree.h"
#include "interp/weights.h"

enum { MOST = 64 };

/* Great-circle distance of a chord, radians. */
static double arc(double chord2)
{
    return 2.0 * asin(fmin(1.0, 0.5 * sqrt(chord2)));
}

static int add_row(h3ou__method_task *task, int64_t target, const h3ou__near found[], int n)
{
    const double SAME = 1e-12; /* radians: a source at the target's own place takes all */
    double weight[MOST], sum = 0.0;
    if (n == 1 || arc(found[0].chord2) < SAME)
        return h3ou__weights_add(task->weights, found[0].point, target, 1.0);
    for (int i = 0; i < n; i++) {
        weight[i] = pow(arc(found[i].chord2), -task->power);
        sum += weight[i];
    }
    int err = H3OU__OK;
    for (int i = 0; i < n && !err; i++)
        err = h3ou__weights_add(task->weights, found[i].point, target, weight[i] / sum);
    return err;
}

static int serve(h3ou__method_task *task, int k)
{
    h3ou__kdtree *tree;
    h3ou__near found[MOST];
    int err = h3ou__kdtree_create(task->source->xyz, task->source->mask, task->source->n, &tree);
    if (err)
        return err;
    for (int64_t i = 0; i < task->target->n && !err; i++) {
        if (task->weights->served[i] != -1)
            continue;
        int n = h3ou__kdtree_nearest(tree, task->target->xyz + 3 * i, k, found);
        if (n == 0)
            break; /* no source cell takes part: all stay unserved */
        err = add_row(task, i, found, n);
        task->weights->served[i] = (signed char)task->number;
    }
    h3ou__kdtree_free(tree);
    return err;
}

static int make_nearest(h3ou__method_task *task)
{
    return serve(task, 1);
}

static int make_distance(h3ou__method_task *task)
{
    if (task->neighbours < 1 || task->neighbours > MOST || !(task->power > 0.0))
        return h3ou__fail(H3OU__EARG, "method distance: neighbours (1 to %d) is %d, power (above 0) is %g", MOST,
                          task->neighbours, task->power);
    return serve(task, task->neighbours);
}

const h3ou__method h3ou__method_nearest = {"nearest", "the nearest source cell", make_nearest};
const h3ou__method h3ou__method_distance = {"distance", "the n nearest, weighted by 1 / distance^power", make_distance};
