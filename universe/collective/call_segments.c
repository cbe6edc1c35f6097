/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/collective/call_segments.h"

#include "base/error.h"
#include "coll/select.h"
#include "universe/world/waiting.h"

/* All members of a job start the calls of its MPI, or in memory that they share, in the same order: the first stage of the segments 0 to LEAD - 1, the last one of 0, the first of
 * LEAD, the last of 1, and so on. */
enum { LEAD = UNIVERSE_SEGMENTS / 2 };

static universe_segment *segment_of(universe_collective *u, int64_t k)
{
    return &u->segment[k % UNIVERSE_SEGMENTS];
}

static bool is_of_job(const universe_stage *s)
{
    return s->inside != UNIVERSE_INSIDE_NONE;
}

static bool has_order(const universe_collective *u)
{
    return u->nsegment > 1 && u->nstage > 1 && is_of_job(&u->stage[0]) && is_of_job(&u->stage[u->nstage - 1]);
}

static int64_t bytes_of(const universe_collective *u, int64_t k)
{
    int64_t left = u->bytes - k * u->each;
    return left < u->each ? left : u->each;
}

static char *place(const universe_collective *u, const void *base, bool is_window, int64_t k)
{
    int64_t at = is_window ? k % UNIVERSE_SEGMENTS : k;
    return base ? (char *)(uintptr_t)base + at * u->each : NULL;
}

static int fail_inside(int code)
{
    return h3ou__fail(H3OU__EMPI, "the job's MPI returned error %d for its part of a collective call", code);
}

/* to = from op to */
static void combine(const void *user, void *to, const void *from, int64_t count)
{
    universe_fold_combine(&(h3ou__coll_data){.user = (void *)(uintptr_t)user}, to, from, count, true);
}

/* Starts a call in memory that the processes of the job share. */
static void start_in_memory(universe_collective *u, const universe_stage *s, universe_segment *g, const h3ou__coll_data *data, int64_t count)
{
    bool is_bcast = s->inside == UNIVERSE_INSIDE_BCAST;
    g->is_in_memory = true;
    g->host = (h3ou__host_call){.kind = is_bcast ? H3OU__HOST_BCAST : H3OU__HOST_REDUCE,
                                .root = s->root,
                                .in = is_bcast ? data->output : data->input,
                                .out = data->output,
                                .count = count,
                                .element = data->element,
                                .combine = combine,
                                .user = &u->fold};
    h3ou__host_call_start(u->request.comm->memory, &g->host);
}

/* Starts a call of the processes of the job; waits for one of its MPI there if no other job waits for this process: a root whose messages to the
 * other leaders are on their way goes on with these. */
static int start_inside(universe_collective *u, const universe_stage *s, universe_segment *g, const h3ou__coll_data *data, int64_t count)
{
    const struct hub *mpi = universe.mpi;
    abi_Comm inside = u->request.comm->inside;
    int n = (int)count, code = 0;
    if (s->is_in_memory) {
        start_in_memory(u, s, g, data, count);
        return H3OU__OK;
    }
    if (s->inside == UNIVERSE_INSIDE_REDUCE)
        code = mpi->Ireduce(data->input, data->output, n, u->fold.type, u->fold.op, s->root, inside, &g->inside);
    else if (s->inside == UNIVERSE_INSIDE_BCAST)
        code = mpi->Ibcast(data->output, n, (abi_Datatype)ABI_BYTE, s->root, inside, &g->inside);
    else
        code = mpi->Ibarrier(inside, &g->inside);
    if (!code && u->nsegment == 1 && universe.open == 0 && !universe.has_threads && !g->aside) {
        universe_exit();
        code = mpi->Wait(&g->inside, NULL);
        universe_enter();
    }
    return code ? fail_inside(code) : H3OU__OK;
}

static int start_part(universe_collective *u, const universe_stage *s, universe_segment *g, int64_t k)
{
    h3ou__call call = s->call;
    h3ou__coll_data data = s->data;
    h3ou__schedule schedule = {0};
    call.count = bytes_of(u, k) / call.element;
    data.input = place(u, data.input, s->input_is_window, k);
    data.output = place(u, data.output, s->output_is_window, k);
    if (is_of_job(s))
        return start_inside(u, s, g, &data, call.count);
    int err = h3ou__coll_build(&call, &schedule, NULL);
    return err ? err : h3ou__coll_start(&schedule, &data, &universe_link_ops, &u->link[s->among], universe_link_tag(u->number, k % UNIVERSE_SEGMENTS), &g->run);
}

