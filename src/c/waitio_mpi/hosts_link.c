/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/hosts_link.h"

#include "base/error.h"

enum { TAG = 1 }; /* one call at a time is under way, and messages between two processes stay in order */

static int place_of(void *link, int peer)
{
    const waitio__hosts_link *l = link;
    return peer == l->root_host ? l->root : l->layers->hosts->map.head[peer];
}

static int link_isend(void *link, int peer, int64_t tag, const void *buf, int64_t bytes, void *req)
{
    const waitio__layers *l = ((waitio__hosts_link *)link)->layers;
    (void)tag;
    return l->mpi->isend(l->inside, buf, bytes, H3OU__BYTE, place_of(link, peer), TAG, req);
}

static int link_irecv(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req)
{
    const waitio__layers *l = ((waitio__hosts_link *)link)->layers;
    (void)tag;
    return l->mpi->irecv(l->inside, buf, bytes, H3OU__BYTE, place_of(link, peer), TAG, req);
}

static int link_test(void *link, int n, void *req, bool *done)
{
    const waitio__layers *l = ((waitio__hosts_link *)link)->layers;
    h3ou__mpi_req *r = req;
    int err = H3OU__OK;
    *done = true;
    for (int i = 0; i < n && !err; i++) {
        int is_complete = 0;
        err = l->mpi->test(&r[i], &is_complete, NULL);
        *done = *done && is_complete;
    }
    return err;
}

static int link_wait(void *link, int n, void *req)
{
    const waitio__hosts_link *l = link;
    h3ou__mpi_req *r = req;
    int err = H3OU__OK;
    for (int i = 0; i < n && !err; i++)
        err = waitio__layers_wait(l->layers, &r[i], l->what);
    return err;
}

const h3ou__link_ops waitio__hosts_link_ops = {
    .request_size = sizeof(h3ou__mpi_req), .isend = link_isend, .irecv = link_irecv, .test = link_test, .wait = link_wait, .rank = place_of};
