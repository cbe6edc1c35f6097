/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/part/block_link.h"

#include "base/error.h"
#include "comm/world.h"

int h3ou__block_king_of_share(const h3ou__comm *c, int block, int share, int nshare)
{
    return nshare > 1 ? (int)((int64_t)share * h3ou__comm_block_size(c, block) / nshare) : 0;
}

static int find_rank(void *link, int peer)
{
    const h3ou__block_link *l = link;
    int king = h3ou__comm_king(l->comm, l->among == H3OU__AMONG_KINGS ? peer : l->comm->block);
    switch (l->among) {
    case H3OU__AMONG_KINGS:
        return king + h3ou__block_king_of_share(l->comm, peer, l->share, l->nshare);
    case H3OU__AMONG_MEMBERS:
        return peer;
    case H3OU__AMONG_BLOCK:
        return king + peer;
    case H3OU__AMONG_HOSTS:
        return king + (peer == l->root_host ? l->root : l->comm->host->map.head[peer]);
    }
    return king;
}

static int link_isend(void *link, int peer, int64_t tag, const void *buf, int64_t bytes, void *req)
{
    h3ou__block_link *l = link;
    return h3ou__isend(l->comm, find_rank(l, peer), (int)tag, buf, bytes / h3ou__type_size(l->type),
                       l->type, l->what, req);
}

static int link_irecv(void *link, int peer, int64_t tag, void *buf, int64_t bytes, void *req)
{
    h3ou__block_link *l = link;
    return h3ou__irecv_probed(l->comm, find_rank(l, peer), (int)tag, buf, bytes / h3ou__type_size(l->type),
                              l->type, l->what, req);
}

static int link_test(void *link, int n, void *req, bool *done)
{
    h3ou__block_link *l = link;
    return h3ou__testall(l->comm->world, n, req, done);
}

static int link_wait(void *link, int n, void *req)
{
    h3ou__block_link *l = link;
    return h3ou__waitall(l->comm->world, n, req);
}

const h3ou__link_ops h3ou__block_link_ops = {.request_size = sizeof(h3ou__req),
                                             .isend = link_isend,
                                             .irecv = link_irecv,
                                             .test = link_test,
                                             .wait = link_wait,
                                             .rank = find_rank};
