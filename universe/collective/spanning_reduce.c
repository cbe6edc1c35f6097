/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduction to one, to all, and in parts: inside each job to its leader, among the leaders, and inside each job again. An operation that does not
 * commute needs the order of ranks: where the ranks of a job do not follow one another all members take part in one schedule.
 */
#include <string.h>

#include "base/error.h"
#include "universe/collective/plans.h"

/* Opens the fold, the values of this process (in place: those of `recv`) as n pieces, and what they are combined in. */
static int open_values(universe_collective *u, int n, bool is_by_job)
{
    bool is_in_place = universe_is_in_place(u->a.send.buf);
    universe_side values = u->a.recv;
    if (!is_in_place)
        values.buf = u->a.send.buf;
    int err = universe_collective_check(u, &values, n);
    if (!err)
        err = universe_fold_open(values.type, u->a.op, u->d->is_mixed, &u->fold);
    if (!err)
        err = universe_collective_image(u, &values, n, is_by_job, UNIVERSE_IMAGE_TOGETHER, &u->in);
    return err ? err : universe_image_pack_all(&u->in);
}

static bool keeps_order(const universe_collective *u)
{
    return !u->fold.is_commutative;
}

static bool is_flat(const universe_collective *u)
{
    return keeps_order(u) && !u->d->is_contiguous;
}

static h3ou__call call_of(const universe_collective *u, int operation, int root)
{
    return (h3ou__call){.operation = operation,
                        .root = root,
                        .element = (int)u->fold.element,
                        .count = u->fold.element ? u->in.total / u->fold.element : 0,
                        .order = keeps_order(u) ? H3OU__ORDER_RANKS : H3OU__ORDER_ANY,
                        .must_keep = keeps_order(u)};
}

/* Adds the reduction inside the job. Sets *value to what the leader has then; it is not the program's memory if that is the output's too. */
static int reduce_inside(universe_collective *u, const void **value)
{
    const universe_comm *c = u->request.comm;
    bool leads = is_flat(u) || universe_collective_leads(u), is_alone = is_flat(u) || c->nlocal == 1;
    *value = u->in.bytes;
    if (is_alone && (u->in.is_copy || !universe_is_in_place(u->a.send.buf)))
        return H3OU__OK;
    int64_t bytes = is_alone ? u->in.total : universe_collective_window(u, u->in.total);
    char *partial = leads ? universe_collective_memory(u, bytes) : NULL;
    if (leads && !partial)
        return H3OU__ENOMEM;
    *value = partial;
    if (is_alone) {
        memcpy(partial, u->in.bytes, (size_t)u->in.total);
        return H3OU__OK;
    }
    int root = c->local_rank[u->leader[u->d->mine]];
    int err = universe_collective_stage_inside(u, UNIVERSE_INSIDE_REDUCE, call_of(u, H3OU__COLL_REDUCE, root), u->in.bytes, partial);
    u->stage[u->nstage - 1].output_is_window = true;
    return err;
}

/* Adds an operation among the leaders, or among all. */
static int stage_between(universe_collective *u, h3ou__call call, const void *input, void *output)
{
    if (is_flat(u))
        return universe_collective_stage(u, UNIVERSE_AMONG_ALL, call, input, output);
    if (!universe_collective_leads(u))
        return H3OU__OK;
    bool is_window = u->nstage > 0;
    int err = universe_collective_stage(u, UNIVERSE_AMONG_LEADERS, call, input, output);
    u->stage[u->nstage - 1].input_is_window = is_window;
    return err;
}

/* Divides a call whose stages all combine the same elements. */
static void divide(universe_collective *u)
{
    if (!is_flat(u))
        universe_collective_divide(u, u->in.total, u->fold.element);
}

int universe_plan_reduce(universe_collective *u)
{
    int root = u->a.root;
    bool is_root = u->request.comm->rank == root;
    const void *value;
    int err = open_values(u, 1, false);
    if (!err && is_root)
        err = universe_collective_image(u, &u->a.recv, 1, false, UNIVERSE_IMAGE_TOGETHER, &u->out);
    if (!err)
        err = universe_collective_lead(u, root, false);
    if (err || u->in.total == 0)
        return err;
    u->takes_out = is_root;
    divide(u);
    if ((err = reduce_inside(u, &value)) != H3OU__OK)
        return err;
    return stage_between(u, call_of(u, H3OU__COLL_REDUCE, is_flat(u) ? root : u->d->place[root]), value, is_root ? u->out.bytes : NULL);
}

