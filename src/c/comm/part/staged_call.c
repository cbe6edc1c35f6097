/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/part/staged_call.h"

#include "base/error.h"
#include "comm/part/absent.h"
#include "comm/long_wait.h"
#include "os/os_clock.h"
#include "os/pause.h"
#include "os/turns.h"

enum stage { BEFORE, KINGS, READY, AFTER, DONE };

static const double HOST_NAP = 0.005; /* seconds after which a process that waits for others of its host looks around */

/* The calls inside the block are started in this order by all members: BEFORE of the segments 0 to LEAD - 1, AFTER of 0, BEFORE of
 * LEAD, AFTER of 1, and so on. */
enum { LEAD = H3OU__STAGED_SEGMENTS / 2 };

typedef struct segment {
    int stage;
    h3ou__inside_call inside;
    h3ou__coll_run *run; /* NULL: the Kings have done their part, or it has not begun */
} segment;

typedef struct line {
    const h3ou__staged_call *call;
    segment slot[H3OU__STAGED_SEGMENTS]; /* set when a segment begins in it: a short call has one segment */
    int64_t done, begun; /* segments 0 to done - 1 are complete; begun - 1 is the last one that was started */
    int64_t nafter;      /* how many were started */
    bool moved;          /* since the last pause */
} line;

static segment *slot_of(line *l, int64_t k)
{
    return &l->slot[k % H3OU__STAGED_SEGMENTS];
}

/* Returns how many slots have been used. */
static int count_slots(const line *l)
{
    return l->begun < H3OU__STAGED_SEGMENTS ? (int)l->begun : H3OU__STAGED_SEGMENTS;
}

/* Completes a call inside the block. */
static int test_inside(line *l, segment *s, bool *done)
{
    int err = h3ou__inside_test(l->call->comm, &s->inside, done, &l->moved);
    return err ? h3ou__fail_in(err, "%s, for which all processes must give the same number and type of elements",
                               l->call->what)
               : H3OU__OK;
}

static int start_kings(line *l, segment *s, int64_t k)
{
    int err = l->call->kings ? l->call->kings(l->call->user, k, &s->run) : H3OU__OK;
    s->stage = s->run && !l->call->has_result ? KINGS : READY;
    return err;
}

static int begin_segment(line *l)
{
    int64_t k = l->begun;
    segment *s = slot_of(l, k);
    *s = (segment){.stage = BEFORE};
    int err = l->call->before ? l->call->before(l->call->user, k, &s->inside) : start_kings(l, s, k);
    if (err)
        return err;
    l->begun++;
    l->moved = true;
    return H3OU__OK;
}

/* Starts the last stage, where there is one and its turn has come. */
static int start_after(line *l, segment *s, int64_t k)
{
    int64_t first = k + LEAD < l->call->nsegment ? k + LEAD : l->call->nsegment;
    if (!l->call->after) {
        s->stage = DONE;
        return H3OU__OK;
    }
    if (l->nafter != k || l->begun < first)
        return H3OU__OK;
    s->stage = AFTER;
    l->nafter++;
    return l->call->after(l->call->user, k, &s->inside);
}

static int advance_segment(line *l, int64_t k)
{
    segment *s = slot_of(l, k);
    bool done = false;
    int was = s->stage, err = H3OU__OK;
    if (was == BEFORE && (err = test_inside(l, s, &done)) == H3OU__OK && done)
        err = start_kings(l, s, k);
    if (!err && s->run && (err = h3ou__coll_test(s->run, &done)) == H3OU__OK && done) {
        h3ou__coll_end(s->run);
        s->run = NULL;
        l->moved = true;
        s->stage = s->stage == KINGS ? READY : s->stage;
    }
    if (!err && s->stage == READY)
        err = start_after(l, s, k);
    if (!err && s->stage == AFTER && (err = test_inside(l, s, &done)) == H3OU__OK && done)
        s->stage = DONE;
    l->moved |= s->stage != was;
    return err;
}

static int advance_line(line *l)
{
    int err = H3OU__OK;
    int64_t n = l->call->nsegment;
    while (!err && l->begun < n && l->begun < l->done + H3OU__STAGED_SEGMENTS &&
           (!l->call->after || l->begun < l->nafter + LEAD))
        err = begin_segment(l);
    for (int64_t k = l->done; k < l->begun && !err; k++)
        err = advance_segment(l, k);
    while (!err && l->done < l->begun && slot_of(l, l->done)->stage == DONE && !slot_of(l, l->done)->run)
        l->done++;
    return err;
}

/* Returns whether a segment is between the Kings, on this process. */
static bool is_at_kings(const line *l)
{
    bool is = false;
    for (int i = 0; i < count_slots(l); i++)
        is |= l->slot[i].run != NULL;
    return is;
}