static int start_stage(universe_collective *u, int64_t k)
{
    universe_segment *g = segment_of(u, k);
    universe_stage *s = &u->stage[g->now];
    g->is_started = true;
    u->nlast += g->now == u->nstage - 1;
    if (u->nsegment > 1)
        return start_part(u, s, g, k);
    if (is_of_job(s))
        return start_inside(u, s, g, &s->data, s->count);
    return h3ou__coll_start(&s->schedule, &s->data, &universe_link_ops, &u->link[s->among], universe_link_tag(u->number, 0), &g->run);
}

/* Whether the stage of a segment may start now. A first stage is started when the segment begins. */
static bool has_turn(universe_collective *u, int64_t k)
{
    const universe_segment *g = segment_of(u, k);
    int64_t first = k + LEAD < u->nsegment ? k + LEAD : u->nsegment;
    if (g->now == 0 || u->nsegment == 1 || !is_of_job(&u->stage[g->now]))
        return true;
    return u->nlast == k && (!has_order(u) || u->begun >= first);
}

static int test_stage(universe_collective *u, universe_segment *g, bool *done)
{
    int flag = 1, code = 0;
    if (g->is_in_memory)
        return h3ou__host_call_test(u->request.comm->memory, &g->host, done, &u->has_moved);
    if (g->run)
        return h3ou__coll_test(g->run, done);
    if (g->inside != (abi_Request)ABI_REQUEST_NULL)
        code = universe.mpi->Test(&g->inside, &flag, NULL);
    *done = flag;
    return code ? fail_inside(code) : H3OU__OK;
}

/* Goes on with a schedule, and frees it at its end. */
static int test_run(universe_collective *u, h3ou__coll_run **run)
{
    bool done = false;
    int err = *run ? h3ou__coll_test(*run, &done) : H3OU__OK;
    if (!err && done) {
        h3ou__coll_end(*run);
        *run = NULL;
        u->has_moved = true;
    }
    return err;
}

static void leave_stage(universe_collective *u, universe_segment *g)
{
    bool is_aside = u->stage[g->now].is_aside;
    h3ou__coll_run *aside = is_aside ? g->run : g->aside;
    if (!is_aside)
        h3ou__coll_end(g->run);
    *g = (universe_segment){.now = g->now + 1, .aside = aside, .inside = (abi_Request)ABI_REQUEST_NULL};
}

static int advance_segment(universe_collective *u, int64_t k, bool *moved)
{
    universe_segment *g = segment_of(u, k);
    bool done = true;
    int err = H3OU__OK;
    while (g->now < u->nstage && (g->is_started || has_turn(u, k))) {
        if (!g->is_started) {
            err = start_stage(u, k);
            *moved = true;
        }
        if (!err)
            err = test_stage(u, g, &done);
        if (err || (!done && !u->stage[g->now].is_aside))
            break;
        leave_stage(u, g);
        *moved = true;
    }
    return err ? err : test_run(u, &g->aside);
}

static bool is_at_end(const universe_collective *u, int64_t k)
{
    const universe_segment *g = &u->segment[k % UNIVERSE_SEGMENTS];
    return g->now == u->nstage && !g->aside;
}

static bool may_begin(const universe_collective *u)
{
    return u->begun < u->nsegment && u->begun < u->done + UNIVERSE_SEGMENTS && (!has_order(u) || u->begun < u->nlast + LEAD);
}

int universe_segments_advance(universe_collective *u, bool *done)
{
    int err = H3OU__OK;
    bool moved = true;
    while (moved && !err) {
        moved = false;
        while (!err && may_begin(u)) {
            *segment_of(u, u->begun) = (universe_segment){.inside = (abi_Request)ABI_REQUEST_NULL};
            err = advance_segment(u, u->begun++, &moved);
        }
        for (int64_t k = u->done; k < u->begun && !err; k++)
            err = advance_segment(u, k, &moved);
        while (!err && u->done < u->begun && is_at_end(u, u->done))
            u->done++;
        u->has_moved |= moved;
        moved = moved && u->done < u->nsegment && u->nsegment > 1;
    }
    *done = u->done == u->nsegment;
    return err;
}

void universe_segments_begin(universe_collective *u)
{
    for (int i = 0; i < UNIVERSE_SEGMENTS; i++)
        u->segment[i] = (universe_segment){.inside = (abi_Request)ABI_REQUEST_NULL};
    u->nsegment = 1;
    u->begun = u->done = u->nlast = 0;
}

void universe_segments_end(universe_collective *u)
{
    for (int i = 0; i < UNIVERSE_SEGMENTS; i++) {
        h3ou__coll_end(u->segment[i].run);
        h3ou__coll_end(u->segment[i].aside);
        u->segment[i].run = u->segment[i].aside = NULL;
    }
}
