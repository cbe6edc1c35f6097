/* SPDX-License-Identifier: BSD-3-Clause */
/* Allgather with parts of equal or of different sizes: to the leader of each job, among the leaders, and all parts inside each job. */
#include "base/error.h"
#include "universe/collective/plans.h"

/* Opens the output, in the order of the jobs, and my part. */
static int open_parts(universe_collective *u)
{
    const universe_comm *c = u->request.comm;
    int err = universe_collective_image(u, &u->a.recv, c->size, !u->d->is_contiguous, UNIVERSE_IMAGE_TOGETHER, &u->out);
    if (!err && universe_is_in_place(u->a.send.buf))
        return universe_image_pack(&u->out, c->rank);
    if (!err)
        err = universe_collective_image(u, &u->a.send, 1, false, UNIVERSE_IMAGE_TOGETHER, &u->in);
    return err ? err : universe_image_pack_all(&u->in);
}

static int gather_inside(universe_collective *u, const char *mine, char *section)
{
    const universe_comm *c = u->request.comm;
    int64_t *counts = universe_collective_array(u, c->nlocal);
    if (!counts)
        return H3OU__ENOMEM;
    for (int i = 0; i < c->nlocal; i++)
        counts[i] = u->out.length[c->rank_of_local[i]];
    h3ou__call call = {.operation = H3OU__COLL_GATHER, .element = 1, .count = counts[c->my_local], .is_vector = true, .counts = counts,
                       .root = c->local_rank[u->leader[u->d->mine]]};
    return universe_collective_stage(u, UNIVERSE_AMONG_JOB, call, mine, section);
}

int universe_plan_allgather(universe_collective *u)
{
    const universe_comm *c = u->request.comm;
    int err = open_parts(u);
    if (!err)
        err = universe_collective_lead(u, -1, false);
    int64_t *counts = err ? NULL : universe_collective_array(u, u->d->n);
    if (err || u->out.total == 0)
        return err;
    if (!counts)
        return H3OU__ENOMEM;
    for (int r = 0; r < c->size; r++)
        counts[u->d->place[r]] += u->out.length[r];
    u->takes_out = true;
    char *section = u->out.bytes, *mine = u->in.piece ? u->in.bytes : u->out.bytes + u->out.at[c->rank];
    for (int p = 0; p < u->d->mine; p++)
        section += counts[p];
    h3ou__call call = {.operation = H3OU__COLL_ALLGATHER, .element = 1, .is_vector = true, .counts = counts};
    if (c->nlocal > 1)
        err = gather_inside(u, mine, section);
    if (!err && universe_collective_leads(u))
        err = universe_collective_stage(u, UNIVERSE_AMONG_LEADERS, call, c->nlocal > 1 ? section : mine, u->out.bytes);
    call = (h3ou__call){.operation = H3OU__COLL_BCAST, .element = 1, .count = u->out.total, .root = c->local_rank[u->leader[u->d->mine]]};
    if (!err && c->nlocal > 1)
        err = universe_collective_stage_inside(u, UNIVERSE_INSIDE_BCAST, call, NULL, u->out.bytes);
    return err;
}
