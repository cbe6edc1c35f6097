/* SPDX-License-Identifier: BSD-3-Clause */
#include "universe/message/direct.h"

#include "base/error.h"
#include "universe/world/failure.h"
#include "universe/world/waiting.h"

/* s. The job's MPI is looked at after so long, since a process of this job may wait for it, then after longer and longer; where the process has no other in
 * its job, now and then. */
static const double SHORTEST = 2e-4, LONGEST = 1e-3, ALONE = 0.1;

/* Looks at what WaitIO does not wait for. */
static int look_around(h3ou__pause *pause)
{
    if (universe.advance || universe.sweep)
        return universe_turn(pause);
    universe_turn_count();
    universe_look_at_mpi();
    return H3OU__OK;
}

/* Whether a wait returned because its time was over: a message may end with that error, too. */
static bool is_late(int code, const waitio_req_t *req)
{
    waitio_status_t w;
    return code == H3OU__ETIMEOUT && waitio_get_status(req, &w) != H3OU__OK;
}

/* A wait that takes longer than a slice. */
static int wait_on(waitio_req_t *req, waitio_status_t *status, double slice)
{
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    for (;;) {
        int code = look_around(&pause);
        if (code)
            return code;
        bool is_shared = universe.advance || universe.sweep;
        code = waitio_wait_for(req, is_shared ? 0 : slice, status);
        if (!is_late(code, req))
            return code;
        if (slice < LONGEST)
            slice = slice * 1.5 < LONGEST ? slice * 1.5 : LONGEST;
    }
}

int universe_direct_wait(waitio_req_t *req, waitio_status_t *status)
{
    double slice = universe.comm->nlocal == 1 ? ALONE : SHORTEST;
    int code = waitio_wait_for(req, universe.advance || universe.sweep ? 0 : slice, status);
    return is_late(code, req) ? wait_on(req, status, slice) : code;
}

/* Waits for what has been started, if that succeeded. */
static int complete(universe_comm *c, int code, waitio_req_t *req, waitio_status_t *w, const char *name)
{
    if (!code) {
        universe.open++;
        code = universe_direct_wait(req, w);
        universe.open--;
    }
    universe_exit();
    return code ? universe_fail_waitio(c, code, name) : 0;
}

int universe_direct_send(universe_comm *c, const universe_call *call, int64_t bytes)
{
    waitio_req_t req;
    waitio_status_t w = {0};
    char *data = (char *)(uintptr_t)call->buf;
    int peer = c->peer[call->other];
    universe_enter();
    int code = call->mode == UNIVERSE_SYNCHRONOUS ? waitio_issend(c->group, peer, data, (size_t)bytes, call->tag, &req)
                                                  : waitio_isend(c->group, peer, data, (size_t)bytes, call->tag, &req);
    return complete(c, code, &req, &w, call->name);
}

int universe_direct_receive(universe_comm *c, const universe_call *call, int64_t bytes, abi_Status *status)
{
    waitio_req_t req;
    waitio_status_t w = {0};
    waitio_tag_t tag = call->tag == ABI_ANY_TAG ? WAITIO_ANY_TAG : call->tag;
    universe_enter();
    int code = complete(c, waitio_irecv(c->group, c->peer[call->other], call->to, (size_t)bytes, tag, &req), &req, &w, call->name);
    if (status)
        universe_status_set(status, call->other, (int)w.tag, (int64_t)w.length, false);
    return code;
}
