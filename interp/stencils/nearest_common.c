/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/nearest_common.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/sphere/angles.h"

int h3ou__near_open(const h3ou__method_task *task, void **state)
{
    h3ou__kdtree *tree;
    if (task->keys.n < 1 || task->keys.n > H3OU__NEAR_MOST)
        return h3ou__fail(H3OU__EARG, "n=%d: give a number of neighbours from 1 to %d", task->keys.n, H3OU__NEAR_MOST);
    const h3ou__cells *c = task->source;
    unsigned char *stands = NULL; /* of cells at one place only one is in the tree */
    *state = NULL;
    if (c->same_centre) {
        if (!(stands = malloc((size_t)c->n + 1)))
            return h3ou__no_memory("a search tree");
        for (int64_t i = 0; i < c->n; i++)
            stands[i] = c->mask[i] && c->same_centre[i] == i;
    }
    int err = h3ou__kdtree_create(c->xyz, stands ? stands : c->mask, c->n, &tree);
    free(stands);
    if (!err)
        *state = tree;
    return err;
}

void h3ou__near_close(void *state)
{
    h3ou__kdtree_free(state);
}

int h3ou__near_find(const h3ou__method_task *task, const void *state, int64_t target, h3ou__near found[H3OU__NEAR_MOST])
{
    int n = h3ou__kdtree_nearest(state, task->target->xyz + 3 * target, task->keys.n, found);
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
