/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction in which the root receives and combines the others' values in ascending order. */
#include "base/error.h"
#include "coll/schedule.h"

int h3ou__reduce_linear(int size, int me, int root, h3ou__schedule *out)
{
    if (me != root)
        return h3ou__schedule_add(out, H3OU__STEP_SEND, root);
    int err = H3OU__OK;
    for (int i = 0; i < size && !err; i++)
        if (i != root)
            err = h3ou__schedule_add(out, H3OU__STEP_REDUCE, i);
    return err;
}
