/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/nearest_common.h"

#include <stddef.h>

#include "base/error.h"
#include "interp/sphere/angles.h"

int h3ou__near_open(const h3ou__method_task *task, void **state)
{
    h3ou__kdtree *tree;
    if (task->keys.n < 0 || task->keys.n > H3OU__NEAR_MOST)
        return h3ou__fail(H3OU__EARG, "n=%d: give a number of neighbours from 1 to %d", task->keys.n, H3OU__NEAR_MOST);
    int err = h3ou__kdtree_create(task->source->xyz, task->source->mask, task->source->n, &tree);
    *state = err ? NULL : tree;
    return err;
}

void h3ou__near_close(void *state)
{
    h3ou__kdtree_free(state);
}

int h3ou__near_find(const h3ou__method_task *task, const void *state, int64_t target, int n_default,
                    h3ou__near found[H3OU__NEAR_MOST])
{
    int wanted = task->keys.n > 0 ? task->keys.n : n_default;
    int n = h3ou__kdtree_nearest(state, task->target->xyz + 3 * target, wanted, found);
    if (task->keys.radius > 0.0)
        while (n > 0 && h3ou__chord_arc(found[n - 1].chord2) > task->keys.radius * H3OU__RADIANS_PER_DEGREE)
            n--;
    return n;
}

int h3ou__near_add(h3ou__row *row, int n, const h3ou__near found[], const double weight[])
{
    double sum = 0.0;
    int err = H3OU__OK;
    for (int i = 0; i < n; i++)
        sum += weight[i];
    for (int i = 0; i < n && !err; i++)
        err = h3ou__row_add(row, found[i].point, weight[i] / sum);
    return err;
}

double h3ou__near_halo(const h3ou__method_keys *keys, double source_diameter)
{
    (void)source_diameter;
    return keys->radius > 0.0 ? keys->radius * H3OU__RADIANS_PER_DEGREE : -1.0;
}
