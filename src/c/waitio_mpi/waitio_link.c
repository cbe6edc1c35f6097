/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/waitio_link.h"

#include "base/error.h"
#include "os/os_clock.h"
#include "waitio/request_handle.h"
#include "waitio_mpi/byte_order.h"

static int rank_of(const waitio__group_link *l, int peer)
{
    return l->ranks ? l->ranks[peer] : l->first + peer;
}

static int link_isend(void *link, int peer, int64_t tag, const void *buf, int64_t bytes, void *req)
{
    const waitio__group_link *l = link;
    return waitio__byte_order_isend(l->group, rank_of(l, peer), buf, (size_t)bytes, l->unit, tag, req);
}

static int link_irecv(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req)
{
    const waitio__group_link *l = link;
    return waitio__byte_order_irecv(l->group, rank_of(l, peer), buf, (size_t)bytes, l->unit, tag, req);
}

static int link_test(void *link, int n, void *req, bool *done)
{
    waitio_req_t *r = req;
    int err = H3OU__OK;
    (void)link;
    *done = true;
    for (int i = 0; i < n && !err; i++) {
        int is_complete = 0;
        err = waitio_test(&r[i], &is_complete);
        *done = *done && is_complete;
    }
    return err;
}

/* Returns the error of the first request that has ended with one; *is_active: some have not ended. */
static int find_error(int n, const waitio_req_t req[], bool *is_active)
{
    *is_active = false;
    for (int i = 0; i < n; i++) {
        waitio_status_t status;
        if (!waitio__request_handle_is_ended(&req[i]))
            *is_active = true;
        else if (!waitio__request_handle_status(&req[i], &status) && status.error)
            return status.error;
    }
    return H3OU__OK;
}

/* Waits for some time, and then polls the MPI. *is_over: the requests have ended, or one has failed. */
static int wait_a_while(const waitio__group_link *l, int n, waitio_req_t req[], bool *is_over)
{
    const double SECONDS = 0.02;
    bool is_active;
    int64_t bytes;
    int code = waitio_waitall_for(n, req, SECONDS, NULL), found;
    *is_over = true;
    if (code != H3OU__ETIMEOUT || find_error(n, req, &is_active) || !is_active)
        return code;
    *is_over = false;
    return l->mpi->iprobe(l->inside, H3OU__ANY_SOURCE, 0, &found, &bytes);
}

static int link_wait(void *link, int n, void *req)
{
    const waitio__group_link *l = link;
    const waitio__instance *in = waitio__instance_current();
    bool is_over = false;
    int code = H3OU__OK;
    if (l->mpi && in)
        for (double end = h3ou__now() + in->patience; !code && !is_over && h3ou__now() < end;)
            code = wait_a_while(l, n, req, &is_over);
    return code || is_over ? code : waitio_waitall(n, req, NULL);
}

const h3ou__link_ops waitio__link_ops = {.request_size = sizeof(waitio_req_t),
                                         .isend = link_isend,
                                         .irecv = link_irecv,
                                         .test = link_test,
                                         .wait = link_wait};
