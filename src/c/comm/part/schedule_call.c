/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/part/schedule_call.h"

#include "coll/select.h"
#include "comm/part/awaited_call.h"
#include "comm/part/collective_tag.h"

int h3ou__schedule_call_start(h3ou__schedule_call *s, h3ou__block_link *link, int tag, h3ou__coll_run **run)
{
    h3ou__schedule schedule;
    const h3ou__comm *c = s->comm;
    *link = (h3ou__block_link){.comm = s->comm, .type = s->type, .what = s->what, .among = s->among};
    s->call.element = s->data.element = h3ou__type_size(s->type);
    switch (s->among) {
    case H3OU__AMONG_KINGS:
        s->call.size = c->nblock;
        s->call.me = c->block;
        break;
    case H3OU__AMONG_BLOCK:
        s->call.size = h3ou__comm_block_size(c, c->block);
        s->call.me = c->block_rank;
        break;
    default:
        s->call.size = c->size;
        s->call.me = c->rank;
    }
    int err = h3ou__coll_build(&s->call, &schedule, NULL);
    return err ? err : h3ou__coll_start(&schedule, &s->data, &h3ou__block_link_ops, link, tag, run);
}

int h3ou__schedule_call_run(h3ou__schedule_call *s)
{
    h3ou__block_link link;
    h3ou__coll_run *run;
    int err = h3ou__schedule_call_start(s, &link, H3OU__TAG_SCHEDULE + s->among, &run);
    return err ? err : h3ou__await_schedule(s->comm, s->what, run);
}
