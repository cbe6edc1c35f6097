/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier and broadcast. */
#include "base/error.h"
#include "universe/collective/plans.h"

int universe_plan_barrier(universe_collective *u)
{
    static char token;
    h3ou__call wait = {.operation = H3OU__COLL_BARRIER, .element = 1}, go_on = {.operation = H3OU__COLL_BCAST, .element = 1, .count = 1};
    int err = universe_collective_lead(u, -1, false);
    if (!err && u->request.comm->nlocal > 1)
        err = universe_collective_stage_inside(u, UNIVERSE_INSIDE_BARRIER, wait, NULL, NULL);
    if (!err && universe_collective_leads(u))
        err = universe_collective_stage(u, UNIVERSE_AMONG_LEADERS, wait, NULL, NULL);
    if (!err && u->request.comm->nlocal > 1)
        err = universe_collective_stage_inside(u, UNIVERSE_INSIDE_BCAST, go_on, NULL, &token);
    return err;
}

int universe_plan_bcast(universe_collective *u)
{
    const universe_comm *c = u->request.comm;
    bool is_root = c->rank == u->a.root;
    int err = universe_collective_image(u, &u->a.recv, 1, false, UNIVERSE_IMAGE_TOGETHER, &u->out);
    if (!err && is_root)
        err = universe_image_pack_all(&u->out);
    if (!err)
        err = universe_collective_lead(u, u->a.root, false);
    if (err || u->out.total == 0)
        return err;
    u->takes_out = !is_root;
    universe_collective_divide(u, u->out.total, 1);
    h3ou__call call = {.operation = H3OU__COLL_BCAST, .root = u->d->place[u->a.root], .element = 1, .count = u->out.total};
    if (universe_collective_leads(u)) {
        err = universe_collective_stage(u, UNIVERSE_AMONG_LEADERS, call, NULL, u->out.bytes);
        u->stage[0].is_aside = is_root;
    }
    call.root = c->local_rank[u->leader[u->d->mine]];
    if (!err && c->nlocal > 1)
        err = universe_collective_stage_inside(u, UNIVERSE_INSIDE_BCAST, call, NULL, u->out.bytes);
    return err;
}
