/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/alltoall/alltoall.h"

void h3ou__alltoall_own(const h3ou__call *call, h3ou__schedule *out)
{
    h3ou__part from = h3ou__call_send_part(call, call->me), to = h3ou__call_part(call, call->me);
    h3ou__schedule_local(out, H3OU__STEP_COPY, h3ou__output(to.at), h3ou__input(from.at), from.bytes);
}

void h3ou__alltoall_exchange(const h3ou__call *call, int distance, h3ou__schedule *out)
{
    int to = (int)(((int64_t)call->me + distance) % call->size), from = (call->me - distance + call->size) % call->size;
    h3ou__part give = h3ou__call_send_part(call, to), get = h3ou__call_part(call, from);
    h3ou__schedule_send(out, to, h3ou__input(give.at), give.bytes);
    h3ou__schedule_recv(out, from, h3ou__output(get.at), get.bytes);
}
