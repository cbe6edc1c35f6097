/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast by a binomial tree: in round k each of the first 2^k members, counted from the root, sends to one more. */
#include "base/error.h"
#include "coll/schedule.h"

int h3ou__bcast_binomial(int size, int me, int root, h3ou__schedule *out)
{
    int err = H3OU__OK, place = (me - root + size) % size, bit = 1;
    while (bit < size && !(place & bit))
        bit <<= 1;
    if (place)
        err = h3ou__schedule_add(out, H3OU__STEP_RECV, (place - bit + root) % size);
    for (bit >>= 1; bit > 0 && !err; bit >>= 1)
        if (place + bit < size)
            err = h3ou__schedule_add(out, H3OU__STEP_SEND, (place + bit + root) % size);
    return err;
}
