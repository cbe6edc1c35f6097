/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction by a binomial tree: the schedule of the broadcast backwards, in which each send becomes a receive that is
 * combined, and each receive a send. The order of combining depends on size and root only. */
#include "base/error.h"
#include "coll/schedule.h"

static h3ou__step reverse_step(h3ou__step s)
{
    return (h3ou__step){s.kind == H3OU__STEP_SEND ? H3OU__STEP_REDUCE : H3OU__STEP_SEND, s.peer};
}

int h3ou__reduce_binomial(int size, int me, int root, h3ou__schedule *out)
{
    int first = out->n, err = h3ou__bcast_binomial(size, me, root, out);
    for (int low = first, high = out->n - 1; !err && low <= high; low++, high--) {
        h3ou__step s = out->step[low];
        out->step[low] = reverse_step(out->step[high]);
        out->step[high] = reverse_step(s);
    }
    return err;
}
