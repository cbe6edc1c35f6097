/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gather and scatter. Short parts of equal size are collected by the leader of each job, so that few messages cross; long ones, and those of different
 * sizes, which only the root knows, go between the root and each member.
 */
#include "base/error.h"
#include "universe/collective/plans.h"

enum { SHORT_PART = 8192 }; /* bytes */

/* Opens the parts: `all` at the root, `mine` elsewhere, and at the root, too, unless it is in place. */
static int open_parts(universe_collective *u, bool is_vector, const universe_side *all, universe_image *parts, const universe_side *mine, universe_image *part)
{
    const universe_comm *c = u->request.comm;
    int err = universe_collective_lead(u, u->a.root, false);
    if (!err && c->rank == u->a.root)
        err = universe_collective_image(u, all, c->size, !is_vector && !u->d->is_contiguous,
                                        is_vector ? UNIVERSE_IMAGE_ANYWHERE : UNIVERSE_IMAGE_TOGETHER, parts);
    if (!err && !universe_is_in_place(mine->buf))
        err = universe_collective_image(u, mine, 1, false, UNIVERSE_IMAGE_TOGETHER, part);
    return err;
}

/* Sets the bytes of the parts of each job. */
static int64_t *count_jobs(universe_collective *u, int64_t part)
{
    int64_t *counts = universe_collective_array(u, u->d->n);
    for (int p = 0; p < u->d->n && counts; p++)
        counts[p] = part * universe_division_count(u->d, p);
    return counts;
}

static h3ou__call direct_call(const universe_collective *u, int operation, const universe_image *all, int64_t bytes)
{
    return (h3ou__call){.operation = operation, .root = u->a.root, .element = 1, .count = bytes, .is_vector = true,
                        .counts = all->length, .displs = all->at};
}

/* By the leaders: the stages of a gather, or of a scatter, in which input and output change places. `all` at the root: in the order of jobs. */
static int plan_by_leaders(universe_collective *u, bool is_gather, int64_t part, char *mine, char *all)
{
    const universe_comm *c = u->request.comm;
    int64_t *counts = count_jobs(u, part);
    bool leads = universe_collective_leads(u);
    char *of_job = leads && c->nlocal > 1 ? universe_collective_memory(u, part * c->nlocal) : mine;
    if (!counts || !of_job)
        return H3OU__ENOMEM;
    h3ou__call inside = {.operation = is_gather ? H3OU__COLL_GATHER : H3OU__COLL_SCATTER, .element = 1, .count = part,
                         .root = c->local_rank[u->leader[u->d->mine]]};
    h3ou__call between = {.operation = inside.operation, .element = 1, .count = counts[u->d->mine], .root = u->d->place[u->a.root],
                          .is_vector = true, .counts = counts};
    int err = H3OU__OK;
    if (is_gather && c->nlocal > 1)
        err = universe_collective_stage(u, UNIVERSE_AMONG_JOB, inside, mine, of_job);
    if (!err && leads)
        err = universe_collective_stage(u, UNIVERSE_AMONG_LEADERS, between, is_gather ? of_job : all, is_gather ? all : of_job);
    if (!err && !is_gather && c->nlocal > 1)
        err = universe_collective_stage(u, UNIVERSE_AMONG_JOB, inside, of_job, mine);
    return err;
}

/* The root's own part in place stays where it is: the schedule works on a copy. */
static char *find_own(universe_collective *u, universe_image *all, universe_image *mine, bool is_gather)
{
    int root = u->a.root;
    char *place = all->bytes + all->at[root];
    if (mine->piece)
        return mine->bytes;
    return is_gather ? place : universe_collective_memory(u, all->length[root]);
}

static int plan_gather(universe_collective *u, bool is_vector)
{
    const universe_comm *c = u->request.comm;
    bool is_root = c->rank == u->a.root;
    int err = open_parts(u, is_vector, &u->a.recv, &u->out, &u->a.send, &u->in);
    if (!err && u->in.piece)
        err = universe_image_pack_all(&u->in);
    else if (!err)
        err = universe_image_pack(&u->out, u->a.root);
    if (err)
        return err;
    u->takes_out = is_root;
    int64_t part = is_root ? u->out.length[u->a.root] : u->in.total;
    if (part == 0 && !is_vector)
        return H3OU__OK;
    char *mine = is_root ? find_own(u, &u->out, &u->in, true) : u->in.bytes;
    if (is_vector || part > SHORT_PART)
        return universe_collective_stage(u, UNIVERSE_AMONG_ALL, direct_call(u, H3OU__COLL_GATHER, &u->out, part), mine, u->out.bytes);
    return plan_by_leaders(u, true, part, mine, u->out.bytes);
}

int universe_plan_gather(universe_collective *u)
{
    return plan_gather(u, false);
}

int universe_plan_gatherv(universe_collective *u)
{
    return plan_gather(u, true);
}

static int plan_scatter(universe_collective *u, bool is_vector)
{
    const universe_comm *c = u->request.comm;
    bool is_root = c->rank == u->a.root;
    int err = open_parts(u, is_vector, &u->a.send, &u->in, &u->a.recv, &u->out);
    if (!err && is_root)
        err = universe_image_pack_all(&u->in);
    if (err)
        return err;
    u->takes_out = u->out.piece != NULL;
    int64_t part = is_root ? u->in.length[u->a.root] : u->out.total;
    if (part == 0 && !is_vector)
        return H3OU__OK;
    char *mine = is_root ? find_own(u, &u->in, &u->out, false) : u->out.bytes;
    if (!mine && part > 0) /* a part without values may have no memory */
        return h3ou__fail(H3OU__ENOMEM, "no memory for a part");
    if (is_vector || part > SHORT_PART)
        return universe_collective_stage(u, UNIVERSE_AMONG_ALL, direct_call(u, H3OU__COLL_SCATTER, &u->in, part), u->in.bytes, mine);
    return plan_by_leaders(u, false, part, mine, u->in.bytes);
}

int universe_plan_scatter(universe_collective *u)
{
    return plan_scatter(u, false);
}

int universe_plan_scatterv(universe_collective *u)
{
    return plan_scatter(u, true);
}
