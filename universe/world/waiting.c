/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/world/waiting.h"

#include <float.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "os/bell.h"
#include "os/os_clock.h"
#include "universe/world/failure.h"
#include "universe/world/waiting_way.h"
#include "waitio.h"

/* Seconds between two looks of the watcher: at most, while the program computes with requests open, while it blocks inside the job's MPI with them. */
static const double WATCH_MOST = 0.05, WATCH_OPEN = 0.005, WATCH_BLOCKED = 0.0005;
static const double MOVED_SECONDS = 5e-5; /* a look that takes longer has moved bytes, and more may be there */

/*
 * Without MPI_THREAD_MULTIPLE the watcher alone competes with the program, and seldom, so the program takes no mutex: it sets is_inside and then
 * looks at is_looking. The watcher sets is_looking, lets all threads of the process pass a memory barrier, and then looks at is_inside. Whichever
 * came first is seen by the other: the watcher goes away when the program is inside, and the program waits for the mutex while the watcher looks.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t watcher;
static atomic_uint turns; /* calls of universe_turn() */
static atomic_bool is_watching, is_inside, is_looking;
static atomic_int nblocked; /* calls of the program that block inside the job's MPI with requests open */
static h3ou__bell called;   /* rung when one begins */
static const double STOP_SECONDS = 1;

static bool barrier_all(int command)
{
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

static void let_look(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

void universe_enter(void)
{
    if (universe.is_locked) {
        pthread_mutex_lock(&lock);
        return;
    }
    atomic_store_explicit(&is_inside, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&is_looking, memory_order_acquire), 0))
        let_look();
}

void universe_exit(void)
{
    if (universe.is_locked)
        pthread_mutex_unlock(&lock);
    else
        atomic_store_explicit(&is_inside, false, memory_order_release);
}

/* Makes progress of WaitIO, unless the program is inside, and of calls that do not block, where another thread may call the job's MPI. Returns whether
 * requests with other jobs are open. */
static bool look(void)
{
    bool has_open = false;
    if (pthread_mutex_trylock(&lock))
        return false;
    atomic_store(&is_looking, true);
    bool is_free = universe.is_locked || (barrier_all(MEMBARRIER_CMD_PRIVATE_EXPEDITED) && !atomic_load(&is_inside));
    if (is_free && atomic_load(&is_watching)) {
        if (waitio_progress(0))
            universe_end(1, "%s", h3ou__fail_text());
        if (universe.has_threads && universe.advance)
            universe.advance();
        has_open = universe.open > 0;
    }
    atomic_store(&is_looking, false);
    pthread_mutex_unlock(&lock);
    return has_open;
}

/* Waits between two looks: longer each time, or shortly while others may wait for what is open here, and not at all while it moves. */
static double wait_for_look(double former, bool has_open, bool has_moved)
{
    uint32_t heard = h3ou__bell_heard(&called);
    if (has_open && has_moved)
        return WATCH_BLOCKED;
    double longer = 2 * former < WATCH_MOST ? 2 * former : WATCH_MOST;
    double nap = atomic_load(&nblocked) > 0 ? WATCH_BLOCKED : has_open ? WATCH_OPEN : longer;
    if (nap > WATCH_BLOCKED)
        h3ou__bell_wait(&called, heard, nap);
    else
        h3ou__sleep(nap);
    return nap;
}

/* The program's thread may compute or block inside the job's MPI for long; then nobody sees that another job has ended, and nobody moves the messages with
 * other jobs that others wait for. */
static void *watch(void *unused)
{
    unsigned seen = atomic_load(&turns);
    bool has_open = false, has_moved = false;
    (void)unused;
    for (double nap = WATCH_MOST; atomic_load(&is_watching);) {
        nap = wait_for_look(nap, has_open, has_moved);
        unsigned now = atomic_load(&turns);
        double begin = h3ou__now();
        has_open = now == seen && look();
        has_moved = h3ou__now() > begin + MOVED_SECONDS;
        seen = now;
    }
    return NULL;
}

bool universe_block_begin(void)
{
    if (__builtin_expect(universe.open == 0, 1))
        return false;
    atomic_fetch_add(&nblocked, 1);
    h3ou__bell_ring(&called);
    return true;
}

void universe_block_end(bool has_begun)
{
    if (has_begun)
        atomic_fetch_sub(&nblocked, 1);
}

int universe_watch_begin(void)
{
    universe.is_locked = universe.has_threads || !barrier_all(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    atomic_store(&is_watching, true);
    if (pthread_create(&watcher, NULL, watch, NULL) == 0)
        return H3OU__OK;
    atomic_store(&is_watching, false);
    return h3ou__fail(H3OU__EOS, "no thread can be made that moves messages and notices the end of other jobs");
}

void universe_watch_end(void)
{
    if (!atomic_exchange(&is_watching, false))
        return;
    h3ou__bell_ring(&called);
    pthread_join(watcher, NULL);
}

void universe_watch_stop(void)
{
    double end = h3ou__now() + STOP_SECONDS;
    if (!atomic_exchange(&is_watching, false) || pthread_equal(pthread_self(), watcher))
        return;
    while (atomic_load(&is_looking) && h3ou__now() < end)
        sched_yield();
}

void universe_turn_count(void)
{
    atomic_store_explicit(&turns, atomic_load_explicit(&turns, memory_order_relaxed) + 1, memory_order_relaxed);
}

void universe_look_at_mpi(void)
{
    int found;
    universe.mpi->Iprobe(ABI_ANY_SOURCE, ABI_ANY_TAG, universe.comm->inside, &found, NULL);
}

int universe_turn(h3ou__pause *pause)
{
    universe_turn_count();
    if (universe.advance)
        universe.advance();
    if (universe.sweep)
        universe.sweep();
    double nap = h3ou__pause_next(pause, universe_waits == UNIVERSE_POLL ? DBL_MAX : 1e-6 * H3OU__YIELD_DESCRIPTOR);
    if (h3ou__pause_looks_around(pause, nap))
        universe_look_at_mpi();
    if (universe.has_threads) {
        universe_exit();
        h3ou__sleep(nap > 0 ? 2e-5 : 0);
        universe_enter();
        nap = 0;
    }
    return waitio_progress(nap);
}

int universe_wait_inner(abi_Request *request, abi_Status *status)
{
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    if (universe_waits == UNIVERSE_THREAD && !universe.advance && !universe.sweep) {
        universe_exit();
        int code = universe.mpi->Wait(request, status);
        universe_enter();
        return code;
    }
    for (;;) {
        int done = 0, code = universe.mpi->Test(request, &done, status);
        if (code || done)
            return code;
        int err = universe_turn(&pause);
        if (err) {
            universe_exit();
            code = universe_fail_waitio(universe.comm, err, "MPI_Wait");
            universe_enter();
            return code;
        }
    }
}

int universe_wait_started(int code, abi_Request *request, abi_Status *status)
{
    if (code)
        return code;
    universe_enter();
    code = universe_wait_inner(request, status);
    universe_exit();
    return code;
}
