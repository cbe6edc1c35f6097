/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/collective/host_agreement.h"

#include "base/env.h"
#include "base/error.h"
#include "base/log.h"
#include "comm/collective/staged_call.h"

typedef struct agreement {
    h3ou__comm *c;
    int64_t offer[H3OU__HOST_OFFER];
    int32_t mine, all; /* whether this process, and each one, has opened the memory */
} agreement;

static int start_offer(void *user, int64_t k, h3ou__inside_call *call)
{
    agreement *a = user;
    (void)k;
    return h3ou__inside_bcast(a->c, a->offer, H3OU__HOST_OFFER, H3OU__INT64, 0, call);
}

static int start_vote(void *user, int64_t k, h3ou__inside_call *call)
{
    agreement *a = user;
    (void)k;
    return h3ou__inside_allreduce(a->c, &a->mine, &a->all, 1, H3OU__INT32, H3OU__MIN, call);
}

static int agree(h3ou__comm *c, const char *what)
{
    int size = 0;
    int64_t may = 1;
    agreement a = {.c = c, .offer = {0, 0, -1}};
    int err = c->world->mpi->size(c->inside, &size);
    if (err || (err = h3ou__env_int("H3OU_SHARED_MEMORY", 0, 1, 1, &may)) != H3OU__OK)
        return err;
    if (size < 2) { /* its MPI only copies */
        c->host->is_settled = true;
        return H3OU__OK;
    }
    if (c->block_rank == 0 && may)
        h3ou__host_block_offer(size, a.offer);
    h3ou__staged_call call = {.comm = c, .what = what, .user = &a, .nsegment = 1, .before = start_offer};
    err = h3ou__staged_call_run(&call);
    h3ou__host_block *block = err ? NULL : h3ou__host_block_open(a.offer, size, c->block_rank, may);
    a.mine = block != NULL;
    call.before = start_vote;
    if (!err)
        err = h3ou__staged_call_run(&call);
    if (c->block_rank == 0)
        h3ou__host_block_close_offer(a.offer);
    if (err || !a.all) {
        h3ou__host_block_free(block);
        block = NULL;
    }
    c->host->block = block;
    c->host->is_settled = !err;
    if (!err && c->block_rank == 0)
        h3ou__log(H3OU__LOG_LOUD, "host_block", "processes=%d shared=%d", size, a.all);
    return err;
}

int h3ou__host_begin(h3ou__comm *c, const char *what)
{
    int err = !c->inside || c->host->is_settled ? H3OU__OK : agree(c, what);
    if (!err && c->inside && c->host->block)
        h3ou__host_block_begin(c->host->block);
    return err;
}
