/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans: in each job, then among its last members, whose sums of all jobs before are broadcast in the job and combined with what each member
 * has. Where the ranks of a job do not follow one another all members take part in one schedule.
 */
#include "base/error.h"
#include "universe/collective/plans.h"

static int open_values(universe_collective *u)
{
    universe_side values = u->a.recv;
    if (!universe_is_in_place(u->a.send.buf))
        values.buf = u->a.send.buf;
    int err = universe_collective_check(u, &values, 1);
    if (!err)
        err = universe_fold_open(values.type, u->a.op, u->d->is_mixed, &u->fold);
    if (!err)
        err = universe_collective_image(u, &values, 1, false, UNIVERSE_IMAGE_TOGETHER, &u->in);
    if (!err)
        err = universe_collective_image(u, &u->a.recv, 1, false, UNIVERSE_IMAGE_TOGETHER, &u->out);
    if (!err)
        err = universe_image_pack_all(&u->in);
    return err ? err : universe_collective_lead(u, -1, true);
}

static int scan_among(universe_collective *u, int among, const void *from, void *to)
{
    h3ou__call call = {.operation = H3OU__COLL_SCAN, .element = (int)u->fold.element, .count = u->in.total / u->fold.element,
                       .order = H3OU__ORDER_RANKS, .must_keep = true};
    return universe_collective_stage(u, among, call, from, to);
}

/* Each of n members gives what it has to the next one. */
static int shift_among(universe_collective *u, int among, int n, int me, const void *from, void *to)
{
    h3ou__schedule *s = universe_collective_steps(u, among, from, to);
    if (me + 1 < n)
        h3ou__schedule_send(s, me + 1, h3ou__input(0), u->in.total);
    if (me > 0)
        h3ou__schedule_recv(s, me - 1, h3ou__output(0), u->in.total);
    h3ou__schedule_end_round(s);
    return s->error;
}

/* to = from, or to = from op to */
static int step_alone(universe_collective *u, enum h3ou__step_kind kind, const void *from, void *to)
{
    h3ou__schedule *s = universe_collective_steps(u, UNIVERSE_AMONG_ALL, from, to);
    h3ou__schedule_local(s, kind, h3ou__output(0), h3ou__input(0), u->in.total);
    h3ou__schedule_end_round(s);
    return s->error;
}

/* Gives all members of the job the sum of the jobs before. total: of the job, at its last member; `upto` and before: memory. */
static int sum_before(universe_collective *u, const char *total, char *upto, char *before)
{
    const universe_comm *c = u->request.comm;
    int err = H3OU__OK, job = u->d->mine;
    if (universe_collective_leads(u))
        err = scan_among(u, UNIVERSE_AMONG_LEADERS, total, upto);
    if (!err && universe_collective_leads(u))
        err = shift_among(u, UNIVERSE_AMONG_LEADERS, u->d->n, job, upto, before);
    h3ou__call call = {.operation = H3OU__COLL_BCAST, .root = c->nlocal - 1, .element = 1, .count = u->in.total};
    if (!err && job > 0 && c->nlocal > 1)
        err = universe_collective_stage_inside(u, UNIVERSE_INSIDE_BCAST, call, NULL, before);
    return err;
}

static int scan_by_jobs(universe_collective *u, bool is_exclusive)
{
    const universe_comm *c = u->request.comm;
    char *mine = universe_collective_memory(u, u->in.total), *other = universe_collective_memory(u, u->in.total),
         *before = universe_collective_memory(u, u->in.total);
    if (!mine || !other || !before)
        return H3OU__ENOMEM;
    bool is_first_job = u->d->mine == 0, has_mine = !is_exclusive || c->my_local > 0;
    int err = scan_among(u, UNIVERSE_AMONG_JOB, u->in.bytes, mine);
    if (!err)
        err = sum_before(u, mine, other, before);
    if (!err && is_exclusive)
        err = shift_among(u, UNIVERSE_AMONG_JOB, c->nlocal, c->my_local, mine, other);
    char *value = is_exclusive ? other : mine;
    if (!err && !is_first_job && has_mine)
        err = step_alone(u, H3OU__STEP_COMBINE_LEFT, before, value);
    if (!err && (has_mine || !is_first_job))
        err = step_alone(u, H3OU__STEP_COPY, has_mine ? value : before, u->out.bytes);
    return err;
}

static int scan_flat(universe_collective *u, bool is_exclusive)
{
    const universe_comm *c = u->request.comm;
    char *mine = universe_collective_memory(u, u->in.total);
    if (!mine)
        return H3OU__ENOMEM;
    int err = scan_among(u, UNIVERSE_AMONG_ALL, u->in.bytes, mine);
    if (err)
        return err;
    return is_exclusive ? shift_among(u, UNIVERSE_AMONG_ALL, c->size, c->rank, mine, u->out.bytes)
                        : step_alone(u, H3OU__STEP_COPY, mine, u->out.bytes);
}

static int plan(universe_collective *u, bool is_exclusive)
{
    int err = open_values(u);
    if (err || u->in.total == 0)
        return err;
    u->takes_out = !is_exclusive || u->request.comm->rank > 0;
    return u->d->is_contiguous ? scan_by_jobs(u, is_exclusive) : scan_flat(u, is_exclusive);
}

int universe_plan_scan(universe_collective *u)
{
    return plan(u, false);
}

int universe_plan_exscan(universe_collective *u)
{
    return plan(u, true);
}
