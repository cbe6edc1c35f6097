/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce/fold_values.h"

bool h3ou__fold_values(const h3ou__fold *fold, h3ou__span value, h3ou__span temporary, int64_t bytes,
                       h3ou__schedule *out)
{
    if (fold->me < 0) {
        h3ou__schedule_send(out, fold->partner, h3ou__input(0), bytes);
        h3ou__schedule_end_round(out);
        return false;
    }
    h3ou__schedule_local(out, H3OU__STEP_COPY, value, h3ou__input(0), bytes);
    if (fold->partner >= 0) {
        h3ou__schedule_recv(out, fold->partner, temporary, bytes);
        h3ou__schedule_end_round(out);
        h3ou__schedule_local(out, H3OU__STEP_COMBINE, value, temporary, bytes);
    }
    return true;
}

void h3ou__fold_return(const h3ou__fold *fold, int64_t bytes, h3ou__schedule *out)
{
    if (fold->me < 0)
        h3ou__schedule_recv(out, fold->partner, h3ou__output(0), bytes);
    else if (fold->partner >= 0)
        h3ou__schedule_send(out, fold->partner, h3ou__output(0), bytes);
    h3ou__schedule_end_round(out);
}
