/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/part/spread_call.h"

#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/kept_memory.h"
#include "coll/select.h"
#include "comm/part/collective_tag.h"

static bool keeps_order;

void h3ou__spread_keep_order(bool keeps)
{
    keeps_order = keeps;
}

/* Sets what happens inside my host. place: that of the process which takes part between hosts. */
static void start_inside(const h3ou__comm *c, const h3ou__host_call *given, int place, h3ou__spread_call *call)
{
    bool is_shared = c->host->map.nmember > 1, is_reduction = given->kind != H3OU__HOST_BCAST;
    call->has_into = is_shared && is_reduction;
    call->has_out = is_shared && given->kind != H3OU__HOST_REDUCE;
    if (call->has_into) {
        call->into = *given;
        call->into.kind = H3OU__HOST_REDUCE;
        call->into.root = place;
        call->into.out = call->memory;
        h3ou__host_call_start(c->host->block, &call->into);
    }
    if (call->has_out) {
        call->out = *given;
        call->out.kind = H3OU__HOST_BCAST;
        call->out.root = place;
        call->out.in = given->out;
        h3ou__host_call_start(c->host->block, &call->out);
    }
}

/* Sets what happens between hosts, for the process of my host that takes part there. */
static void plan_between(h3ou__comm *c, const h3ou__host_call *given, int type, int op, h3ou__spread_call *call)
{
    static const int operation[] = {[H3OU__HOST_BCAST] = H3OU__COLL_BCAST,
                                    [H3OU__HOST_REDUCE] = H3OU__COLL_REDUCE,
                                    [H3OU__HOST_ALLREDUCE] = H3OU__COLL_ALLREDUCE};
    static const char *const what[] = {"broadcast", "reduction", "reduction"};
    const h3ou__host_map *map = &c->host->map;
    bool is_reduction = given->kind != H3OU__HOST_BCAST;
    call->call = (h3ou__call){.operation = operation[given->kind],
                              .size = map->nhost,
                              .me = map->mine,
                              .root = h3ou__host_map_find(map, given->root),
                              .element = given->element,
                              .count = given->count,
                              .order = keeps_order && is_reduction && map->nhost > 2 ? H3OU__ORDER_SERIAL : H3OU__ORDER_ANY};
    call->data = (h3ou__coll_data){.input = call->memory ? call->memory : given->in,
                                   .output = given->out,
                                   .element = given->element,
                                   .combine = h3ou__coll_combine,
                                   .type = type,
                                   .op = op};
    call->link = (h3ou__block_link){.comm = c,
                                    .type = type,
                                    .what = what[given->kind],
                                    .among = H3OU__AMONG_HOSTS,
                                    .root = given->root,
                                    .root_host = call->call.root};
}

int h3ou__spread_start(h3ou__comm *c, const h3ou__host_call *given, int type, int op, h3ou__spread_call *call)
{
    h3ou__host_place *host = c->host;
    int place = h3ou__host_map_place(&host->map, given->root);
    size_t bytes = (size_t)(given->count * given->element);
    *call = (h3ou__spread_call){.tag = H3OU__TAG_HOSTS + (int)(host->ncall++ % H3OU__TAGS_OF_HOSTS)};
    call->are_together = given->kind == H3OU__HOST_BCAST && place >= 0;
    place = place < 0 ? 0 : place;
    call->has_between = host->map.me == place;
    /* The combined values of a host, and values that stand where their result is to be, need memory of their own. */
    if (call->has_between && given->kind != H3OU__HOST_BCAST && (host->map.nmember > 1 || given->in == given->out)) {
        if (!(call->memory = h3ou__kept_memory_take(bytes + 1)))
            return h3ou__no_memory("a collective");
        if (host->map.nmember == 1 && bytes)
            memcpy(call->memory, given->in, bytes);
    }
    start_inside(c, given, place, call);
    if (call->has_between)
        plan_between(c, given, type, op, call);
    return H3OU__OK;
}

/* Goes on with a call inside my host. *has_it: it is not done. */
static int test_inside(h3ou__comm *c, h3ou__host_call *inside, bool *has_it, bool *moved)
{
    bool done = false;
    int err = *has_it ? h3ou__host_call_test(c->host->block, inside, &done, moved) : H3OU__OK;
    *has_it = *has_it && !done;
    return err;
}

/* Begins the messages between hosts, and goes on with them. */
static int test_between(h3ou__spread_call *call, bool *moved)
{
    bool done = false;
    int err = H3OU__OK;
    h3ou__schedule schedule;
    if (!call->run && (err = h3ou__coll_build(&call->call, &schedule, NULL)) == H3OU__OK) {
        err = h3ou__coll_start(&schedule, &call->data, &h3ou__block_link_ops, &call->link, call->tag, &call->run);
        *moved = true;
    }
    if (!err)
        err = h3ou__coll_test(call->run, &done);
    if (err || !done)
        return err;
    h3ou__coll_end(call->run);
    call->run = NULL;
    call->has_between = false;
    h3ou__kept_memory_give(call->memory);
    call->memory = NULL;
    *moved = true;
    return H3OU__OK;
}

int h3ou__spread_test(h3ou__comm *c, h3ou__spread_call *call, bool *done, bool *moved)
{
    int err = test_inside(c, &call->into, &call->has_into, moved);
    if (!err && !call->has_into && call->has_between)
        err = test_between(call, moved);
    if (!err && !call->has_into && (!call->has_between || call->are_together))
        err = test_inside(c, &call->out, &call->has_out, moved);
    *done = !err && !call->has_into && !call->has_between && !call->has_out;
    return err;
}

/* The memory is not given back: messages of it may be under way. */
void h3ou__spread_end(h3ou__spread_call *call)
{
    h3ou__coll_end(call->run);
    call->run = NULL;
}
