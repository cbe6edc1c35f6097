/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/part/awaited_call.h"

#include "base/error.h"
#include "comm/part/absent.h"
#include "comm/part/collective_tag.h"
#include "comm/long_wait.h"
#include "os/os_clock.h"
#include "os/pause.h"
#include "os/turns.h"

/* What is waited for: one of these. */
typedef struct awaited {
    h3ou__coll_run *run;
    h3ou__req *message;
    h3ou__mpi_req *mpi;
    int64_t bytes; /* which the MPI may be moving */
} awaited;

static int test_awaited(const h3ou__comm *c, const awaited *a, bool *done)
{
    int is_done = 0, err;
    if (a->run)
        return h3ou__coll_test(a->run, done);
    if (a->message)
        return h3ou__testall(c->world, 1, a->message, done);
    err = c->world->mpi->test(a->mpi, &is_done, NULL);
    *done = is_done;
    return err;
}

/* Yields or sleeps, and progresses WaitIO, so that another job's abort is noticed. */
static int pause_wait(const h3ou__comm *c, const char *what, int64_t bytes, h3ou__pause *pause)
{
    const double SLOW_COPY = 2e-9; /* seconds a byte */
    h3ou__turns_pass();
    double nap = h3ou__pause_next(pause, 1e-6 * h3ou__yield_for_mpi(c->world) + SLOW_COPY * (double)bytes);
    int err = nap > 0.0 ? h3ou__absent_answer(c, what) : H3OU__OK;
    if (!err && h3ou__pause_looks_around(pause, nap))
        err = h3ou__look_at_mpi(c->world, pause);
    if (err)
        return err;
    if (c->world->group)
        return waitio_progress(nap);
    if (nap > 0.0)
        h3ou__sleep(nap);
    return H3OU__OK;
}

/* Tells of a long wait, and fails when patience ends. */
static int check_patience(const h3ou__comm *c, const char *what, h3ou__coll_run *run, double seconds, h3ou__long_wait *told)
{
    h3ou__long_wait_tell(told, c->world, seconds, what, "other members of the communicator");
    return seconds > c->world->patience ? h3ou__absent_fail(c, what, run) : H3OU__OK;
}

static int await(const h3ou__comm *c, const char *what, const awaited *a)
{
    h3ou__pause pause;
    bool has_waited = false;
    h3ou__long_wait told = {0};
    char name[H3OU__COMM_NAME];
    h3ou__pause_begin(&pause);
    for (;;) {
        bool done = false;
        int err = test_awaited(c, a, &done);
        if (!err && done) {
            if (has_waited)
                h3ou__long_wait_end(&told, c->world, h3ou__now() - pause.began);
            return H3OU__OK;
        }
        has_waited = true;
        if (!err)
            err = check_patience(c, what, a->run, h3ou__now() - pause.began, &told);
        if (!err)
            err = pause_wait(c, what, a->bytes, &pause);
        if (err)
            return err == H3OU__ETIMEOUT ? err : h3ou__fail_in(err, "%s on %s", what, h3ou__comm_name(c, name, sizeof name));
    }
}

int h3ou__await_schedule(const h3ou__comm *c, const char *what, h3ou__coll_run *run)
{
    int err = await(c, what, &(awaited){.run = run});
    h3ou__coll_end(run);
    return err;
}

int h3ou__await_inside(const h3ou__comm *c, const char *what, h3ou__mpi_req *req)
{
    return await(c, what, &(awaited){.mpi = req});
}

int h3ou__await_hop(h3ou__comm *c, const char *what, bool is_send, int peer, void *buf, int64_t count, int type)
{
    h3ou__req req;
    int err = is_send ? h3ou__isend(c, peer, H3OU__TAG_FORWARD, buf, count, type, what, &req)
                      : h3ou__irecv_probed(c, peer, H3OU__TAG_FORWARD, buf, count, type, what, &req);
    return err ? err : await(c, what, &(awaited){.message = &req, .bytes = count * h3ou__type_size(type)});
}
