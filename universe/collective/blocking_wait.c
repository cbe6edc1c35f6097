/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/collective/blocking_wait.h"

#include "base/error.h"
#include "host/host_block.h"
#include "universe/world/waiting.h"
#include "universe/world/waiting_way.h"
#include "waitio.h"

static const double NAP = 2e-4; /* seconds after which a process that waits looks at its MPI, which may have messages of the program to move */

/* What the segments of a call wait for. */
typedef struct awaited {
    bool memory, leaders, mpi;
} awaited;

static awaited find_awaited(const universe_collective *u)
{
    awaited a = {0};
    for (int64_t k = u->done; k < u->begun; k++) {
        const universe_segment *g = &u->segment[k % UNIVERSE_SEGMENTS];
        bool is_started = g->now < u->nstage && g->is_started;
        bool is_by_leaders = is_started && g->run && u->stage[g->now].among == UNIVERSE_AMONG_LEADERS;
        a.memory = a.memory || (is_started && g->is_in_memory);
        a.leaders = a.leaders || is_by_leaders || g->aside;
        a.mpi = a.mpi || (is_started && !g->is_in_memory && !is_by_leaders);
    }
    return a;
}

/* Sleeps until another process of the job has done something in the memory, or it is time to look elsewhere. */
static int sleep_in_memory(h3ou__host_block *memory, uint32_t heard)
{
    universe_exit();
    bool is_rung = h3ou__host_block_sleep(memory, heard, NAP);
    universe_enter();
    return is_rung ? H3OU__OK : waitio_progress(0);
}

/* Yields or sleeps. */
static int pause_call(const universe_collective *u, const awaited *a, h3ou__pause *pause, uint32_t heard)
{
    h3ou__host_block *memory = u->request.comm->memory;
    bool must_sleep = h3ou__host_block_must_sleep(memory);
    if (universe.has_threads && a->leaders)
        return universe_turn(pause);
    universe_exit();
    double nap = h3ou__pause_next_crowded(pause, must_sleep ? 0 : 1e-6 * (a->memory ? H3OU__YIELD_MEMORY : H3OU__YIELD_DESCRIPTOR));
    universe_enter();
    universe_turn_count();
    if (universe.advance)
        universe.advance();
    if (universe.sweep)
        universe.sweep();
    bool looks_around = h3ou__pause_looks_around(pause, nap);
    if (looks_around && h3ou__pause_looks_at_mpi(pause))
        universe_look_at_mpi();
    if (nap > 0 && a->memory && !a->leaders)
        return sleep_in_memory(memory, heard);
    if (nap > 0)
        return waitio_progress(a->memory ? nap : NAP);
    return looks_around || a->leaders ? waitio_progress(0) : H3OU__OK;
}

void universe_collective_await(universe_collective *u)
{
    universe_request *r = &u->request;
    h3ou__host_block *memory = r->comm->memory;
    h3ou__pause pause;
    if (!memory || universe_waits != UNIVERSE_ADAPTIVE || r->is_complete)
        return;
    h3ou__pause_begin(&pause);
    for (;;) {
        uint32_t heard = h3ou__host_block_heard(memory);
        u->has_moved = false;
        r->ops->test(r);
        if (r->is_complete)
            return;
        awaited a = find_awaited(u);
        if (u->has_moved)
            h3ou__pause_begin(&pause);
        else if (a.mpi || pause_call(u, &a, &pause, heard))
            return;
    }
}