/* Counts the calls inside the block that are under way: those that wait for the MPI, and for others of this host. */
static void count_inside(const line *l, int *nmpi, int *nhost)
{
    *nmpi = *nhost = 0;
    for (int64_t k = l->done; k < l->begun; k++) {
        const segment *s = &l->slot[k % H3OU__STAGED_SEGMENTS];
        bool is_inside = s->stage == BEFORE || s->stage == AFTER, awaits_mpi = is_inside && h3ou__inside_awaits_mpi(&s->inside);
        *nmpi += awaits_mpi;
        *nhost += is_inside && !awaits_mpi;
    }
}

/* Yields or sleeps, and progresses WaitIO, so that another job's abort is noticed. MPI moves a long message piece by
 * piece while all who take part poll it: time for that is added before the first sleep. */
static int pause_line(const line *l, h3ou__pause *pause, uint32_t heard)
{
    const double SLOW_COPY = 2e-9; /* seconds a byte */
    h3ou__world *w = l->call->comm->world;
    int nmpi, nhost;
    h3ou__turns_pass();
    count_inside(l, &nmpi, &nhost);
    int sharers = l->call->comm->size < 16 ? l->call->comm->size : 16;
    h3ou__host_block *block = l->call->comm->inside ? l->call->comm->host->block : NULL;
    double yielding = block && h3ou__host_block_must_sleep(block) ? 0.0 : 1e-6 * (nhost ? H3OU__YIELD_MEMORY : H3OU__YIELD_DESCRIPTOR);
    double nap =
        nmpi ? h3ou__pause_next(pause, 1e-6 * h3ou__yield_for_mpi(w) + SLOW_COPY * (double)l->call->bytes * sharers)
             : h3ou__pause_next_crowded(pause, yielding);
    int err = pause->naps > 1 ? h3ou__absent_answer(l->call->comm, l->call->what) : H3OU__OK;
    if (!err && !nmpi && h3ou__messages_by_mpi())
        err = h3ou__progress_mpi(w);
    else if (!err && !nmpi && h3ou__pause_looks_around(pause, nap))
        err = h3ou__look_at_mpi(w, pause);
    if (err)
        return err;
    if (nap > 0.0 && nhost && !nmpi && !is_at_kings(l)) {
        bool is_short = h3ou__turns_are_taken() || h3ou__messages_by_mpi();
        bool is_rung = h3ou__host_block_sleep(block, heard, is_short ? nap : h3ou__nap_most(w, pause, HOST_NAP));
        return w->group && !is_rung ? waitio_progress(0.0) : H3OU__OK;
    }
    if (w->group && !is_at_kings(l) && !h3ou__pause_looks_around(pause, nap))
        return H3OU__OK; /* a look at WaitIO costs more than one at the MPI */
    if (w->group)
        return waitio_progress(!nmpi && !nhost && !h3ou__messages_by_mpi() && nap > 0.0 ? h3ou__nap_most(w, pause, 0.05) : nap);
    if (nap > 0.0)
        h3ou__sleep(nap);
    return H3OU__OK;
}

/* Tells of a long wait, and fails when patience ends. */
static int check_patience(const line *l, double seconds, h3ou__long_wait *told)
{
    const h3ou__world *w = l->call->comm->world;
    h3ou__long_wait_tell(told, w, seconds, l->call->what, "other members of the communicator");
    if (seconds <= w->patience)
        return H3OU__OK;
    h3ou__coll_run *run = NULL;
    for (int i = 0; i < count_slots(l) && !run; i++)
        run = l->slot[i].run ? l->slot[i].run : l->slot[i].inside.spread.run;
    return h3ou__absent_fail(l->call->comm, l->call->what, run);
}

int h3ou__staged_call_run(const h3ou__staged_call *call)
{
    line l;
    l.call = call;
    l.done = l.begun = l.nafter = 0;
    l.moved = false;
    h3ou__pause pause;
    bool has_waited = false;
    h3ou__long_wait told = {0};
    int err = H3OU__OK;
    h3ou__host_block *block = call->comm->inside ? call->comm->host->block : NULL;
    for (h3ou__pause_begin(&pause);;) {
        uint32_t heard = block ? h3ou__host_block_heard(block) : 0;
        err = advance_line(&l);
        if (err || l.moved || l.done == call->nsegment) {
            if (has_waited)
                h3ou__long_wait_end(&told, call->comm->world, h3ou__now() - pause.began);
            has_waited = false;
            if (err || l.done == call->nsegment)
                break;
            h3ou__pause_begin(&pause);
            l.moved = false;
            continue;
        }
        has_waited = true;
        err = check_patience(&l, h3ou__now() - pause.began, &told);
        if (err || (err = pause_line(&l, &pause, heard)) != H3OU__OK)
            break;
    }
    for (int i = 0; i < count_slots(&l); i++) {
        h3ou__coll_end(l.slot[i].run);
        h3ou__inside_end(&l.slot[i].inside);
    }
    char name[H3OU__COMM_NAME];
    return !err || err == H3OU__ETIMEOUT
               ? err
               : h3ou__fail_in(err, "%s on %s", call->what, h3ou__comm_name(call->comm, name, sizeof name));
}
