/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/collective/awaited_call.h"

#include "base/error.h"
#include "comm/collective/absent.h"
#include "comm/long_wait.h"
#include "os/os_clock.h"
#include "os/pause.h"
#include "os/turns.h"

/* Yields or sleeps, and progresses WaitIO, so that another job's abort is noticed. */
static int pause_wait(const h3ou__comm *c, const char *what, h3ou__pause *pause)
{
    h3ou__turns_pass();
    double nap = h3ou__pause_next(pause, 1e-6 * H3OU__YIELD_MPI);
    int err = nap > 0.0 ? h3ou__absent_answer(c, what) : H3OU__OK;
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

/* Waits for the schedule or, without one, for the call of the MPI. */
static int await(const h3ou__comm *c, const char *what, h3ou__coll_run *run, h3ou__mpi_req *req)
{
    h3ou__pause pause;
    bool has_waited = false;
    h3ou__long_wait told = {0};
    char name[H3OU__COMM_NAME];
    h3ou__pause_begin(&pause);
    for (int err = H3OU__OK, done = 0;;) {
        bool is_over = false;
        err = run ? h3ou__coll_test(run, &is_over) : c->world->mpi->test(req, &done, NULL);
        if (!err && (is_over || done)) {
            if (has_waited)
                h3ou__long_wait_end(&told, c->world, h3ou__now() - pause.began);
            return H3OU__OK;
        }
        has_waited = true;
        if (!err)
            err = check_patience(c, what, run, h3ou__now() - pause.began, &told);
        if (!err)
            err = pause_wait(c, what, &pause);
        if (err)
            return err == H3OU__ETIMEOUT ? err : h3ou__fail_in(err, "%s on %s", what, h3ou__comm_name(c, name, sizeof name));
    }
}

int h3ou__await_schedule(const h3ou__comm *c, const char *what, h3ou__coll_run *run)
{
    int err = await(c, what, run, NULL);
    h3ou__coll_end(run);
    return err;
}

int h3ou__await_inside(const h3ou__comm *c, const char *what, h3ou__mpi_req *req)
{
    return await(c, what, NULL, req);
}
