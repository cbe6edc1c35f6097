/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/waitio_link.h"

#include "base/error.h"
#include "waitio_mpi/byte_order.h"

static int rank_of(const waitio__link *l, int peer)
{
    return l->ranks ? l->ranks[peer] : l->first + peer;
}

static int link_isend(void *link, int peer, int64_t tag, const void *buf, int64_t bytes, void *req)
{
    const waitio__link *l = link;
    return waitio__byte_order_isend(l->group, rank_of(l, peer), buf, (size_t)bytes, l->unit, tag, req);
}

static int link_irecv(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req)
{
    const waitio__link *l = link;
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

static int link_wait(void *link, int n, void *req)
{
    (void)link;
    return waitio_waitall(n, req, NULL);
}

const h3ou__link_ops waitio__link_ops = {.request_size = sizeof(waitio_req_t),
                                         .isend = link_isend,
                                         .irecv = link_irecv,
                                         .test = link_test,
                                         .wait = link_wait};