int universe_plan_allreduce(universe_collective *u)
{
    const universe_comm *c = u->request.comm;
    const void *value;
    int err = open_values(u, 1, false);
    if (!err)
        err = universe_collective_image(u, &u->a.recv, 1, false, UNIVERSE_IMAGE_TOGETHER, &u->out);
    if (!err)
        err = universe_collective_lead(u, -1, false);
    if (err || u->in.total == 0)
        return err;
    u->takes_out = true;
    divide(u);
    err = reduce_inside(u, &value);
    if (!err)
        err = stage_between(u, call_of(u, H3OU__COLL_ALLREDUCE, 0), value, u->out.bytes);
    if (err || is_flat(u) || c->nlocal == 1)
        return err;
    h3ou__call call = {.operation = H3OU__COLL_BCAST, .root = c->local_rank[u->leader[u->d->mine]], .element = 1, .count = u->out.total};
    return universe_collective_stage_inside(u, UNIVERSE_INSIDE_BCAST, call, NULL, u->out.bytes);
}

/* Sets the elements of the part of each member, and of each job. */
static int count_parts(universe_collective *u, int64_t **of_member, int64_t **of_job)
{
    int n = u->request.comm->size;
    *of_member = universe_collective_array(u, n);
    *of_job = universe_collective_array(u, u->d->n);
    if (!*of_member || !*of_job)
        return H3OU__ENOMEM;
    for (int r = 0; r < n; r++) {
        (*of_member)[r] = u->fold.element ? u->in.length[r] / u->fold.element : 0;
        (*of_job)[u->d->place[r]] += (*of_member)[r];
    }
    return H3OU__OK;
}

/* Adds the stage that gives each member of the job its part, of which the leader has all. */
static int scatter_inside(universe_collective *u, const int64_t *of_member, const void *parts)
{
    const universe_comm *c = u->request.comm;
    int64_t *counts = universe_collective_array(u, c->nlocal);
    if (!counts)
        return H3OU__ENOMEM;
    for (int i = 0; i < c->nlocal; i++)
        counts[i] = of_member[c->rank_of_local[i]];
    h3ou__call call = {.operation = H3OU__COLL_SCATTER, .root = c->local_rank[u->leader[u->d->mine]], .element = (int)u->fold.element,
                       .count = of_member[c->rank], .is_vector = true, .counts = counts};
    return universe_collective_stage(u, UNIVERSE_AMONG_JOB, call, parts, u->out.bytes);
}

/* Gives the parts of a job to its leader, or, if all take part in one schedule, each its own. */
static int reduce_parts(universe_collective *u, const int64_t *of_member, const int64_t *of_job)
{
    const void *value;
    char *parts = u->out.bytes;
    h3ou__call call = call_of(u, H3OU__COLL_REDUCE_SCATTER, 0);
    int err = reduce_inside(u, &value);
    bool shares = !is_flat(u) && u->request.comm->nlocal > 1;
    if (!err && shares && universe_collective_leads(u)) {
        parts = universe_collective_memory(u, of_job[u->d->mine] * u->fold.element);
        err = parts ? H3OU__OK : H3OU__ENOMEM;
    }
    call.counts = is_flat(u) ? of_member : of_job;
    call.is_vector = true;
    if (!err)
        err = stage_between(u, call, value, parts);
    return err || !shares ? err : scatter_inside(u, of_member, parts);
}

/* The pieces of the input are the members' parts; where the ranks of a job do not follow one another they are put in the order of the jobs. */
int universe_plan_reduce_scatter(universe_collective *u)
{
    const universe_comm *c = u->request.comm;
    int64_t *of_member, *of_job;
    int commutes = 0;
    universe_side mine = u->a.recv;
    universe.mpi->Op_commutative(u->a.op, &commutes);
    int err = open_values(u, c->size, commutes && !u->d->is_contiguous);
    if (err)
        return err;
    mine.count = u->in.piece[c->rank].count;
    mine.counts.at = NULL;
    if ((err = universe_collective_image(u, &mine, 1, false, UNIVERSE_IMAGE_TOGETHER, &u->out)) != H3OU__OK ||
        (err = universe_collective_lead(u, -1, false)) != H3OU__OK || (err = count_parts(u, &of_member, &of_job)) != H3OU__OK || u->in.total == 0)
        return err;
    u->takes_out = true;
    return reduce_parts(u, of_member, of_job);
}
